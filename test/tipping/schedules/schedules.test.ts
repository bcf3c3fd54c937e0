import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import type { ScheduleHelp, Tipping } from '../../../src/tipping/tipping.ts'
import { TippingWorld } from '../world.ts'

const guild = 'guild'
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
let world: TippingWorld

/** Opens a world at midnight on a Tuesday. The pool has 1,000 sats, and moderators may give 800 of them a month. */
beforeEach(async () => {
  world = await TippingWorld.open()
  await world.fund('giver', 1_000)
  await world.tipping.pools.give({ guild, member: 'giver', amount: 'all', origin: world.origin() })
  await world.tipping.pools.budget({ guild, member: 'owner', role: 'mods', amount: '800', period: 'month' })
})
const help: ScheduleHelp = {
  moderator: async () => ['mods'],
  person: async () => ({ accountSince: new Date(0), memberSince: new Date(0) }),
  localeOf: () => 'en',
}

type Create = Parameters<Tipping['schedules']['create']>[0]

function create(more: Partial<Create> = {}) {
  const { interaction } = world.origin()
  const terms = { amount: '100', people: 2, minutes: 30, reason: 'friday', weekday: 5, time: '18:00', times: 4 }
  const place = { guild, channel: 'channel', member: 'mod', interaction }
  return world.tipping.schedules.create({ ...place, what: 'drop', ...terms, ...more })
}

const run = (with_: Partial<ScheduleHelp> = {}) => world.run(world.tipping.schedules.runDue({ ...help, ...with_ }))
const only = async () => (await world.tipping.schedules.list(guild))[0]
const pool = async () => (await world.tipping.pools.view(guild)).available
const drops = () => world.database.read.drop.findMany({ orderBy: { createdAt: 'asc' } })

/** Moves the clock to a moment, in steps of at most a day, and runs due schedules after each step. */
async function until(at: Date | undefined): Promise<void> {
  while (at !== undefined && world.clock.now() < at.getTime()) {
    await world.leap(Math.min(at.getTime() - world.clock.now(), DAY_MS))
    await run()
  }
}

