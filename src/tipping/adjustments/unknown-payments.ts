import { msats } from '../../lib/money/amount.ts'
import type { DecidableKind, PaymentOutcome, UnknownPayment } from '../administration/administration.ts'
import { atPresentProvider, isPresent } from '../alerts/present-provider.ts'
import type { TippingContext } from '../context.ts'
import type { Tx } from '../database.ts'
import type { Decision, Payout, Prisma, Redemption, Voucher, Withdrawal } from '../generated/client.ts'
import { isUnpriced, isUntold, untold } from '../withdrawals/open-withdrawals.ts'

type Reader = Pick<Tx, 'payout' | 'withdrawal' | 'voucher' | 'redemption'>

/** Something that operators may decide, with how it has ended; open while that is undefined. */
export type Decidable = { readonly ended: PaymentOutcome | undefined } & (
  | { readonly kind: 'payout'; readonly payment: Payout }
  | { readonly kind: 'withdrawal'; readonly payment: Withdrawal }
  | { readonly kind: 'voucher' | 'revocation'; readonly payment: Voucher }
  | { readonly kind: 'redemption'; readonly payment: Redemption }
)

/** Whatever has this id and could be decided, or was; undefined when there is none. */
export async function findPayment(client: Reader, id: string): Promise<Decidable | undefined> {
  const payout = await client.payout.findUnique({ where: { id } })
  if (payout !== null) return { kind: 'payout', payment: payout, ended: ENDS[payout.state] }
  const withdrawal = await client.withdrawal.findUnique({ where: { id } })
  if (withdrawal !== null) {
    const ended = isUnpriced(withdrawal) ? undefined : ENDS[withdrawal.state]
    return { kind: 'withdrawal', payment: withdrawal, ended }
  }
  const voucher = await client.voucher.findUnique({ where: { id } })
  if (voucher !== null) {
    const kind = ['live', 'redeemed', 'revoked'].includes(voucher.state) ? 'revocation' : 'voucher'
    // What a voucher that failed has cost is what a lost code did.
    const lost = voucher.state === 'failed' && voucher.fee !== null
    return { kind, payment: voucher, ended: lost ? 'paid' : ENDS[voucher.state] }
  }
  const redemption = await client.redemption.findUnique({ where: { id } })
  return redemption === null ? undefined : { kind: 'redemption', payment: redemption, ended: ENDS[redemption.state] }
}

const ENDS: Readonly<Record<string, PaymentOutcome | undefined>> = {
  paid: 'paid',
  redeemed: 'paid',
  kept: 'failed',
  returned: 'failed',
  revoked: 'failed',
  failed: 'failed',
}

/** Whether nobody knows the end of it and the provider may never tell. */
export function isUnknown(context: TippingContext, { kind, payment }: Decidable): boolean {
  if (kind === 'withdrawal' && isUntold(payment, context.clock.now())) return true
  if (kind !== 'revocation') return payment.state === 'unknown'
  return payment.state === 'live' && (payment.revoking || !isPresent(context, payment.provider))
}

/** What operators look at: the unknown ones, and after them those that were decided, the oldest first. */
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

async function openOnes(context: TippingContext, limit: number): Promise<Decidable[]> {
  const { read } = context.database
  const query = { where: { state: 'unknown' }, orderBy: { createdAt: 'asc' }, take: limit } as const
  const stuck = {
    state: 'live',
    OR: [{ revoking: true }, { NOT: { provider: atPresentProvider(context) } }],
  } satisfies Prisma.VoucherWhereInput
  const [payouts, withdrawals, vouchers, revocations, redemptions] = await Promise.all([
    read.payout.findMany(query),
    read.withdrawal.findMany({ ...query, where: { OR: [query.where, untold(context.clock.now())] } }),
    read.voucher.findMany(query),
    read.voucher.findMany({ ...query, where: stuck }),
    read.redemption.findMany(query),
  ])
  const open: Decidable[] = [
    ...payouts.map((payment) => ({ kind: 'payout' as const, payment, ended: undefined })),
    ...withdrawals.map((payment) => ({ kind: 'withdrawal' as const, payment, ended: undefined })),
    ...vouchers.map((payment) => ({ kind: 'voucher' as const, payment, ended: undefined })),
    ...revocations.map((payment) => ({ kind: 'revocation' as const, payment, ended: undefined })),
    ...redemptions.map((payment) => ({ kind: 'redemption' as const, payment, ended: undefined })),
  ]
  return open.sort((one, other) => one.payment.createdAt.getTime() - other.payment.createdAt.getTime())
}

function describe(decidable: Decidable, proposal: Decision | undefined): UnknownPayment {
  const { id, member, reason } = decidable.payment
  return {
    kind: decidable.kind,
    id,
    member,
    ...particulars(decidable),
    evidence: reason ?? '',
    proposal: proposal && {
      outcome: proposal.outcome as PaymentOutcome,
      amount: proposal.amount === null ? undefined : msats(proposal.amount),
      by: proposal.proposedBy,
      reason: proposal.proposedReason,
    },
    decided: decidable.ended,
  }
}

/** A voucher's code is never among them: whoever reads it could redeem it. */
function particulars(decidable: Decidable): Pick<UnknownPayment, 'amount' | 'to' | 'since' | 'remoteId'> {
  switch (decidable.kind) {
    case 'payout': {
      const { amount, lightningId: to, sentAt, createdAt, transactionId } = decidable.payment
      return { amount: msats(amount), to, since: sentAt ?? createdAt, remoteId: transactionId ?? undefined }
    }
    case 'withdrawal': {
      const { amount, destination, invoice, sentAt, createdAt, remoteId } = decidable.payment
      const to = destination ?? invoice ?? remoteId ?? ''
      return { amount: msats(amount), to, since: sentAt ?? createdAt, remoteId: remoteId ?? undefined }
    }
    case 'redemption': {
      const { amount, createdAt } = decidable.payment
      return { amount: amount === null ? undefined : msats(amount), to: '', since: createdAt, remoteId: undefined }
    }
    default: {
      const { amount, revokeAskedAt, sentAt, createdAt, voucherId } = decidable.payment
      const since = revokeAskedAt ?? sentAt ?? createdAt
      return { amount: msats(amount), to: '', since, remoteId: voucherId ?? undefined }
    }
  }
}

/** Every kind in words, for alerts: all of the values. */
export function inWords({ kind, payment }: Decidable): string {
  const NOUNS = { payout: 'payout', withdrawal: 'withdrawal', redemption: 'redemption of a code' } as const
  const noun = kind === 'voucher' ? 'creation of the voucher' : kind === 'revocation' ? 'voucher' : NOUNS[kind]
  return `the ${noun} ${payment.id} of ${payment.amount ?? 'unknown'} msats by ${payment.member}`
}

/** An outcome in words, for alerts. */
export const SAID: Readonly<Record<DecidableKind, Readonly<Record<PaymentOutcome, string>>>> = {
  payout: { paid: 'was paid', failed: 'did not leave' },
  withdrawal: { paid: 'was paid', failed: 'did not leave' },
  voucher: { paid: 'made a code that nobody here knows', failed: 'made no code' },
  revocation: { paid: 'was redeemed by somebody', failed: 'was taken back' },
  redemption: { paid: 'brought its sats', failed: 'brought nothing' },
}
