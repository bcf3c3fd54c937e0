import { type Msats, msats } from '../../lib/amount.ts'
import type { TippingContext } from '../context.ts'
import type { Tx } from '../database.ts'
import { Refusal } from '../refusal.ts'

/** Their money is reserved, and their end is not known. */
export const OPEN_STATES = ['reserved', 'sending', 'unknown', 'offered', 'claimed']
/** Of these something may have left. */
const SENT_STATES = ['sending', 'unknown', 'offered', 'claimed']

interface Reading {
  readonly database: { readonly read: Pick<Tx, 'withdrawal'> }
}

/** Throws Refusal `too-many-withdrawals` when a member has as many on their way as there may be. */
export async function mustHaveRoom(
  { settings }: Pick<TippingContext, 'settings'>,
  client: Pick<Tx, 'withdrawal'>,
  member: string,
): Promise<void> {
  const open = await client.withdrawal.count({ where: { member, state: { in: OPEN_STATES } } })
  const most = settings.maxOpenWithdrawals
  if (open >= most) throw new Refusal('too-many-withdrawals', { most })
}

/** What withdrawals keep on `held` accounts, of one member or of all: amounts and fee limits that have not ended. */
export async function heldByWithdrawals(client: Pick<Tx, 'withdrawal'>, member?: string): Promise<Msats> {
  const whose = member === undefined ? {} : { member }
  const [open, unpriced] = await Promise.all([
    client.withdrawal.aggregate({
      where: { ...whose, state: { in: OPEN_STATES } },
      _sum: { amount: true, feeLimit: true },
    }),
    client.withdrawal.aggregate({ where: { ...whose, state: 'paid', fee: null }, _sum: { feeLimit: true } }),
  ])
  return msats((open._sum.amount ?? 0n) + (open._sum.feeLimit ?? 0n) + (unpriced._sum.feeLimit ?? 0n))
}

/** A withdrawal of which something may have left, with what it holds. */
export interface Outstanding {
  readonly id: string
  readonly held: bigint
}

/**
 * The withdrawals of which something may have left, for the cover formula. The provider keeps amount and fee back while
 * they last, and gives back what failed before we know it: so an audit asks before and after it reads the wallet, and
 * counts whatever was outstanding at either time.
 */
export async function outstandingWithdrawals({ database }: Reading): Promise<Outstanding[]> {
  const found = await database.read.withdrawal.findMany({
    where: { OR: [{ state: { in: SENT_STATES } }, { state: 'paid', fee: null }] },
    select: { id: true, state: true, amount: true, feeLimit: true },
  })
  return found.map(({ id, state, amount, feeLimit }) => ({
    id,
    held: state === 'paid' ? feeLimit : amount + feeLimit,
  }))
}

/** What may have left of the withdrawals that were outstanding at either time, in msats. */
export function mayHaveLeftOf(before: readonly Outstanding[], after: readonly Outstanding[]): bigint {
  const held = new Map([...after, ...before].map((each) => [each.id, each.held]))
  return [...held.values()].reduce((sum, each) => sum + each, 0n)
}

/** How many have not ended. */
export async function countOpenWithdrawals({ database }: Reading): Promise<number> {
  return await database.read.withdrawal.count({ where: { state: { in: OPEN_STATES } } })
}