describe('a schedule', () => {
  it('posts each occurrence on time, paid by the pool, in its owner’s name, then ends', async () => {
    const made = await create({ times: 2 })
    expect(made).toMatchObject({ state: 'on', done: 0, zone: 'UTC', nextAt: new Date('2030-01-04T18:00:00Z') })
    await run()
    expect(await drops()).toEqual([])
    await until(made.nextAt)
    expect(await drops()).toMatchObject([{ member: 'mod', guild, channel: 'channel', share: 50_000n, shares: 2 }])
    expect(await only()).toMatchObject({ done: 1, nextAt: new Date('2030-01-11T18:00:00Z'), trouble: undefined })
    await until(new Date('2030-01-31T00:00:00Z'))
    expect((await drops()).map(({ createdAt }) => createdAt.toISOString().slice(0, 13))).toEqual([
      '2030-01-04T18',
      '2030-01-11T18',
    ])
    expect(await only()).toMatchObject({ state: 'done', done: 2, nextAt: undefined })
    const log = await world.database.read.moderationLogEntry.findMany({
      where: { action: { in: ['schedule', 'reward'] } },
    })
    expect(log.map(({ member, action }) => `${member} ${action}`)).toEqual(['mod schedule', 'mod reward', 'mod reward'])
  })

  it('can also post giveaways and rain', async () => {
    await create({ what: 'giveaway', weekday: null, times: 1, time: '01:00' })
    await create({ what: 'rain', weekday: null, times: 1, time: '01:00' })
    for (const member of ['dora', 'erin']) world.tipping.rain.heard(guild, member)
    await world.pass(HOUR_MS)
    for (const member of ['dora', 'erin']) world.tipping.rain.heard(guild, member)
    await run()
    expect(await world.tipping.giveaways.list({ guild, limit: 5 })).toMatchObject([{ prize: sats(50), winners: 2 }])
    expect((await world.tipping.schedules.list(guild)).map(({ trouble }) => trouble)).toEqual([undefined, undefined])
    expect(await pool()).toBe(sats(800))
  })

  it('posts an occurrence once even if the bot dies just before or after a commit', async () => {
    const { nextAt } = await create({ times: 2 })
    await until(new Date((nextAt?.getTime() ?? 0) - 1))
    await world.pass(1)
    for (const moment of ['before', 'after'] as const) {
      const died = world.dieAtCommit(1, moment)
      void world.tipping.schedules.runDue(help)
      await died
      await world.reborn()
    }
    await run()
    await Promise.all([run(), run()])
    expect(await drops()).toHaveLength(1)
    expect(await only()).toMatchObject({ done: 1 })
    expect(await pool()).toBe(sats(900))
  })

  it('posts an occurrence if it is at most an hour late, and otherwise skips it', async () => {
    const { nextAt } = await create({ times: 3 })
    await world.pass((nextAt?.getTime() ?? 0) + HOUR_MS - world.clock.now())
    await run()
    expect(await only()).toMatchObject({ done: 1, trouble: undefined })
    await world.leap(7 * DAY_MS + 1)
    await run()
    expect(await only()).toMatchObject({ done: 2, trouble: 'late', nextAt: new Date('2030-01-18T18:00:00Z') })
    expect(await drops()).toHaveLength(1)
  })

  it('skips occurrences that the pool or budget cannot pay for, says why, then resumes', async () => {
    const large = await create({ amount: '700', times: 3, time: '17:00' })
    const small = await create({ amount: '400', times: 1 })
    await until(small.nextAt)
    const view = ({ id }: { readonly id: string }) => world.tipping.schedules.view(id)
    expect(await view(large)).toMatchObject({ done: 1, state: 'on', trouble: undefined })
    expect(await view(small)).toMatchObject({ done: 1, state: 'done', trouble: 'pool-insufficient' })
    await world.fund('giver', 5_000)
    await world.tipping.pools.give({ guild, member: 'giver', amount: 'all', origin: world.origin() })
    await until((await view(large)).nextAt)
    expect(await view(large)).toMatchObject({ done: 2, trouble: 'budget-exhausted' })
    await world.tipping.pools.budget({ guild, member: 'owner', role: 'mods', amount: '5000', period: 'month' })
    await until((await view(large)).nextAt)
    expect(await view(large)).toMatchObject({ done: 3, state: 'done', trouble: undefined })
  })

  it('warns its owner once, two days before an occurrence that the pool cannot pay for', async () => {
    const { nextAt, id } = await create({ amount: '600', times: 2 })
    await create({ amount: '600', times: 1, time: '17:00' })
    const at = (nextAt?.getTime() ?? 0) - 48 * HOUR_MS
    await until(new Date(at - HOUR_MS - 1))
    const told = async () =>
      (await world.tipping.cards.pending(50))
        .filter(({ kind }) => kind === 'schedule-short')
        .map(({ record }) => record)
    expect(await told()).toEqual([])
    await until(new Date(at))
    expect(await told()).toEqual([`${id} 0`])
    await until(new Date(at + HOUR_MS))
    const cards = await world.tipping.cards.pending(50)
    const short = cards.filter(({ kind }) => kind === 'schedule-short')
    expect(short).toMatchObject([{ audience: { member: 'mod' } }])
    expect((await world.tipping.schedules.view(id)).pool).toEqual({ available: sats(1_000), needed: sats(1_200) })
  })

  it('has the time zone of the server’s first schedule if no other is chosen', async () => {
    const { zone, nextAt } = await create({ zone: 'Europe/Berlin', weekday: 5, times: 20 })
    expect([zone, nextAt]).toEqual(['Europe/Berlin', new Date('2030-01-04T17:00:00Z')])
    expect(await create({ amount: '5' })).toMatchObject({ zone: 'Europe/Berlin' })
    expect(world.tipping.preferences.ofServer(guild).timeZone).toBe('Europe/Berlin')
  })

  it('can be stopped by any moderator, and ends if its owner no longer moderates', async () => {
    const { id, nextAt } = await create()
    expect(await world.tipping.schedules.stop({ schedule: id, guild, member: 'second' })).toMatchObject({
      ...{ state: 'stopped', stoppedBy: 'second', nextAt: undefined },
    })
    const other = await create()
    await world.pass((nextAt?.getTime() ?? 0) - world.clock.now())
    await run({ moderator: async () => undefined })
    expect(await world.tipping.schedules.view(other.id)).toMatchObject({
      state: 'stopped',
      stoppedBy: undefined,
      done: 0,
    })
    expect(await drops()).toEqual([])
    const elsewhere = { schedule: id, guild: 'elsewhere', member: 'mod' }
    await expect(world.tipping.schedules.stop(elsewhere)).rejects.toMatchObject({ code: 'schedule-not-found' })
  })

  it('does not post early if the clock is set ahead', async () => {
    const { nextAt } = await create()
    world.clock.jump((nextAt?.getTime() ?? 0) - world.clock.now() + 1_000)
    await run()
    expect(await drops()).toEqual([])
    world.clock.jump(-((nextAt?.getTime() ?? 0) - Date.UTC(2030, 0, 1) + 1_000))
  })

  it('is refused with invalid terms', async () => {
    const wrong: [string, Partial<Create>, string][] = [
      ['no time of a day', { time: '25:00' }, 'schedule-time'],
      ['a word for a time', { time: 'noon' }, 'schedule-time'],
      ['no zone', { zone: 'Mars/Olympus' }, 'schedule-zone'],
      ['no reason', { reason: ' ' }, 'reason-missing'],
      ['nothing to give', { amount: '0' }, 'amount-zero'],
    ]
    for (const [what, more, code] of wrong) {
      await expect(create(more), what).rejects.toMatchObject({ code })
      expect(await world.tipping.schedules.list(guild), what).toEqual([])
    }
  })

  it('is created once for each command, and is refused if ten are already in force', async () => {
    const both = await Promise.all([create({ interaction: 'same' }), create({ interaction: 'same' })])
    expect(both[0].id).toBe(both[1].id)
    for (let n = 1; n < 10; n += 1) await create()
    await expect(create()).rejects.toMatchObject({ code: 'schedule-too-many' })
  })
})
