import { readBookNode } from './book-node.ts'
import type { NodeParts } from './node-parts.ts'

/** `test sats` on every network except Bitcoin's main one: they are free and worthless. */
export type Unit = 'sats' | 'test sats'

/**
 * Returns the unit of this service's amounts. The book stores its node's network after the node was first reached, so a
 * start without the node does not change the unit. Before that it is "sats": somebody who takes real sats for test sats
 * gives them away.
 */
export async function unitOf({ database }: Pick<NodeParts, 'database'>): Promise<Unit> {
  const node = await readBookNode(database.read)
  return node === null || node.network === 'bitcoin' ? 'sats' : 'test sats'
}
