import { type Msats, msats } from '../../lib/money/amount.ts'
import { pool } from '../core/chart-of-accounts.ts'
import { now, type ReadonlyBook } from '../core/context.ts'
import type { Tx } from '../core/database.ts'
import { readAmount } from '../core/read-amount.ts'
import { shown } from '../core/shown.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { logModeration } from '../engine/moderation-log/log-moderation.ts'
import { operationRow } from '../engine/once-only/once-only.ts'
import { readReason } from '../engine/spending/spend-pool.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { Schedule } from '../generated/client.ts'
import { occurrenceAfter, readZone } from './next-occurrence.ts'
import { type CreateSchedule, MAX_SCHEDULES, type ScheduleDecision, type ScheduleView } from './schedules.ts'

/**
 * Creates a schedule. Throws TippingRefusal for a wrong amount or reason, `schedule-time`, `schedule-zone` or
 * `schedule-too-many`. The schedule's zone becomes the server's zone.
 */
export async function createSchedule(context: TippingContext, command: CreateSchedule): Promise<ScheduleView> {
  const { guild, channel, member, what, people, minutes, weekday, times, interaction } = command
  const { minAmount: smallest, maxAmount: largest } = context.settings
  const amount = readAmount(command.amount, { smallest, largest, rates: context.rates })
  const reason = readReason(command.reason)
  const { hour, minute } = readTime(command.time)
  const zone = await zoneOf(context, command)
  const terms = { what, amount, people, minutes, reason, weekday, hour, minute, zone, times }
  const content = [guild, channel, member, ...Object.values(terms).map(String)]
  const id = await context.once.perform({ interaction, verb: 'schedule', content }, async (digest) => {
    const [schedule, at] = [context.entropy.uuid(), now(context)]
    const nextAt = new Date(occurrenceAfter({ weekday, hour, minute, zone }, at.getTime()))
    await context.commit({
      rows: [operationRow({ id: schedule, verb: 'schedule', record: schedule, interaction, digest, createdAt: at })],
      write: async (tx) => {
        const going = await tx.schedule.count({ where: { guild, state: 'on' } })
        if (going >= MAX_SCHEDULES) throw new TippingRefusal('schedule-too-many', { most: MAX_SCHEDULES })
        const place = { id: schedule, guild, channel, owner: member }
        await tx.schedule.create({ data: { ...place, ...terms, nextAt, state: 'on', createdAt: at } })
        await logModeration(context, tx, { guild, member, action: 'schedule', about: { schedule, ...terms } })
      },
    })
    return schedule
  })
  return await viewSchedule(context, id)
}

function readTime(text: string): { readonly hour: number; readonly minute: number } {
  const [, hour, minute] = /^\s*([01]?\d|2[0-3])[:.]([0-5]\d)\s*$/.exec(text) ?? []
  if (hour === undefined) throw new TippingRefusal('schedule-time', { text: shown(text) })
  return { hour: Number(hour), minute: Number(minute) }
}

async function zoneOf(context: TippingContext, { guild, member, zone }: CreateSchedule): Promise<string> {
  const { timeZone = 'UTC' } = await context.preferences.inForce(guild)
  if (zone === undefined) return timeZone
  const known = readZone(zone)
  if (known === undefined) throw new TippingRefusal('schedule-zone', { text: shown(zone) })
  if (known !== timeZone) await context.preferences.changeServer({ guild, member, change: { timeZone: known } })
  return known
}

/** Stops a schedule. Throws TippingRefusal `schedule-not-found`. Leaves a finished schedule as it is. */
export async function stopSchedule(
  context: TippingContext,
  { schedule: id, guild, member }: ScheduleDecision,
  stoppedBy: string | null = member,
): Promise<ScheduleView> {
  await context.commit({
    write: async (tx) => {
      const schedule = await tx.schedule.findFirst({ where: { id } })
      if (schedule === null || schedule.guild !== guild) throw new TippingRefusal('schedule-not-found', {})
      if (schedule.state !== 'on') return
      await tx.schedule.update({ where: { id }, data: { state: 'stopped', nextAt: null, stoppedBy } })
      const about = {
        schedule: id,
        ...(stoppedBy === null && { why: 'its owner is no longer allowed to spend from the pool' }),
      }
      await logModeration(context, tx, { guild, member, action: 'schedule-stopped', about })
    },
  })
  return await viewSchedule(context, id)
}

export async function viewSchedule(context: ReadonlyBook, id: string): Promise<ScheduleView> {
  const schedule = await context.database.read.schedule.findUnique({ where: { id } })
  if (schedule === null) throw new TippingRefusal('schedule-not-found', {})
  return await view(context, schedule)
}

export async function listSchedules(context: ReadonlyBook, guild: string): Promise<ScheduleView[]> {
  const found = await context.database.read.schedule.findMany({
    where: { guild },
    orderBy: { createdAt: 'desc' },
    take: 25,
  })
  return await Promise.all(found.map((schedule) => view(context, schedule)))
}

/** Returns the cost, in msats, of all runs of a server's schedules until a time. */
export async function neededUntil(client: Pick<Tx, 'schedule'>, guild: string, untilMs: number): Promise<Msats> {
  const going = await client.schedule.findMany({ where: { guild, state: 'on', nextAt: { lte: new Date(untilMs) } } })
  let sum = 0n
  for (const { amount, times, done, nextAt, ...rhythm } of going) {
    let at = nextAt?.getTime() ?? Number.POSITIVE_INFINITY
    for (let left = times - done; left > 0 && at <= untilMs; left -= 1) {
      sum += amount
      at = occurrenceAfter(rhythm, at)
    }
  }
  return msats(sum)
}

async function view(context: ReadonlyBook, schedule: Schedule): Promise<ScheduleView> {
  const { id, guild, channel, owner, people, reason, weekday, hour, minute, zone, times, done, nextAt } = schedule
  const [available, needed] = await Promise.all([
    context.ledger.balance(pool(guild)),
    nextAt === null ? 0n : neededUntil(context.database.read, guild, nextAt.getTime()),
  ])
  return {
    ...{ id, guild, channel, owner, people, reason, weekday, hour, minute, zone, times, done },
    what: schedule.what as ScheduleView['what'],
    amount: msats(schedule.amount),
    nextAt: nextAt ?? undefined,
    state: schedule.state as ScheduleView['state'],
    stoppedBy: schedule.stoppedBy ?? undefined,
    trouble: schedule.trouble ?? undefined,
    pool: { available: msats(available), needed: msats(needed) },
  }
}
