import { MAX_MSATS, type Msats, msats } from '../../lib/money/amount.ts'
import { utcMinute } from '../../lib/utc-minute.ts'
import { type Book, now, type Outside } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { readAmount } from '../core/read-amount.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { person, raiseAlert } from '../engine/alerts/alerts.ts'
import type { PaymentOutcome } from '../engine/outgoing/decisions.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Decision } from '../generated/client.ts'
import type { DecidePayment, DecisionView } from './adjustments.ts'
import { decidedEnd } from './decided-end.ts'
import { assertMayTakeEffect, DELAY, dueAlone, UNOPPOSED } from './lone-word.ts'
import { type Decidable, findPayment, inWords, isUnknown } from './unknown-payments.ts'

export const MAX_DECISION_REASON = 300

/** A decision whose parts were read and checked. */
interface OperatorDecision {
  readonly outcome: PaymentOutcome
  /** The value of a redeemed code; null if no value has to be stated. */
  readonly amount: Msats | null
  readonly operator: string
  readonly reason: string
}

/**
 * Records one operator's decision, or the agreement of a second operator, which makes the decision proof. The two must
 * be different people. A different decision replaces the earlier one, and again waits for a second operator. Throws
 * TippingRefusal `payment-not-found`, `payment-not-unknown`, `decision-needs-another`, `proposal-waits`,
 * `decision-needs-amount` or `text-too-long`, or a refusal of the amount.
 */
export async function decidePayment(context: TippingContext, command: DecidePayment): Promise<DecisionView> {
  const reason = command.reason.trim()
  if (reason.length > MAX_DECISION_REASON)
    throw new TippingRefusal('text-too-long', { what: 'reason', most: MAX_DECISION_REASON })
  const payment = await mayBeDecided(context, command)
  const open = await context.database.read.decision.findFirst({
    where: { payment: command.payment, state: 'proposed' },
  })
  const { outcome, operator } = command
  const word: OperatorDecision = { outcome, operator, reason, amount: amountOf(context, payment, command) }
  const same = open?.kind === payment.kind.name && open.outcome === outcome && open.amount === word.amount
  // If another operator decided at this very moment, judge again with that decision.
  const again = () => decidePayment(context, command)
  if (open === null || !same) {
    return (await propose(context, payment, word, open)) ?? (await again())
  }
  if (open.proposedBy === operator) {
    if (open.dueAt !== null) throw new TippingRefusal('proposal-waits', { until: open.dueAt })
    throw new TippingRefusal('decision-needs-another', {})
  }
  return (await second(context, payment, word, open)) ?? (await again())
}

/** Applies a single operator's decision after its delay, unless the provider has reported the outcome by then. */
export async function decideDue(context: TippingContext, open: Decision): Promise<void> {
  const outcome = open.outcome as PaymentOutcome
  const found = await mayBeDecided(context, { payment: open.payment, outcome }).catch((error: unknown) => {
    if (error instanceof TippingRefusal) return undefined
    throw error
  })
  if (found === undefined) {
    await context.commit({ write: (tx) => end(tx, open.id, { state: 'overtaken' }) })
    return
  }
  const amount = open.amount === null ? null : msats(open.amount)
  await second(context, found, { outcome, amount, operator: DELAY, reason: UNOPPOSED }, open)
}

/** Returns a payment whose outcome is unknown, or whose outcome operators have decided and may correct. */
async function mayBeDecided(
  context: TippingContext,
  { payment: id, outcome }: Pick<DecidePayment, 'payment' | 'outcome'>,
): Promise<Decidable> {
  const { read } = context.database
  const found = await findPayment(read, id)
  if (found === undefined) throw new TippingRefusal('payment-not-found', {})
  const wasDecided = (await read.decision.count({ where: { payment: id, state: 'done' } })) > 0
  const correctable = wasDecided && found.ended !== undefined && found.ended !== outcome
  // Only the fee of a certain payment can still be decided.
  const isPaid = found.kind.isPaidForCertain?.(found.payment) === true
  if ((!isUnknown(context, found) && !correctable) || (isPaid && outcome === 'failed'))
    throw new TippingRefusal('payment-not-unknown', {})
  return found
}

/**
 * Reads the amount that an operator states; null if none is needed. Only a redeemed code's value must be stated,
 * because the records contain all other amounts.
 */
function amountOf({ rates }: Outside, { kind }: Decidable, { outcome, amount }: DecidePayment): Msats | null {
  if (!kind.amountIsSaid || outcome !== 'paid') return null
  if (amount === undefined || amount.trim() === '') throw new TippingRefusal('decision-needs-amount', {})
  return readAmount(amount, { smallest: msats(1n), largest: MAX_MSATS, rates })
}

