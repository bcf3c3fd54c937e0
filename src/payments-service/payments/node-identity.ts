import type { LightningBackend, NodeInfo } from '../backends/backend.ts'
import { nothingSent } from '../refusal.ts'

/**
 * Who our node is, asked once and remembered: neither its key nor its network change while it runs. Throws the refusal
 * `nothing_sent` while the node has not been reached yet.
 */
export function createNodeIdentity(backend: LightningBackend): () => Promise<NodeInfo> {
  let known: Promise<NodeInfo> | undefined
  return async () => {
    known ??= Promise.resolve(backend.info())
    try {
      return await known
    } catch (error) {
      known = undefined
      throw nothingSent('The Lightning node cannot be reached', error)
    }
  }
}
