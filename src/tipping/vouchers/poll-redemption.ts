import { PaymentsError } from '../../payments-api/payments-api.ts'
import { raiseAlert, toDecide } from '../alerts/alerts.ts'
import type { TippingContext } from '../context.ts'
import type { PollJob, Redemption } from '../generated/client.ts'
import { isAnswer } from '../polling/is-answer.ts'
import { END, inMs, type Next, unread } from '../polling/poller.ts'
import { mayReplay, REPLAY_WITHIN_MS } from '../replays.ts'
import { endRedemption, outcomeOf, redeem } from './redeem-voucher.ts'

const ALERT_AFTER_MS = 3_600_000

/** "Somebody has redeemed it": that may have been the first attempt, so even replayed it proves nothing. */
const DUE_TO_THE_FIRST = 'voucher_redeemed'

/** Looks into a code that was sent and never answered: its key is replayed, which answers as the first time. */
export async function pollRedemption(context: TippingContext, job: PollJob): Promise<Next> {
  const redemption = await context.database.read.redemption.findUniqueOrThrow({ where: { id: job.id } })
  if (redemption.code === null) return END
  const ageMs = context.clock.now() - redemption.createdAt.getTime()
  const may = await mayReplay(context, redemption, redemption.createdAt)
  const seen = may === 'yes' ? await replay(context, redemption, redemption.code) : may
  if (seen === 'end') return END
  if (ageMs >= ALERT_AFTER_MS) {
    const text = toDecide(
      `a voucher's redemption by ${redemption.member} has been unknown since ${redemption.createdAt.toISOString()}: ${redemption.reason}`,
    )
    await context.commit({
      write: (tx) => raiseAlert(context, tx, { kind: 'redemption-unknown', about: redemption.id, text }),
    })
  }
  // It may only seem old, by a clock that was set.
  if (ageMs >= REPLAY_WITHIN_MS && context.clockWatch.isSteady()) return END
  const again = inMs(Math.min(Math.max(ageMs / 2, 2_000), 3_600_000))
  return seen === 'unread' ? unread(again) : again
}

/** Whether the replay told how it ended. `unread`: the provider could not be asked. */
async function replay(
  context: TippingContext,
  redemption: Redemption,
  code: string,
): Promise<'end' | 'nothing' | 'unread'> {
  try {
    const outcome = await redeem(context, redemption, code)
    if (outcome.kind === 'unknown') return 'nothing'
    await endRedemption(context, redemption, outcome)
    return 'end'
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error
    if (!error.replayed || error.kind !== 'refused' || error.code === DUE_TO_THE_FIRST) {
      await noteEvidence(context, redemption, error.message)
      return isAnswer(error) ? 'nothing' : 'unread'
    }
    await endRedemption(context, redemption, outcomeOf(error))
    return 'end'
  }
}

/** What operators will go by if nothing better comes. */
async function noteEvidence(context: TippingContext, { id, reason }: Redemption, said: string): Promise<void> {
  if (said === reason) return
  const where = { id, state: 'unknown' }
  await context.commit({ write: (tx) => tx.redemption.updateMany({ where, data: { reason: said } }) })
}
