import { msats } from '../../lib/money/amount.ts'
import { heldOfPool, pool } from '../core/chart-of-accounts.ts'
import type { ReadonlyBook } from '../core/context.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { notCreated } from '../engine/incoming/not-created.ts'
import type { Fundraiser } from '../generated/client.ts'
import { viewBudgets } from './budgets.ts'
import type { FundraiserView, PoolView } from './pools.ts'

export async function viewPool(context: ReadonlyBook, guild: string): Promise<PoolView> {
  const [available, reserved, budgets, open] = await Promise.all([
    context.ledger.balance(pool(guild)),
    context.ledger.balance(heldOfPool(guild)),
    viewBudgets(context.database.read, guild),
    context.database.read.fundraiser.findMany({
      where: { guild, state: 'open', public: true },
      orderBy: { createdAt: 'asc' },
    }),
  ])
  return { available: msats(available), reserved: msats(reserved), budgets, open: open.map(viewFundraiser) }
}

/**
 * Returns a fundraiser's present view. Throws TippingRefusal `not-there`, or another one if the fundraiser's charge was
 * never created.
 */
export async function readFundraiserView({ database }: ReadonlyBook, id: string): Promise<FundraiserView> {
  const fundraiser = await database.read.fundraiser.findUnique({ where: { id } })
  if (fundraiser === null) throw new TippingRefusal('not-there', {})
  if (fundraiser.state === 'failed' || fundraiser.state === 'creating') throw notCreated(fundraiser.reason)
  return viewFundraiser(fundraiser)
}

export function viewFundraiser(fundraiser: Fundraiser): FundraiserView {
  const { id, card, guild, member, amount, goal, credited, given } = fundraiser
  return {
    ...{ id, card, guild, member, public: fundraiser.public },
    amount: msats(amount),
    goal: msats(goal),
    raised: raisedOf(fundraiser),
    payments: credited + Number(given / amount),
    state: fundraiser.state as FundraiserView['state'],
    request: fundraiser.request ?? '',
    endedAt: fundraiser.endedAt ?? undefined,
  }
}

/** Returns a fundraiser's total income, from outside and from balances. */
export function raisedOf({ credited, amount, given }: Pick<Fundraiser, 'credited' | 'amount' | 'given'>) {
  return msats(BigInt(credited) * amount + given)
}
