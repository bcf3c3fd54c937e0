import { drawLine, inOrder, keyOfDraw } from '../../lib/proofs/provable-draw.ts'
import type { ReadonlyBook } from '../core/context.ts'
import type { Giveaway, GiveawayEntry } from '../generated/client.ts'

/** Returns the first `count` entrants of a sealed giveaway in the order that seed and beacon determine. */
export async function lineOf(
  context: ReadonlyBook,
  giveaway: Pick<Giveaway, 'id' | 'seed' | 'beaconSignature' | 'entrantsHash'>,
  count: number,
): Promise<GiveawayEntry[]> {
  const entrants = await context.database.read.giveawayEntry.findMany({ where: { giveawayId: giveaway.id } })
  if (giveaway.entrantsHash === null) throw new Error(`giveaway ${giveaway.id} is not sealed`)
  const key = keyOfDraw(Buffer.from(giveaway.seed, 'hex'), giveaway.beaconSignature)
  return drawLine(key, giveaway.entrantsHash, inOrder(entrants), count)
}
