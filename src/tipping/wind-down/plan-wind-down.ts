import { type Msats, msats } from '../../lib/money/amount.ts'
import type { CoreContext, ReadonlyBook } from '../core/context.ts'
import { type NextPayment, turns } from './next-payments.ts'
import { currentWindDown } from './view-wind-down.ts'
import type { PlannedPayment, WindDownPlan } from './wind-down.ts'

/** The id used without a wind-down: nothing has been tried under it, so the plan is that of a first round. */
const NONE = ''

/**
 * Returns the payment that each member would get now, and its way. Changes nothing, and sends nothing to an address or
 * wallet.
 */
export async function planWindDown(context: CoreContext): Promise<WindDownPlan> {
  const { read } = context.database
  const current = await currentWindDown(read)
  const payments: PlannedPayment[] = []
  const listed: { member: string; amount: Msats }[] = []
  for await (const page of turns(context, current?.id ?? NONE)) {
    for (const { member, balance, next } of page) {
      if (next === undefined) listed.push({ member, amount: balance })
      else payments.push(planned(member, next))
    }
  }
  const [unclaimed, pots, pools, held] = await Promise.all([
    read.tipShare.aggregate({ where: { state: 'parked' }, _sum: { amount: true } }),
    sumOf(context, 'pot'),
    sumOf(context, 'pool'),
    sumOf(context, 'held'),
  ])
  const rewards = await read.reward.aggregate({ where: { state: 'asked', source: 'pool' }, _sum: { amount: true } })
  const waiting = (unclaimed._sum.amount ?? 0n) + (rewards._sum.amount ?? 0n)
  return { payments, listed, goesBack: msats(waiting + pots), underWay: msats(held - waiting), pools: msats(pools) }
}

function planned(member: string, { route, amount, feeLimit }: NextPayment): PlannedPayment {
  const to = route.way === 'address' ? route.address : route.way === 'account' ? route.link.gamertag : undefined
  return { member, way: route.way, to, amount, feeLimit }
}

async function sumOf({ database }: ReadonlyBook, kind: string): Promise<bigint> {
  const { _sum } = await database.read.account.aggregate({ where: { kind }, _sum: { balance: true } })
  return _sum.balance ?? 0n
}
