import type { TippingContext } from '../context.ts'
import { endRedemption } from './redeem-voucher.ts'

/** What is known of whatever was marked: it may have left. */
const STOPPED = { kind: 'unknown', evidence: 'the bot was stopped before it heard an answer' } as const

/**
 * Takes up what an earlier process left. Reserved and never marked: nothing can have left. Marked: it may have, so it is
 * looked into; and so are codes that were sent and never answered.
 */
export async function resumeVouchers(context: TippingContext): Promise<void> {
  const { read } = context.database
  const redeeming = await read.redemption.findMany({ where: { state: 'sending' } })
  await Promise.all([...redeeming.map((redemption) => endRedemption(context, redemption, STOPPED))])
}
