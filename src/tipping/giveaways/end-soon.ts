import { EARLY_END_NOTICE_MS, roundOfDraw } from '../../lib/proofs/draw-proof.ts'
import { type CoreContext, now } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { schedulePoll } from '../engine/polling/poller.ts'
import type { Giveaway } from '../generated/client.ts'

/**
 * Moves the end of an open giveaway, in the caller's transaction, to a minute from now, unless the giveaway ends
 * sooner. The caller has the giveaway's card redrawn. Nobody knows the beacon of the new end yet, so the person who
 * chooses the moment cannot choose the draw. Resolves to the new end.
 */
export async function endSoon(
  context: CoreContext,
  tx: Tx,
  { id, endsAt: planned, beaconRound: announced, createdAt: bornAt }: Giveaway,
): Promise<Date> {
  const at = now(context)
  const endsAt = new Date(at.getTime() + EARLY_END_NOTICE_MS)
  if (planned <= endsAt) return planned
  const beaconRound = announced === null ? null : roundOfDraw(context.beacons.chain, endsAt.getTime())
  await tx.giveaway.update({ where: { id, state: 'open' }, data: { endsAt, shortenedAt: at, beaconRound } })
  await schedulePoll(tx, { id, kind: 'giveaway', bornAt }, endsAt)
  return endsAt
}
