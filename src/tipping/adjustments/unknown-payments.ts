import { msats } from '../../lib/money/amount.ts'
import type { Tx } from '../core/database.ts'
import { person } from '../engine/alerts/alerts.ts'
import type { Decisions, PaymentOutcome, UnknownPayment } from '../engine/outgoing/decisions.ts'
import type { OutgoingRow } from '../engine/outgoing/outgoing.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Decision } from '../generated/client.ts'
import { DECIDABLE_KINDS } from './decidable-kinds.ts'

/** A record of a kind that operators can decide. `ended`: its outcome, or undefined while the record is open. */
export interface Decidable {
  readonly kind: Decisions
  readonly payment: OutgoingRow
  readonly ended: PaymentOutcome | undefined
}

/** Returns the record with this id, if it is of a kind that operators can decide; otherwise undefined. */
export async function findPayment(client: Tx, id: string): Promise<Decidable | undefined> {
  for (const kind of DECIDABLE_KINDS) {
    const payment = await kind.table(client).findFirst({ where: { id } })
    if (payment !== null && kind.concerns?.(payment) !== false) return { kind, payment, ended: kind.endOf(payment) }
  }
  return undefined
}

/** Whether the record's outcome is unknown and the provider may never report it. */
export function isUnknown(context: TippingContext, { kind, payment }: Decidable): boolean {
  return kind.isUnknown(context, payment)
}

/**
 * Lists payments for operators: first those with unknown outcomes, oldest first, then decided ones, the latest decision
 * first.
 */
export async function listUnknown(context: TippingContext, limit: number): Promise<UnknownPayment[]> {
  const { read } = context.database
  const open = await openOnes(context, limit)
  const done = await read.decision.findMany({ where: { state: 'done' }, orderBy: { secondedAt: 'desc' }, take: limit })
  const decided = await Promise.all([...new Set(done.map(({ payment }) => payment))].map((id) => findPayment(read, id)))
  const found = [...open, ...decided.filter((payment) => payment !== undefined)].slice(0, limit)
  const proposals = await read.decision.findMany({
    where: { state: 'proposed', payment: { in: found.map(({ payment }) => payment.id) } },
  })
  const byPayment = new Map(proposals.map((proposal) => [proposal.payment, proposal]))
  return found.map((payment) => describe(payment, byPayment.get(payment.payment.id)))
}

async function openOnes(context: TippingContext, take: number): Promise<Decidable[]> {
  const open = await Promise.all(
    DECIDABLE_KINDS.map(async (kind) => {
      const query = { where: kind.unknown(context), orderBy: { createdAt: 'asc' }, take } as const
      const payments = await kind.table(context.database.read).findMany(query)
      return payments.map((payment) => ({ kind, payment, ended: undefined }))
    }),
  )
  return open.flat().sort((one, other) => one.payment.createdAt.getTime() - other.payment.createdAt.getTime())
}

function describe({ kind, payment, ended }: Decidable, proposal: Decision | undefined): UnknownPayment {
  const { id, member, reason } = payment
  return {
    kind: kind.name,
    id,
    member,
    ...kind.particulars(payment),
    evidence: reason ?? '',
    proposal: proposal && {
      outcome: proposal.outcome as PaymentOutcome,
      amount: proposal.amount === null ? undefined : msats(proposal.amount),
      by: proposal.proposedBy,
      reason: proposal.proposedReason,
      dueAt: proposal.dueAt ?? undefined,
    },
    decided: ended,
  }
}

/** Describes a record for alerts, with its id, amount and member. */
export function inWords({ kind, payment }: Decidable): string {
  const { amount } = kind.particulars(payment)
  return `the ${kind.noun} ${payment.id} of ${amount ?? 'unknown'} msats by ${person(payment.member)}`
}
