import { type Msats, msats } from '../../lib/amount.ts'
import type { TippingContext } from '../context.ts'
import type { Tx } from '../database.ts'
import { Refusal } from '../refusal.ts'

/** Their money is reserved, and their end is not known. */
export const OPEN_STATES = ['reserved', 'sending', 'unknown', 'offered', 'claimed']

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

/** How many have not ended. */
export async function countOpenWithdrawals({ database }: Reading): Promise<number> {
  return await database.read.withdrawal.count({ where: { state: { in: OPEN_STATES } } })
}
