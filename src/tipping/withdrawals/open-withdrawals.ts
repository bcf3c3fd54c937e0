import { type Msats, msats } from '../../lib/money/amount.ts'
import type { Tx } from '../core/database.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { Uncertain, UncertainParts } from '../core/uncertain.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Prisma, Withdrawal } from '../generated/client.ts'

/** The states in which the money is reserved and the outcome is unknown. */
export const OPEN_STATES = ['reserved', 'sending', 'unknown', 'offered', 'claimed']

/** The time without an outcome after which operators are alerted and can decide. */
const ALERT_AFTER_MS = 3_600_000
/** How long a provider that doubts its clock may still reserve the sats of a code that time ended here. */
const PERHAPS_RESERVED_MS = 7 * 24 * 3_600_000
/** The states of sent withdrawals whose outcome the provider should report by their id. */
const READABLE_STATES = ['sending', 'offered', 'claimed']

/** Returns when a withdrawal should have ended: its code's expiry, or the time when it was sent. */
export function overdueSince({ expiresAt, sentAt }: Pick<Withdrawal, 'expiresAt' | 'sentAt'>): Date | null {
  return expiresAt ?? sentAt
}

/** Whether the time by which a withdrawal should have ended is long past (`now` in milliseconds since 1970). */
export function isOverdue(withdrawal: Pick<Withdrawal, 'expiresAt' | 'sentAt'>, now: number): boolean {
  const since = overdueSince(withdrawal)
  return since !== null && now - since.getTime() >= ALERT_AFTER_MS
}

/** Returns the condition for withdrawals whose outcome or fee the provider should have reported long ago. */
export function untold(now: number): Prisma.WithdrawalWhereInput {
  const lte = new Date(now - ALERT_AFTER_MS)
  const open = [{ state: { in: READABLE_STATES } }, { state: 'paid', fee: null }]
  const late = [{ expiresAt: { lte } }, { expiresAt: null, sentAt: { lte } }]
  // Separate conditions, so that an index serves each.
  return { OR: open.flatMap((each) => late.map((since) => ({ ...each, ...since }))) }
}

/** Whether the condition of `untold` includes a withdrawal that was read. */
export function isUntold(withdrawal: Withdrawal, now: number): boolean {
  return (READABLE_STATES.includes(withdrawal.state) || isUnpriced(withdrawal)) && isOverdue(withdrawal, now)
}

/** Whether a withdrawal was paid but its fee is unknown, so that the fee limit stays reserved. */
export function isUnpriced({ state, fee }: Pick<Withdrawal, 'state' | 'fee'>): boolean {
  return state === 'paid' && fee === null
}

/** Throws TippingRefusal `too-many-withdrawals` if a member has as many withdrawals under way as are permitted. */
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
 * Resolves to the sum on `held` accounts for withdrawals of one member or of all: amounts and fee limits of those under
 * way, and fee limits of paid ones whose fee is unknown.
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
 * Resolves to the sums in the wallet that withdrawals make uncertain: those on `held` accounts, and those of
 * never-shown codes that time alone ended. A provider whose clock has jumped lets nothing expire, so it reserves these
 * codes' sats until its operator has confirmed the time.
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
