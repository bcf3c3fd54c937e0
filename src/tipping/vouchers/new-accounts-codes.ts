import type { Tx } from '../core/database.ts'
import { isNewAccount } from '../core/new-accounts.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'

/**
 * The most codes that all new accounts together may try at once, and the number of tries that become available again in
 * ten minutes. The service permits 300 tries in that time for all bots of a project.
 */
const MOST = 150
const WITHIN_MS = 10 * 60_000
/** The time until another try becomes available. */
const EACH_MS = WITHIN_MS / MOST
const KEY = 'redeem:new-accounts'

/**
 * Limits the codes that new accounts may try. Accounts created for trying codes could use up the tries that the
 * provider permits for everybody here. So all new accounts together may try 150 codes at once, and one more every four
 * seconds. The book stores when all tries will be available again, so the limit covers all bots of the book. `at` is
 * the book's time. Throws TippingRefusal `voucher-code-locked`, and then writes nothing.
 */
export async function leaveRoomForOthers(
  tx: Pick<Tx, 'coolDown'>,
  accountSince: Date | undefined,
  at: Date,
): Promise<void> {
  if (!isNewAccount(accountSince, at)) return
  const now = at.getTime()
  const kept = (await tx.coolDown.findUnique({ where: { key: KEY } }))?.until.getTime() ?? now
  // A time later than all tries could need was written before the clock was set back.
  const used = Math.min(Math.max(kept, now), now + WITHIN_MS) + EACH_MS
  if (used > now + WITHIN_MS) throw new TippingRefusal('voucher-code-locked', { until: new Date(used - WITHIN_MS) })
  const until = new Date(used)
  await tx.coolDown.upsert({ where: { key: KEY }, create: { key: KEY, until }, update: { until } })
}
