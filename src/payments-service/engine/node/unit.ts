import { readBookNode } from './book-node.ts'
import type { NodeParts } from './node-parts.ts'

/** The unit of amounts: `test sats`, which are free and worthless, on every network except Bitcoin's main one. */
export type Unit = 'sats' | 'test sats'

/**
 * Returns the unit of this service's amounts. The book stores its node's network when the node is first reached, so a
 * later start without the node does not change the unit. Before that, the unit is "sats", because somebody who mistakes
 * real sats for test sats gives them away.
 */
export async function unitOf({ database }: Pick<NodeParts, 'database'>): Promise<Unit> {
  const node = await readBookNode(database.read)
  return node === null || node.network === 'bitcoin' ? 'sats' : 'test sats'
}
