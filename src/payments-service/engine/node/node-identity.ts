import type { LightningBackend, NodeInfo } from '../../backends/backend.ts'
import { nothingSent } from '../../core/service-refusal.ts'
import { NodeMismatch } from './book-node.ts'

/**
 * Creates the function that returns our node's identity. That function throws the refusal `nothing_sent` while the node
 * cannot be reached, or is not the book's node.
 */
export function createNodeIdentity(backend: Pick<LightningBackend, 'info'>): () => Promise<NodeInfo> {
  return async () => {
    try {
      return await backend.info()
    } catch (error) {
      if (error instanceof NodeMismatch) throw nothingSent('The Lightning node is not the one of this service', error)
      throw nothingSent('The Lightning node cannot be reached', error)
    }
  }
}
