import type { Tx } from '../core/database.ts'
import { isNewAccount } from '../core/new-accounts.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'

/** Codes that new accounts may try in ten minutes, all of them together. The service lets all bots of a project try 300. */
const MOST = 150
const WITHIN_MS = 10 * 60_000
/** Room for one more comes back after so long. */
const EACH_MS = WITHIN_MS / MOST
const KEY = 'redeem:new-accounts'

/**
 * Accounts that were made to try codes would use up what the provider lets everybody here try. So new ones may try 150
 * at once, and one more every four seconds. The book stores until when the tries are used up, and so counts for all its
 * bots; `at` is by its time. Throws TippingRefusal `voucher-code-locked`; then nothing is written.
 */
export async function leaveRoomForOthers(
  tx: Pick<Tx, 'coolDown'>,
  accountSince: Date | undefined,
  at: Date,
): Promise<void> {
  if (!isNewAccount(accountSince, at)) return
  const now = at.getTime()
  const kept = (await tx.coolDown.findUnique({ where: { key: KEY } }))?.until.getTime() ?? now
  // A code that could end later than all of them was written before the clock was set back.
  const used = Math.min(Math.max(kept, now), now + WITHIN_MS) + EACH_MS
  if (used > now + WITHIN_MS) throw new TippingRefusal('voucher-code-locked', { until: new Date(used - WITHIN_MS) })
  const until = new Date(used)
  await tx.coolDown.upsert({ where: { key: KEY }, create: { key: KEY, until }, update: { until } })
}
