import { type Msats, msats } from '../../lib/money/amount.ts'
import { budgetTime, ruleBudget } from '../core/budgets.ts'
import { heldOfPool, pool } from '../core/chart-of-accounts.ts'
import type { ReadonlyBook } from '../core/context.ts'
import type { SpendingKind } from '../engine/spending/spending.ts'
import { viewBudgets } from '../pools/budgets.ts'
import type { BudgetView } from '../pools/pools.ts'
import type { RecipeName } from '../rules/recipes.ts'
import type { Scheduled } from '../schedules/schedules.ts'

/** The most lines of each list that are shown for one server. */
const MOST = 25
/** The prefixes of a server's id in the owner of a held account and in the owner of a wallet connection. */
const [POOL, SERVER] = ['pool:', 'server:'] as const

/** A server's pool, rules and schedules, as operators see them. Only the server's moderators decide about them. */
export interface PoolOverview {
  readonly guild: string
  readonly available: Msats
  /** The sum of rewards that wait for a second moderator, or for a newcomer. */
  readonly reserved: Msats
  /** Whether the server has connected its own wallet, which pays before the pool. */
  readonly hasWallet: boolean
  readonly budgets: readonly BudgetView[]
  /** Rewards that wait for a second moderator, oldest first, at most 25. */
  readonly awaited: readonly AwaitedLine[]
  /** The number of all rewards that wait for a second moderator. */
  readonly awaitedCount: number
  /** Rules that are switched on or on trial, newest first, at most 25. */
  readonly rules: readonly RuleLine[]
  /** Active schedules, the next one first, at most 25. */
  readonly schedules: readonly ScheduleLine[]
  /** The number of stopped rules and schedules. */
  readonly stopped: number
}

export interface AwaitedLine {
  readonly id: string
  readonly kind: SpendingKind
  readonly requester: string
  readonly amount: Msats
  readonly reason: string
  readonly since: Date
}

export interface RuleLine {
  readonly recipe: RecipeName
  readonly owner: string
  readonly amount: Msats
  /** The monthly budget, and (`spent`) the part of it that was spent this month. */
  readonly budget: Msats
  readonly spent: Msats
  readonly state: 'trial' | 'on'
  /** The refusal of the rule's last payment; undefined if that payment was not refused. */
  readonly trouble: string | undefined
}

export interface ScheduleLine {
  readonly what: Scheduled
  readonly owner: string
  readonly amount: Msats
  readonly done: number
  readonly times: number
  readonly nextAt: Date | undefined
  /** The reason why the last occurrence was skipped; undefined if it was not. */
  readonly trouble: string | undefined
}

/**
 * Returns at most `limit` servers that have sats in a pool, a connected wallet, or active rules or schedules. Those
 * with reserved sums come first, then those with the most sats.
 */
export async function overviewOfPools(context: ReadonlyBook, limit: number): Promise<PoolOverview[]> {
  const { read } = context.database
  const accounts = { orderBy: { balance: 'desc' }, take: limit, select: { owner: true } } as const
  const hasSats = { balance: { gt: 0n } }
  const [aside, full, wallets, rules, schedules] = await Promise.all([
    read.account.findMany({ ...accounts, where: { kind: 'held', owner: { startsWith: POOL }, ...hasSats } }),
    read.account.findMany({ ...accounts, where: { kind: 'pool', ...hasSats } }),
    read.walletConnection.findMany({ where: { member: { startsWith: SERVER } }, take: limit }),
    read.rule.findMany({ where: { state: { not: 'stopped' } }, distinct: ['guild'], take: limit }),
    read.schedule.findMany({ where: { state: 'on' }, distinct: ['guild'], take: limit }),
  ])
  const guilds = [
    ...aside.map(({ owner }) => owner.slice(POOL.length)),
    ...full.map(({ owner }) => owner),
    ...wallets.map(({ member }) => member.slice(SERVER.length)),
    ...[...rules, ...schedules].map(({ guild }) => guild),
  ]
  const first = [...new Set(guilds)].slice(0, limit)
  return await Promise.all(first.map((guild) => overviewOf(context, guild)))
}

async function overviewOf(context: ReadonlyBook, guild: string): Promise<PoolOverview> {
  const { ledger, database } = context
  const { read } = database
  const stopped = { where: { guild, state: 'stopped' } }
  const [available, reserved, wallet, budgets, rules, schedules, stoppedRules, stoppedSchedules] = await Promise.all([
    ledger.balance(pool(guild)),
    ledger.balance(heldOfPool(guild)),
    read.walletConnection.count({ where: { member: SERVER + guild } }),
    viewBudgets(read, guild),
    rulesOf(context, guild),
    read.schedule.findMany({ where: { guild, state: 'on' }, orderBy: { nextAt: 'asc' }, take: MOST }),
    read.rule.count(stopped),
    read.schedule.count(stopped),
  ])
  const mayWait = reserved > 0n || wallet > 0
  return {
    ...{ guild, budgets, rules, hasWallet: wallet > 0, stopped: stoppedRules + stoppedSchedules },
    ...(mayWait ? await awaitedOf(context, guild) : { awaited: [], awaitedCount: 0 }),
    available: msats(available),
    reserved: msats(reserved),
    schedules: schedules.map(({ what, owner, amount, done, times, nextAt, trouble }) => ({
      ...{ owner, done, times },
      what: what as Scheduled,
      amount: msats(amount),
      nextAt: nextAt ?? undefined,
      trouble: trouble ?? undefined,
    })),
  }
}

async function awaitedOf({ database }: ReadonlyBook, guild: string) {
  const where = { guild, state: 'asked' }
  const [awaited, awaitedCount] = await Promise.all([
    database.read.reward.findMany({ where, orderBy: { createdAt: 'asc' }, take: MOST }),
    database.read.reward.count({ where }),
  ])
  const lines = awaited.map(({ id, kind, requester, amount, reason, createdAt }) => ({
    ...{ id, requester, reason, since: createdAt },
    kind: kind as SpendingKind,
    amount: msats(amount),
  }))
  return { awaited: lines, awaitedCount }
}

async function rulesOf(context: ReadonlyBook, guild: string): Promise<RuleLine[]> {
  const { read } = context.database
  const where = { guild, state: { not: 'stopped' } }
  const rules = await read.rule.findMany({ where, orderBy: { createdAt: 'desc' }, take: MOST })
  const at = budgetTime(context)
  const keys = rules.map(({ id }) => ruleBudget(id, at))
  const uses = await read.usage.findMany({
    where: { key: { in: keys.map(({ budgetKey }) => budgetKey) }, day: { in: keys.map(({ budgetDay }) => budgetDay) } },
  })
  return rules.map(({ id, recipe, owner, amount, budget, state, trouble }) => ({
    ...{ owner, recipe: recipe as RecipeName, state: state as RuleLine['state'], trouble: trouble ?? undefined },
    amount: msats(amount),
    budget: msats(budget),
    spent: msats(uses.find(({ key }) => key === ruleBudget(id, at).budgetKey)?.used ?? 0n),
  }))
}
