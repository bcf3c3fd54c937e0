import { type Msats, msats } from '../../lib/money/amount.ts'
import type { Tx } from '../core/database.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { Uncertain, UncertainParts } from '../core/uncertain.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Prisma, Withdrawal } from '../generated/client.ts'

/** Their money is reserved, and their end is not known. */
export const OPEN_STATES = ['reserved', 'sending', 'unknown', 'offered', 'claimed']

/** After this time without an end, operators are told, and may decide. */
const ALERT_AFTER_MS = 3_600_000
/** For as long, a provider that doubts its clock may still have reserved what a code costs that ended by time here. */
const PERHAPS_RESERVED_MS = 7 * 24 * 3_600_000
/** Sent, and by its id the provider should have told its end. */
const READABLE_STATES = ['sending', 'offered', 'claimed']

/** Since when a withdrawal should have ended: its code's expiry, or its sending. */
export function overdueSince({ expiresAt, sentAt }: Pick<Withdrawal, 'expiresAt' | 'sentAt'>): Date | null {
  return expiresAt ?? sentAt
}

/** Whether a withdrawal should have ended long ago (`now` in milliseconds since 1970), and has not. */
export function isOverdue(withdrawal: Pick<Withdrawal, 'expiresAt' | 'sentAt'>, now: number): boolean {
  const since = overdueSince(withdrawal)
  return since !== null && now - since.getTime() >= ALERT_AFTER_MS
}

/** The withdrawals whose end or fee the provider should have reported long ago. */
export function untold(now: number): Prisma.WithdrawalWhereInput {
  const lte = new Date(now - ALERT_AFTER_MS)
  const open = [{ state: { in: READABLE_STATES } }, { state: 'paid', fee: null }]
  const late = [{ expiresAt: { lte } }, { expiresAt: null, sentAt: { lte } }]
  // One beside the other, so that an index finds each.
  return { OR: open.flatMap((each) => late.map((since) => ({ ...each, ...since }))) }
}

/** The same of one that was read. */
export function isUntold(withdrawal: Withdrawal, now: number): boolean {
  return (READABLE_STATES.includes(withdrawal.state) || isUnpriced(withdrawal)) && isOverdue(withdrawal, now)
}

/** Whether it was paid, and its fee is not known: the fee limit stays reserved. */
export function isUnpriced({ state, fee }: Pick<Withdrawal, 'state' | 'fee'>): boolean {
  return state === 'paid' && fee === null
}

/** Throws TippingRefusal `too-many-withdrawals` when a member has as many on their way as there may be. */
export async function mustHaveRoom(
  { settings }: Pick<TippingContext, 'settings'>,
  client: Pick<Tx, 'withdrawal'>,
  member: string,
): Promise<void> {
  const open = await client.withdrawal.count({ where: { member, pool: null, state: { in: OPEN_STATES } } })
  const most = settings.maxOpenWithdrawals
  if (open >= most) throw new TippingRefusal('too-many-withdrawals', { most })
}

/**
 * Sums that withdrawals keep on `held` accounts, of one member's balance or of all: amounts and fee limits that have
 * not ended.
 */
export async function heldByWithdrawals(client: Pick<Tx, 'withdrawal'>, member?: string): Promise<Msats> {
  const whose = member === undefined ? {} : { member, pool: null }
  const [open, unpriced] = await Promise.all([
    client.withdrawal.aggregate({
      where: { ...whose, state: { in: OPEN_STATES } },
      _sum: { amount: true, feeLimit: true },
    }),
    client.withdrawal.aggregate({ where: { ...whose, state: 'paid', fee: null }, _sum: { feeLimit: true } }),
  ])
  return msats((open._sum.amount ?? 0n) + (open._sum.feeLimit ?? 0n) + (unpriced._sum.feeLimit ?? 0n))
}

/**
 * Sums in the wallet that withdrawals leave uncertain: those on `held` accounts, and codes that nobody was shown. Time
 * alone ended those. A provider whose clock has jumped expires nothing, so it keeps their sats until its operator has
 * confirmed the time.
 */
export async function uncertainByWithdrawals({ database: { read }, clock }: UncertainParts): Promise<Uncertain> {
  const endedAt = { gt: new Date(clock.now() - PERHAPS_RESERVED_MS) }
  const [onHold, open, { _sum }] = await Promise.all([
    heldByWithdrawals(read),
    read.withdrawal.count({ where: { state: { in: OPEN_STATES } } }),
    read.withdrawal.aggregate({
      where: { state: 'returned', because: 'never-shown', endedAt },
      _sum: { amount: true, feeLimit: true },
    }),
  ])
  return { mayHaveLeft: onHold + (_sum.amount ?? 0n) + (_sum.feeLimit ?? 0n), open }
}
