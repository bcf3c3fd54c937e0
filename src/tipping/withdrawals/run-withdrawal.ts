import { decodeInvoice } from '../../lib/lightning/bolt11.ts'
import { formatSats, type Msats } from '../../lib/money/amount.ts'
import { tellOfOtherAmount } from '../alerts/alerts.ts'
import { commitDurably } from '../commit-end.ts'
import type { TippingContext } from '../context.ts'
import type { Withdrawal } from '../generated/client.ts'
import { sentTo } from '../replays.ts'
import { recordOutcome } from './record-withdrawal.ts'
import { outcomeOfError, outcomeOfPayment, outcomeOfRequest, type WithdrawalOutcome } from './withdrawal-outcome.ts'

/** A request as it is stored, to be sent again unchanged if need be. Amounts are msats in decimal. */
export interface WithdrawalBody {
  readonly invoice?: string
  readonly amount?: string
  readonly description?: string
  readonly expiresIn?: number
  readonly internalId: string
  readonly callbackUrl?: string
  /** Only where the provider knows it; elsewhere its own limit holds. */
  readonly maxFee?: string
}

/** The smallest fee limit that the interface takes; for what is paid inside the provider and costs nothing. */
const MIN_MAX_FEE = 1n

/**
 * Carries out a reserved withdrawal: makes `sending` durable, calls, and records the outcome. Until it is marked, nothing
 * can have left.
 */
export async function runWithdrawal(context: TippingContext, id: string): Promise<void> {
  const withdrawal = await context.database.read.withdrawal.findFirst({ where: { id } })
  if (withdrawal?.state !== 'reserved') return
  if (context.activity.closed) return
  const body = bodyOf(context, withdrawal)
  const sentAt = new Date(context.clockWatch.now())
  const marked = await commitDurably(context, {
    write: async (tx) => {
      const pause = await context.outgoingSwitch.pausedIn(tx)
      if (pause !== undefined) return { paused: pause.reason }
      const { count } = await tx.withdrawal.updateMany({
        where: { id, state: 'reserved' },
        data: { state: 'sending', ...sentTo(context), body: JSON.stringify(body), sentAt },
      })
      return count === 1 ? 'sending' : 'taken'
    },
  })
  if (marked === 'taken') return
  if (typeof marked === 'object') {
    await recordOutcome(context, withdrawal, { kind: 'returned', because: 'paused', reason: marked.paused })
    return
  }
  const sent = { ...withdrawal, sentAt }
  await recordOutcome(context, sent, await send(context, sent, body))
}

async function send(context: TippingContext, withdrawal: Withdrawal, body: WithdrawalBody): Promise<WithdrawalOutcome> {
  try {
    return await request(context, withdrawal, body)
  } catch (error) {
    return outcomeOfError(error)
  }
}

/** Sends a withdrawal's request and reads the answer. Throws PaymentsError. */
export async function request(
  context: TippingContext,
  withdrawal: Withdrawal,
  body: WithdrawalBody,
): Promise<WithdrawalOutcome> {
  const { payments } = context
  const { invoice = '', amount, maxFee, ...rest } = body
  const options = { idempotencyKey: withdrawal.key }
  const amounts = {
    ...(amount === undefined ? {} : { amount: BigInt(amount) as Msats }),
    ...(maxFee === undefined ? {} : { maxFee: BigInt(maxFee) as Msats }),
  }
  if (withdrawal.kind === 'request') {
    const whole = { ...rest, ...amounts, amount: withdrawal.amount as Msats }
    const { data } = await payments.createWithdrawalRequest(whole, options)
    return await toldIfOther(context, withdrawal, outcomeOfRequest(withdrawal, data))
  }
  const { expiresIn: _, ...payment } = rest
  const { data } = await payments.sendPayment({ ...payment, ...amounts, invoice }, options)
  return await toldIfOther(context, withdrawal, outcomeOfPayment(withdrawal, data))
}

/** The same outcome; where it comes from an answer about another amount, operators are told. */
export async function toldIfOther(
  context: TippingContext,
  { id: about, amount: asked }: Withdrawal,
  outcome: WithdrawalOutcome,
): Promise<WithdrawalOutcome> {
  if (outcome.kind !== 'unknown' || outcome.answered === undefined || outcome.answered === asked) return outcome
  await tellOfOtherAmount(context, { about, what: 'withdrawal', asked, answered: outcome.answered })
  return outcome
}

function bodyOf(context: TippingContext, withdrawal: Withdrawal): WithdrawalBody {
  const { id, kind, amount, feeLimit, invoice, token } = withdrawal
  const callbackUrl = context.settings.callbackUrl(token ?? '')
  const limit = feeLimit > MIN_MAX_FEE ? feeLimit : MIN_MAX_FEE
  const shared = {
    internalId: id,
    ...(callbackUrl === undefined ? {} : { callbackUrl }),
    ...(context.replaysKeys() ? { maxFee: limit.toString() } : {}),
  }
  if (kind === 'request') {
    const description = `Withdrawal of ${formatSats(amount)} sats`
    return { ...shared, amount: amount.toString(), description, expiresIn: context.settings.withdrawalOpenSeconds }
  }
  const carriesAmount = invoice !== null && decodeInvoice(invoice).amount !== undefined
  return { ...shared, invoice: invoice ?? '', ...(carriesAmount ? {} : { amount: amount.toString() }) }
}
