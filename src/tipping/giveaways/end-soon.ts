import { EARLY_END_NOTICE_MS, roundOfDraw } from '../../lib/proofs/draw-proof.ts'
import { type CoreContext, now } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { schedulePoll } from '../engine/polling/poller.ts'
import type { Giveaway } from '../generated/client.ts'

/**
 * Ends an open giveaway a minute from now, if that is before its end, in the transaction of the cause; the caller draws
 * its card again. Nobody knows the beacon of the new end yet, so the person who chooses the moment cannot choose the
 * draw. Resolves to its end.
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