/** Records a proposal. Resolves to undefined if the proposal to be replaced has changed. */
async function propose(
  context: Book,
  found: Decidable,
  { outcome, amount, operator, reason }: OperatorDecision,
  replaced: Decision | null,
): Promise<DecisionView | undefined> {
  const at = now(context)
  const decision: Decision = {
    id: context.entropy.uuid(),
    kind: found.kind.name,
    payment: found.payment.id,
    outcome,
    amount,
    state: 'proposed',
    proposedBy: operator,
    proposedReason: reason,
    proposedAt: at,
    secondedBy: null,
    secondedReason: null,
    secondedAt: null,
    dueAt: null,
  }
  const says = `${person(operator)} says that ${inWords(found)} ${said(found, decision)}: ${reason}.`
  const isSaid = await context.commit({
    write: async (tx) => {
      const open = await tx.decision.findFirst({ where: { payment: decision.payment, state: 'proposed' } })
      if (open?.id !== replaced?.id) return undefined
      if (replaced !== null) await end(tx, replaced.id, { state: 'replaced' })
      const dueAt = await dueAlone(context, tx)
      await tx.decision.create({ data: { ...decision, dueAt } })
      const next =
        dueAt === null
          ? 'It needs the confirmation of a second operator: /admin decide'
          : `It takes effect on ${utcMinute(dueAt)}, unless it is cancelled: /admin cancel`
      await raiseAlert(context, tx, { kind: 'decision-proposed', about: decision.id, text: `${says} ${next}` })
      return { dueAt }
    },
  })
  return isSaid ? viewDecision(found, { ...decision, ...isSaid }) : undefined
}

/** Seconds a proposal, which then takes effect. Resolves to undefined if the proposal was replaced. */
async function second(
  context: TippingContext,
  found: Decidable,
  { operator, reason }: OperatorDecision,
  open: Decision,
): Promise<DecisionView | undefined> {
  const alone = operator === DELAY
  const together = alone
    ? `decided by one operator: ${open.proposedReason}; ${reason}`
    : `decided by two operators: ${open.proposedReason}; ${reason}`
  const change = await decidedEnd(context, found, open, together)
  const done = { state: 'done', secondedBy: operator, secondedReason: reason, secondedAt: now(context) }
  const who = alone ? `${person(open.proposedBy)} has` : `${person(open.proposedBy)} and ${person(operator)} have`
  const text = `${who} decided that ${inWords(found)} ${said(found, open)}: ${together}`
  try {
    await context.commit({
      entries: change.entries,
      write: async (tx) => {
        if (alone) await assertMayTakeEffect(context, tx)
        await change.write(tx)
        await end(tx, open.id, done)
        await raiseAlert(context, tx, { kind: 'decision-done', about: open.id, text })
      },
    })
    return viewDecision(found, { ...open, ...done })
  } catch (error) {
    const { read } = context.database
    const spoken = await read.decision.findUniqueOrThrow({ where: { id: open.id } })
    // A third operator was faster, with the same or another decision.
    if (spoken.state === 'replaced') return undefined
    if (spoken.state === 'done') return viewDecision(found, spoken)
    const present = await findPayment(read, open.payment)
    if (present === undefined || present.payment.state === found.payment.state) throw error
    // The provider reported its outcome at this very moment.
    await context.commit({ write: (tx) => end(tx, open.id, { state: 'overtaken' }) })
    return viewDecision(present, { ...open, state: 'overtaken' })
  }
}

/** Describes a decision in words, for alerts that name the payment just before these words. */
export function said({ kind }: Decidable, { outcome, amount }: Pick<Decision, 'outcome' | 'amount'>): string {
  return kind.said[outcome as PaymentOutcome] + (amount === null ? '' : ` (${amount} msats)`)
}

async function end(tx: Tx, id: string, data: Partial<Decision>): Promise<void> {
  await tx.decision.update({ where: { id, state: 'proposed' }, data })
}

/** Returns a decision as operators see it. */
export function viewDecision({ kind, payment }: Decidable, decision: Decision): DecisionView {
  const amount = kind.amountIsSaid ? (decision.amount ?? undefined) : kind.particulars(payment).amount
  return {
    id: decision.id,
    kind: kind.name,
    payment: decision.payment,
    outcome: decision.outcome as PaymentOutcome,
    state: decision.state as DecisionView['state'],
    amount: amount === undefined ? undefined : msats(amount),
    proposedBy: decision.proposedBy,
    secondedBy: decision.secondedBy ?? undefined,
    dueAt: decision.dueAt ?? undefined,
  }
}
