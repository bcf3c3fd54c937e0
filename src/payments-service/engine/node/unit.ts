import { readBookNode } from './book-node.ts'
import type { NodeParts } from './node-parts.ts'

/** `test sats` on every network but Bitcoin's main one: they are free and worth nothing. */
export type Unit = 'sats' | 'test sats'

/**
 * Unit of this service's amounts. The book knows its node's network from the first time the node was reached, so a
 * start without the node changes no name. Before that it is "sats": a person who takes real sats for test sats gives
 * them away.
 */
export async function unitOf({ database }: Pick<NodeParts, 'database'>): Promise<Unit> {
  const node = await readBookNode(database.read)
  return node === null || node.network === 'bitcoin' ? 'sats' : 'test sats'
}
