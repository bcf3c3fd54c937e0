import { ZERO } from '../../lib/money/amount.ts'
import { PaymentsError } from '../../payments-api/payments-api.ts'
import { tellOfOtherAmount } from '../alerts/alerts.ts'
import { commitDurably } from '../commit-end.ts'
import type { TippingContext } from '../context.ts'
import type { Payout } from '../generated/client.ts'
import { liveLink } from '../members/live-link.ts'
import { sentTo } from '../replays.ts'
import type { NotSentReason } from '../tipping.ts'
import { endPayout } from './end-payout.ts'
import { becauseOf, outcomeOfAnswer, outcomeOfError, type PayoutOutcome } from './payout-outcome.ts'

/** The request as it is stored, to be sent again unchanged if need be. */
export interface PayoutBody {
  /** Msats, in decimal. */
  readonly amount: string
  readonly gamertag: string
  readonly description: string
  /** Only where the provider knows it: nothing moves when the gamertag belongs to somebody else by now. */
  readonly receiverId?: string
}

/**
 * Carries out a reserved payout: looks the gamertag up by the immutable id, makes `sending` durable, calls, and records
 * the outcome. Until it is marked, nothing can have left, and whatever goes wrong leaves the money in the balance.
 */
export async function runPayout(context: TippingContext, id: string): Promise<void> {
  const payout = await context.database.read.payout.findUnique({ where: { id } })
  if (payout?.state !== 'reserved') return
  if (!context.outgoingSwitch.open) return keep(context, payout, 'paused', context.outgoingSwitch.reason ?? null)
  let gamertag: string
  try {
    gamertag = (await context.payments.getGamertagByUserId({ id: payout.lightningId })).data.gamertag
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error
    return keep(context, payout, becauseOf(error), error.kind === 'refused' ? error.message : null)
  }
  if (context.activity.closed) return
  const body: PayoutBody = {
    amount: payout.amount.toString(),
    gamertag,
    description: payout.description,
    ...(context.replaysKeys() ? { receiverId: payout.lightningId } : {}),
  }
  const marked = await markSending(context, payout, body)
  if (marked === 'unlinked') return keep(context, payout, 'unlinked', null)
  if (typeof marked === 'object') return keep(context, payout, 'paused', marked.paused)
  if (marked === 'taken') return
  await endPayout(context, payout, await send(context, payout, body))
}

/** Sends a payout's request and reads the answer. */
async function send(context: TippingContext, payout: Payout, body: PayoutBody): Promise<PayoutOutcome> {
  try {
    return await pay(context, payout, body)
  } catch (error) {
    return outcomeOfError(error)
  }
}

/**
 * Sends a payout's request. An answer with another amount proves nothing: what it names is read later. Throws
 * PaymentsError.
 */
export async function pay(
  context: TippingContext,
  { id, amount, key }: Payout,
  body: PayoutBody,
): Promise<PayoutOutcome> {
  const { data } = await context.payments.payToGamertag(
    { ...body, amount: BigInt(body.amount) as typeof ZERO },
    { idempotencyKey: key },
  )
  if (data.amount !== amount) {
    const answer = { about: id, what: 'payout', asked: amount, answered: data.amount }
    return { kind: 'unknown', evidence: await tellOfOtherAmount(context, answer), transactionId: data.transactionId }
  }
  return outcomeOfAnswer(data, data.transactionId, ZERO)
}

/** Whoever marks it sends it: of two workers one is told `taken`. */
async function markSending(
  context: TippingContext,
  payout: Payout,
  body: PayoutBody,
): Promise<'sending' | 'taken' | 'unlinked' | { readonly paused: string }> {
  return await commitDurably(context, {
    write: async (tx) => {
      const pause = await context.outgoingSwitch.pausedIn(tx)
      if (pause !== undefined) return { paused: pause.reason }
      const link = await liveLink(tx, payout.member)
      if (link?.lightningId !== payout.lightningId || link.frozen) return 'unlinked'
      const { count } = await tx.payout.updateMany({
        where: { id: payout.id, state: 'reserved' },
        data: {
          state: 'sending',
          ...sentTo(context),
          body: JSON.stringify(body),
          sentAt: new Date(context.clockWatch.now()),
        },
      })
      return count === 1 ? 'sending' : 'taken'
    },
  })
}

async function keep(
  context: TippingContext,
  payout: Payout,
  because: NotSentReason,
  reason: string | null,
): Promise<void> {
  await endPayout(context, payout, { kind: 'kept', because, reason })
}
