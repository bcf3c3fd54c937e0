import { msats } from '../../lib/amount.ts'
import type { TippingContext } from '../context.ts'
import type { Tx } from '../database.ts'
import type { Decision, Payout, Withdrawal } from '../generated/client.ts'
import type { PaymentOutcome, UnknownPayment } from './oversight.ts'

type Reader = Pick<Tx, 'payout' | 'withdrawal' | 'decision'>

/** A payment that operators may decide, of either kind. */
export type Decidable =
  | { readonly kind: 'payout'; readonly payment: Payout; readonly ended: PaymentOutcome | undefined }
  | { readonly kind: 'withdrawal'; readonly payment: Withdrawal; readonly ended: PaymentOutcome | undefined }

/** A payout or a withdrawal, with how it has ended; undefined when there is none with this id. */
export async function findPayment(client: Reader, id: string): Promise<Decidable | undefined> {
  const payout = await client.payout.findUnique({ where: { id } })
  if (payout !== null) return { kind: 'payout', payment: payout, ended: ENDS[payout.state] }
  const withdrawal = await client.withdrawal.findUnique({ where: { id } })
  if (withdrawal === null) return undefined
  return { kind: 'withdrawal', payment: withdrawal, ended: ENDS[withdrawal.state] }
}

const ENDS: Readonly<Record<string, PaymentOutcome | undefined>> = { paid: 'paid', kept: 'failed', returned: 'failed' }

/** What operators look at: the unknown ones, and after them those that were decided, the oldest first. */
export async function listUnknown(context: TippingContext, limit: number): Promise<UnknownPayment[]> {
  const { read } = context.database
  const query = { where: { state: 'unknown' }, orderBy: { createdAt: 'asc' }, take: limit } as const
  const [payouts, withdrawals] = await Promise.all([read.payout.findMany(query), read.withdrawal.findMany(query)])
  const open: Decidable[] = [
    ...payouts.map((payment) => ({ kind: 'payout' as const, payment, ended: undefined })),
    ...withdrawals.map((payment) => ({ kind: 'withdrawal' as const, payment, ended: undefined })),
  ]
  open.sort((one, other) => one.payment.createdAt.getTime() - other.payment.createdAt.getTime())
  const done = await read.decision.findMany({ where: { state: 'done' }, orderBy: { secondedAt: 'desc' }, take: limit })
  const decided = await Promise.all([...new Set(done.map(({ payment }) => payment))].map((id) => findPayment(read, id)))
  const found = [...open, ...decided.filter((payment) => payment !== undefined)].slice(0, limit)
  const proposals = await read.decision.findMany({
    where: { state: 'proposed', payment: { in: found.map(({ payment }) => payment.id) } },
  })
  const byPayment = new Map(proposals.map((proposal) => [proposal.payment, proposal]))
  return found.map((payment) => describe(payment, byPayment.get(payment.payment.id)))
}

function describe({ kind, payment, ended }: Decidable, proposal: Decision | undefined): UnknownPayment {
  const { id, member, amount, reason, sentAt, createdAt } = payment
  return {
    kind,
    id,
    member,
    amount: msats(amount),
    to: kind === 'payout' ? payment.lightningId : (payment.destination ?? payment.invoice ?? payment.remoteId ?? ''),
    since: sentAt ?? createdAt,
    evidence: reason ?? '',
    remoteId: (kind === 'payout' ? payment.transactionId : payment.remoteId) ?? undefined,
    proposal: proposal && {
      outcome: proposal.outcome as PaymentOutcome,
      by: proposal.proposedBy,
      reason: proposal.proposedReason,
    },
    decided: ended,
  }
}
