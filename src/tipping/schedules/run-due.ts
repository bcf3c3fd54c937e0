import { pool } from '../core/chart-of-accounts.ts'
import { now } from '../core/context.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { openDropFromPool } from '../drops/open-drop.ts'
import { ownerOfServer, walletThatPays } from '../engine/own-wallets/connections.ts'
import { mustKnowPayments } from '../engine/own-wallets/server-wallet.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Schedule } from '../generated/client.ts'
import { startFromPool } from '../giveaways/start-giveaway.ts'
import { letItRainFromPool } from '../rain/let-it-rain.ts'
import type { Presence } from '../rain/presence.ts'
import { neededUntil, stopSchedule } from './change-schedules.ts'
import { occurrenceAfter } from './next-occurrence.ts'
import type { ScheduleHelp } from './schedules.ts'

/** The longest delay with which a run is still posted. A later run is skipped. */
const MAX_LATE_MS = 3_600_000
/** How long in advance the owner is told that the pool is too small. */
const WARN_MS = 48 * 3_600_000
/** The minutes within which people must have been active to get a share of scheduled rain. */
const ACTIVE_MINUTES = 60
const BATCH_SIZE = 20

/**
 * Posts due runs. Each run has its own key, so that nothing is posted twice after a crash between a post and the note
 * of it. Runs that are refused, for example because the pool is too small or nobody is active, are skipped and noted.
 * If several bots share a book, only one of them posts runs.
 */
export async function runDue(context: TippingContext, presence: Presence, help: ScheduleHelp): Promise<void> {
  const { database, ownership, clockWatch } = context
  // While the clocks disagree, nothing is posted early.
  if (!ownership.has('polls') || !clockWatch.isSteady()) return
  const due = await database.read.schedule.findMany({
    where: { state: 'on', nextAt: { lte: now(context) } },
    orderBy: { nextAt: 'asc' },
    take: BATCH_SIZE,
  })
  for (const schedule of due) await run(context, presence, help, schedule)
  await warn(context)
}

async function run(context: TippingContext, presence: Presence, help: ScheduleHelp, schedule: Schedule): Promise<void> {
  const { id, guild, owner, done, times, nextAt } = schedule
  const roles = await help.moderator(guild, owner)
  if (roles === undefined) {
    await stopSchedule(context, { schedule: id, guild, member: owner }, null)
    return
  }
  const plannedMs = nextAt?.getTime() ?? 0
  const isLate = context.clock.now() - plannedMs > MAX_LATE_MS
  const trouble = isLate ? 'late' : await post(context, presence, help, schedule, roles)
  const isLast = done + 1 === times
  const next = isLast ? null : new Date(occurrenceAfter(schedule, plannedMs))
  const data = { done: done + 1, nextAt: next, state: isLast ? 'done' : 'on', trouble, card: null }
  await context.commit({ write: (tx) => tx.schedule.updateMany({ where: { id, done, state: 'on' }, data }) })
}

/** Posts a run. Resolves to the code of the refusal that prevented the post, or to null. */
async function post(
  context: TippingContext,
  presence: Presence,
  help: ScheduleHelp,
  schedule: Schedule,
  roles: readonly string[],
): Promise<string | null> {
  const { id, guild, channel, owner, what, amount, people, minutes, reason, done } = schedule
  const locale = help.localeOf(guild)
  const origin = { interaction: `schedule ${id} ${done}`, guild, channel, reply: '', locale }
  const shared = { pool: { guild, roles, reason }, origin }
  try {
    // If a wallet may pay, the book must contain its payments: this run may have been posted before a restore.
    if (what !== 'giveaway') await mustKnowPayments(context, guild)
    if (what === 'drop') {
      await openDropFromPool(context, { member: owner, amount: `${amount} msats`, shares: people, minutes, ...shared })
    } else if (what === 'giveaway') {
      const prize = `${amount / BigInt(people)} msats`
      await startFromPool(context, { member: owner, prize, winners: people, duration: `${minutes}m`, ...shared })
    } else {
      const person = (member: string) => help.person(guild, member)
      const about = { from: owner, guild, amount: `${amount} msats`, people, activeWithinMinutes: ACTIVE_MINUTES }
      await letItRainFromPool(context, presence, { ...about, person, ...shared })
    }
    return null
  } catch (error) {
    if (!(error instanceof TippingRefusal)) throw error
    return error.code
  }
}

/** Tells schedules' owners if the pool is too small for runs in the next two days. */
async function warn(context: TippingContext): Promise<void> {
  const { database, ledger, clock } = context
  const soon = await database.read.schedule.findMany({
    where: { state: 'on', card: null, nextAt: { lte: new Date(clock.now() + WARN_MS) } },
    orderBy: { nextAt: 'asc' },
    take: BATCH_SIZE,
  })
  for (const { id, guild, owner, what, done, nextAt } of soon) {
    // A wallet pays what the pool cannot. Nobody knows its balance at that time.
    if (what !== 'giveaway' && (await walletThatPays(database.read, ownerOfServer(guild)))) continue
    const needed = await neededUntil(database.read, guild, nextAt?.getTime() ?? 0)
    if ((await ledger.balance(pool(guild))) >= needed) continue
    const card = context.entropy.uuid()
    await context.commit({
      write: async (tx) => {
        const { count } = await tx.schedule.updateMany({ where: { id, done, state: 'on', card: null }, data: { card } })
        if (count === 0) return
        // An earlier card concerned an earlier run.
        const values = context.cards.values({
          id: card,
          kind: 'schedule-short',
          record: `${id} ${done}`,
          audience: { member: owner },
        })
        await tx.card.create({ data: values })
      },
    })
  }
}
