import { MAX_MSATS, type Msats, msats } from '../../lib/money/amount.ts'
import { now } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { readAmount } from '../core/read-amount.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { person, raiseAlert } from '../engine/alerts/alerts.ts'
import type { PaymentOutcome } from '../engine/outgoing/decisions.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Decision } from '../generated/client.ts'
import type { DecidePayment, DecisionView } from './adjustments.ts'
import { decidedEnd } from './decided-end.ts'
import { type Decidable, findPayment, inWords, isUnknown } from './unknown-payments.ts'

export const MAX_DECISION_REASON = 300

/** A decision with what it says read and checked. */
interface OperatorDecision {
  readonly outcome: PaymentOutcome
  /** What came with a redeemed code. */
  readonly amount: Msats | null
  readonly operator: string
  readonly reason: string
}

/**
 * One operator's word, or the second one that makes it proof. Two different people must say the same; one who says
 * otherwise replaces what was said before, and it waits for a second again. Throws TippingRefusal `payment-not-found`,
 * `payment-not-unknown`, `decision-needs-another`, `decision-needs-amount` or `text-too-long`, and those of amounts.
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
  // Where another operator spoke in this very moment, it is judged again beside what that one said.
  const again = () => decidePayment(context, command)
  if (open === null || !same) {
    return (await propose(context, payment, word, open)) ?? (await again())
  }
  if (open.proposedBy === operator) throw new TippingRefusal('decision-needs-another', {})
  return (await second(context, payment, word, open)) ?? (await again())
}

/** Unknown, or decided by operators before and now to be put right. */
async function mayBeDecided(context: TippingContext, { payment: id, outcome }: DecidePayment): Promise<Decidable> {
  const { read } = context.database
  const found = await findPayment(read, id)
  if (found === undefined) throw new TippingRefusal('payment-not-found', {})
  const wasDecided = (await read.decision.count({ where: { payment: id, state: 'done' } })) > 0
  const correctable = wasDecided && found.ended !== undefined && found.ended !== outcome
  // Of what was paid only the fee can still be decided.
  const isPaid = found.kind.isPaidForCertain?.(found.payment) === true
  if ((!isUnknown(context, found) && !correctable) || (isPaid && outcome === 'failed'))
    throw new TippingRefusal('payment-not-unknown', {})
  return found
}

/** Only what came with a code has to be said; of everything else the record knows it. */
function amountOf({ rates }: TippingContext, { kind }: Decidable, { outcome, amount }: DecidePayment): Msats | null {
  if (!kind.amountIsSaid || outcome !== 'paid') return null
  if (amount === undefined || amount.trim() === '') throw new TippingRefusal('decision-needs-amount', {})
  return readAmount(amount, { smallest: msats(1n), largest: MAX_MSATS, rates })
}

/** Undefined where the word that it is to replace, or that there is none, is no longer so. */
async function propose(
  context: TippingContext,
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
  }
  const text =
    `${person(operator)} says that ${inWords(found)} ${said(found, decision)}: ${reason}. ` +
    'It needs the confirmation of a second operator: /admin decide'
  const isSaid = await context.commit({
    write: async (tx) => {
      const open = await tx.decision.findFirst({ where: { payment: decision.payment, state: 'proposed' } })
      if (open?.id !== replaced?.id) return false
      if (replaced !== null) await end(tx, replaced.id, { state: 'replaced' })
      await tx.decision.create({ data: decision })
      await raiseAlert(context, tx, { kind: 'decision-proposed', about: decision.id, text })
      return true
    },
  })
  return isSaid ? view(found, decision) : undefined
}

/** Undefined where the word that it confirms was replaced. */
async function second(
  context: TippingContext,
  found: Decidable,
  { operator, reason }: OperatorDecision,
  open: Decision,
): Promise<DecisionView | undefined> {
  const together = `decided by two operators: ${open.proposedReason}; ${reason}`
  const change = await decidedEnd(context, found, open, together)
  const done = { state: 'done', secondedBy: operator, secondedReason: reason, secondedAt: now(context) }
  const who = `${person(open.proposedBy)} and ${person(operator)}`
  const text = `${who} have decided that ${inWords(found)} ${said(found, open)}: ${together}`
  try {
    await context.commit({
      entries: change.entries,
      write: async (tx) => {
        await change.write(tx)
        await end(tx, open.id, done)
        await raiseAlert(context, tx, { kind: 'decision-done', about: open.id, text })
      },
    })
    return view(found, { ...open, ...done })
  } catch (error) {
    const { read } = context.database
    const spoken = await read.decision.findUniqueOrThrow({ where: { id: open.id } })
    // A third operator was quicker, and said otherwise or the same.
    if (spoken.state === 'replaced') return undefined
    if (spoken.state === 'done') return view(found, spoken)
    const present = await findPayment(read, open.payment)
    if (present === undefined || present.payment.state === found.payment.state) throw error
    // The provider told its end in this very moment.
    await context.commit({ write: (tx) => end(tx, open.id, { state: 'overtaken' }) })
    return view(present, { ...open, state: 'overtaken' })
  }
}

function said({ kind }: Decidable, { outcome, amount }: Pick<Decision, 'outcome' | 'amount'>): string {
  return kind.said[outcome as PaymentOutcome] + (amount === null ? '' : ` (${amount} msats)`)
}

async function end(tx: Tx, id: string, data: Partial<Decision>): Promise<void> {
  await tx.decision.update({ where: { id, state: 'proposed' }, data })
}

function view({ kind, payment }: Decidable, decision: Decision): DecisionView {
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
  }
}
