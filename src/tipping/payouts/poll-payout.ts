import { PaymentsError, progressOf } from '../../payments-api/payments-api.ts'
import { raiseAlert, tellOfOtherAmount, toDecide } from '../alerts/alerts.ts'
import { isPresent, tellOfProviderLeft } from '../alerts/present-provider.ts'
import type { TippingContext } from '../context.ts'
import type { Payout } from '../generated/client.ts'
import { isAnswer } from '../polling/is-answer.ts'
import { END, inMs, type Next, unread } from '../polling/poller.ts'
import { mayReplay, REPLAY_WITHIN_MS } from '../replays.ts'
import { endPayout } from './end-payout.ts'
import { outcomeOfAnswer, type PayoutOutcome } from './payout-outcome.ts'
import { type PayoutBody, pay } from './run-payout.ts'

/** Longer than this without an answer, and operators are told. */
const ALERT_AFTER_MS = 3_600_000

/**
 * A refusal that a first attempt which paid may itself have caused. Even replayed it proves nothing: it may be the
 * answer to a second attempt, at a provider that lost the first one's.
 */
const DUE_TO_THE_FIRST = 'insufficient_funds'

/**
 * Looks into a payout whose outcome is unknown. Proof is the first attempt's own record: its transaction read by id, or
 * the replay of its key at the same provider. A refusal of a second attempt proves nothing about the first. No amount of
 * time turns unknown into failed.
 */
export async function pollPayout(context: TippingContext, id: string): Promise<Next> {
  const payout = await context.database.read.payout.findUnique({ where: { id } })
  if (payout?.state !== 'unknown' || payout.sentAt === null) return END
  const ageMs = context.clock.now() - payout.sentAt.getTime()
  const found = await look(context, payout, payout.sentAt)
  if (found !== undefined && found !== 'unread') {
    await endPayout(context, payout, found)
    return END
  }
  if (ageMs >= ALERT_AFTER_MS) await tellOperators(context, payout)
  const readable = payout.transactionId !== null
  // It stays unknown until operators decide; unless it only seems old, by a clock that was set.
  if (!readable && ageMs >= REPLAY_WITHIN_MS && context.clockWatch.isSteady()) return END
  const again = inMs(Math.min(Math.max(ageMs / 2, 2_000), readable ? 24 * 3_600_000 : 3_600_000))
  return found === 'unread' ? unread(again) : again
}

/** Proof, if there is any; `unread` where the provider could not be asked. */
async function look(
  context: TippingContext,
  payout: Payout,
  sentAt: Date,
): Promise<Exclude<PayoutOutcome, { kind: 'unknown' }> | 'unread' | undefined> {
  try {
    if (!isPresent(context, payout.provider)) {
      await tellOfProviderLeft(context, payout.provider)
      return undefined
    }
    if (payout.transactionId !== null) return await read(context, payout, payout.transactionId)
    const replay = await mayReplay(context, payout, sentAt)
    if (replay === 'unread') return replay
    if (replay === 'no' || payout.body === null) return undefined
    const outcome = await pay(context, payout, JSON.parse(payout.body) as PayoutBody)
    return outcome.kind === 'unknown' ? undefined : outcome
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error
    return await weigh(context, payout, error)
  }
}

/** A transaction that is not this payout's proves nothing. */
async function read(context: TippingContext, { id: about, amount }: Payout, id: string) {
  const { data } = await context.payments.getGamertagPayment({ id })
  if (data.amount !== amount) {
    await tellOfOtherAmount(context, { about, what: 'payout', asked: amount, answered: data.amount })
    return undefined
  }
  if (progressOf(data.status) === 'failed') return { kind: 'kept', because: 'refused', reason: null } as const
  const outcome = outcomeOfAnswer(data, id, data.fee)
  return outcome.kind === 'unknown' ? undefined : outcome
}

/** What the failure of a later request proves. Only the stored answer can be the first attempt's own record. */
async function weigh(context: TippingContext, payout: Payout, error: PaymentsError) {
  const nothing = isAnswer(error) ? undefined : 'unread'
  if (error.kind !== 'refused' || error.operation !== 'payToGamertag') return nothing
  if (error.replayed && error.code !== undefined && error.code !== DUE_TO_THE_FIRST) {
    return { kind: 'kept', because: 'refused', reason: error.message } as const
  }
  if (error.message !== payout.reason) {
    await context.commit({
      write: (tx) =>
        tx.payout.updateMany({ where: { id: payout.id, state: 'unknown' }, data: { reason: error.message } }),
    })
  }
  return nothing
}

async function tellOperators(context: TippingContext, payout: Payout): Promise<void> {
  const text = toDecide(
    `a payout of ${payout.amount} msats to ${payout.lightningId} has been unknown since ${payout.sentAt?.toISOString()}: ${payout.reason}`,
  )
  await context.commit({ write: (tx) => raiseAlert(context, tx, { kind: 'payout-unknown', about: payout.id, text }) })
}
