import { floorToSat, type Msats } from '../../lib/money/amount.ts'
import type { Asking } from '../interactions/command.ts'
import { noBudget, toRaiseBudget } from '../refusals/budget-remedies.ts'

/**
 * Finds obstacles to a moderator's planned payment from the pool, each with its remedy: the moderator's roles have no
 * budget, or only one that is too small, or the pool has too little. Returns none if the payment could be made now.
 */
export async function shortfalls(
  { guild, caller, tipping, t }: Pick<Asking, 'guild' | 'caller' | 'tipping' | 't'>,
  amount: Msats,
): Promise<string[]> {
  if (guild === null) return []
  const { budgets, available } = await tipping.pools.view(guild)
  const own = budgets.filter(({ role }) => isOwn(role, { guild, caller }))
  const largest = own.reduce((most, { amount }) => (amount > most ? amount : most), 0n as Msats)
  return [
    own.length === 0 ? `⚠️ ${noBudget(caller, t)}` : '',
    own.length > 0 && largest < amount
      ? t('spending.smallBudget', { amount, largest, raise: toRaiseBudget(caller, t) })
      : '',
    available < amount
      ? `⚠️ ${t('refusals.pool-insufficient', { balance: floorToSat(available), needed: amount })}`
      : '',
  ].filter((line) => line !== '')
}

/** Whether the person who uses the command has a role. The role with the server's own id belongs to everybody. */
export function isOwn(role: string, { guild, caller }: Pick<Asking, 'guild' | 'caller'>): boolean {
  return role === guild || caller.roles.includes(role)
}
