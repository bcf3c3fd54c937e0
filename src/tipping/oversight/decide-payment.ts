import { now, type TippingContext } from '../context.ts'
import type { Tx } from '../database.ts'
import type { Decision } from '../generated/client.ts'
import { Refusal } from '../refusal.ts'
import { raiseAlarm } from './alarms.ts'
import { decidedEnd } from './decided-end.ts'
import type { DecidePayment, DecisionView, PaymentOutcome } from './oversight.ts'
import { type Decidable, findPayment } from './unknown-payments.ts'

export const MAX_REASON = 300

/**
 * One operator's word, or the second one that makes it proof. Two different people must say the same; one who says
 * otherwise replaces what was said before, and it waits for a second again. Throws Refusal `payment-not-found`,
 * `payment-not-unknown`, `decision-needs-another` or `text-too-long`.
 */
export async function decidePayment(context: TippingContext, command: DecidePayment): Promise<DecisionView> {
  const reason = command.reason.trim()
  if (reason.length > MAX_REASON) throw new Refusal('text-too-long', { what: 'reason', most: MAX_REASON })
  const payment = await mayBeDecided(context, command)
  const open = await context.database.read.decision.findFirst({
    where: { payment: command.payment, state: 'proposed' },
  })
  const asked = { ...command, reason }
  if (open === null || open.outcome !== command.outcome) return await propose(context, payment, asked, open)
  if (open.proposedBy === command.operator) throw new Refusal('decision-needs-another', {})
  return await second(context, payment, asked, open)
}

/** Unknown, or decided by operators before and now to be put right. */
async function mayBeDecided(context: TippingContext, { payment: id, outcome }: DecidePayment): Promise<Decidable> {
  const { read } = context.database
  const found = await findPayment(read, id)
  if (found === undefined) throw new Refusal('payment-not-found', {})
  const wasDecided = (await read.decision.count({ where: { payment: id, state: 'done' } })) > 0
  const correctable = wasDecided && found.ended !== undefined && found.ended !== outcome
  if (found.payment.state !== 'unknown' && !correctable) throw new Refusal('payment-not-unknown', {})
  return found
}

async function propose(
  context: TippingContext,
  found: Decidable,
  { payment, outcome, operator, reason }: DecidePayment,
  replaced: Decision | null,
): Promise<DecisionView> {
  const at = now(context)
  const decision: Decision = {
    id: context.entropy.uuid(),
    kind: found.kind,
    payment,
    outcome,
    state: 'proposed',
    proposedBy: operator,
    proposedReason: reason,
    proposedAt: at,
    secondedBy: null,
    secondedReason: null,
    secondedAt: null,
  }
  const text =
    `operator ${operator} says that ${describe(found)} ${SAID[outcome]}: ${reason}. ` +
    'It needs the word of a second operator: /admin decide'
  await context.commit({
    write: async (tx) => {
      if (replaced !== null) await end(tx, replaced.id, { state: 'replaced' })
      await tx.decision.create({ data: decision })
      await raiseAlarm(context, tx, { kind: 'decision-proposed', about: decision.id, text })
    },
  })
  return view(found, decision)
}

async function second(
  context: TippingContext,
  found: Decidable,
  { operator, reason }: DecidePayment,
  open: Decision,
): Promise<DecisionView> {
  const outcome = open.outcome as PaymentOutcome
  const said = `decided by two operators: ${open.proposedReason}; ${reason}`
  const change = decidedEnd(context, found, outcome, { decision: open.id, reason: said })
  const done = { state: 'done', secondedBy: operator, secondedReason: reason, secondedAt: now(context) }
  const text = `operators ${open.proposedBy} and ${operator} have decided that ${describe(found)} ${SAID[outcome]}: ${said}`
  try {
    await context.commit({
      entries: change.entries,
      write: async (tx) => {
        await change.write(tx)
        await end(tx, open.id, done)
        await raiseAlarm(context, tx, { kind: 'decision-done', about: open.id, text })
      },
    })
    return view(found, { ...open, ...done })
  } catch (error) {
    const present = await findPayment(context.database.read, open.payment)
    if (present === undefined || present.payment.state === found.payment.state) throw error
    // The provider told its end in this very moment.
    await context.commit({ write: (tx) => end(tx, open.id, { state: 'overtaken' }) })
    return view(present, { ...open, state: 'overtaken' })
  }
}

const SAID: Readonly<Record<PaymentOutcome, string>> = { paid: 'was paid', failed: 'did not leave' }

function describe({ kind, payment }: Decidable): string {
  return `the ${kind} ${payment.id} of ${payment.amount} msats by ${payment.member}`
}

async function end(tx: Tx, id: string, data: Partial<Decision>): Promise<void> {
  await tx.decision.update({ where: { id, state: 'proposed' }, data })
}

function view({ payment }: Decidable, decision: Decision): DecisionView {
  return {
    id: decision.id,
    payment: decision.payment,
    outcome: decision.outcome as PaymentOutcome,
    state: decision.state as DecisionView['state'],
    amount: payment.amount as DecisionView['amount'],
    proposedBy: decision.proposedBy,
    secondedBy: decision.secondedBy ?? undefined,
  }
}
