import { PaymentsError } from '../../payments-api/payments-api.ts'
import type { TippingContext } from '../context.ts'
import type { Redemption, Watch } from '../generated/client.ts'
import { raiseAlarm } from '../oversight/alarms.ts'
import { END, inMs, type Next } from '../watches/watcher.ts'
import { endRedemption, outcomeOf } from './redeem-voucher.ts'

const REPLAY_WITHIN_MS = 24 * 3_600_000
const PATIENCE_MS = 3_600_000

/** "Somebody has redeemed it": that may have been the first attempt, so even replayed it proves nothing. */
const DUE_TO_THE_FIRST = 'voucher_redeemed'

/** Looks into a code that was sent and never answered: its key is replayed, which answers as the first time. */
export async function lookAtRedemption(context: TippingContext, watch: Watch): Promise<Next> {
  const redemption = await context.database.read.redemption.findUnique({ where: { id: watch.id } })
  if (redemption === null || redemption.code === null || redemption.provider !== context.payments.provider) return END
  const ageMs = Math.max(context.clock.now() - redemption.createdAt.getTime(), 0)
  if (ageMs < REPLAY_WITHIN_MS && context.replaysKeys() && (await replayed(context, redemption, redemption.code))) {
    return END
  }
  if (ageMs >= PATIENCE_MS) {
    const text = `a voucher's redemption by ${redemption.member} has been unknown since ${redemption.createdAt.toISOString()}: ${redemption.reason}`
    await context.commit({
      write: (tx) => raiseAlarm(context, tx, { kind: 'redemption-unknown', about: redemption.id, text }),
    })
  }
  return ageMs >= REPLAY_WITHIN_MS ? END : inMs(Math.min(Math.max(ageMs / 2, 2_000), 3_600_000))
}

/** Whether the replay told how it ended. */
async function replayed(context: TippingContext, redemption: Redemption, code: string): Promise<boolean> {
  try {
    const { data } = await context.payments.redeemVoucher({ code }, { idempotencyKey: redemption.key })
    await endRedemption(context, redemption, { kind: 'redeemed', amount: data.amount })
    return true
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error
    if (!error.replayed || error.kind !== 'refused' || error.code === DUE_TO_THE_FIRST) return false
    await endRedemption(context, redemption, outcomeOf(error))
    return true
  }
}
