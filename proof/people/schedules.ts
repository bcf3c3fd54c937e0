import { type RecapView, SCHEDULED, type ScheduleHelp } from '../../src/tipping/tipping.ts'
import { clockIn, type ToldRecap } from '../judge/schedules.ts'
import { turns } from '../world/wait-until-idle.ts'
import type { SimWorld } from '../world/world.ts'
import type { Actor, Stage } from './people.ts'
import { MINUTES, noteGiven, noteReward, person, SHARES } from './pool-gifts.ts'

const GUILD = 'guild'
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'] as const
const MINUTE_MS = 60_000

/** Moderators who schedule gifts from the pool, end schedules, and request recaps of a week or month. */
export const schedules: Actor = {
  name: 'schedules',
  weight: 10,
  async act(stage) {
    const doing = stage.chance.weighted({
      look: 10,
      create: stage.schedules.length < 3 ? 3 : 0.5,
      stop: 0.4,
      recap: 0.5,
    })
    if (doing === 'create') return await create(stage)
    if (doing === 'stop') return await stop(stage)
    if (doing === 'recap') return await wantRecaps(stage)
    await watchSchedules(stage)
  },
}

async function create(stage: Stage): Promise<void> {
  const { chance, world } = stage
  const [what, zone, times, sats] = [
    chance.one(SCHEDULED),
    chance.one(ZONES),
    chance.between(1, 3),
    chance.between(1, 100) * SHARES,
  ]
  const owner = stage.member()
  const { minuteOfDay } = clockIn(zone, new Date(world.judge.now().wall + chance.between(1, 4) * MINUTE_MS))
  const time = [Math.floor(minuteOfDay / 60), minuteOfDay % 60].map((part) => String(part).padStart(2, '0')).join(':')
  const terms = { what, zone, times, time, amount: String(sats), people: SHARES, minutes: MINUTES, weekday: null }
  const { interaction } = stage.origin()
  const command = { guild: GUILD, channel: 'channel', member: owner, reason: 'every day', ...terms, interaction }
  const made = await stage.insist(`${owner} schedules a ${what} at ${time} of ${zone}`, (tipping) =>
    tipping.schedules.create(command),
  )
  if (!('done' in made)) return
  const { id } = made.done
  stage.schedules.push({ id, owner })
  world.judge.schedules.made(id, { owner, what, amount: BigInt(sats) * 1_000n, times, zone, minuteOfDay })
}

async function stop(stage: Stage): Promise<void> {
  const schedule = stage.schedules.at(-stage.chance.between(1, 3))
  if (schedule === undefined) return
  const decision = { schedule: schedule.id, guild: GUILD, member: stage.member() }
  const stopped = await stage.insist('a schedule is stopped', (tipping) => tipping.schedules.stop(decision))
  if ('done' in stopped) stage.world.judge.schedules.stopped(schedule.id, stopped.span.to)
  await stage.insist('the schedules are listed', (tipping) => tipping.schedules.list(GUILD).then(() => ({})))
}

async function wantRecaps(stage: Stage): Promise<void> {
  const change = {
    recapChannel: stage.chance.one(['channel', 'channel', undefined]),
    recapMonthly: stage.chance.happens(0.3),
  }
  const command = { guild: GUILD, member: stage.member(), change }
  await stage.insist('a server chooses its recaps', ({ preferences }) =>
    preferences.changeServer(command).then(() => ({})),
  )
}

/** Lets the bots see what is due, as they do every few seconds, and lets people see the posts. */
export async function watchSchedules(stage: Stage): Promise<void> {
  const help: ScheduleHelp = {
    moderator: async () => (stage.chance.happens(0.99) ? ['moderators'] : undefined),
    person: async (_, member) => ({
      ...(await person()),
      accountSince: stage.accountSince(member),
      memberSince: stage.accountSince(member),
    }),
    localeOf: () => 'en',
  }
  for (const { rain } of stage.world.bot.allRunning) for (let n = 0; n < 2; n += 1) rain.heard(GUILD, stage.member())
  const dies = stage.chance.happens(0.4) ? dieOverPost(stage) : undefined
  await stage.insist('what is due is posted', (tipping) => tipping.schedules.runDue(help).then(() => ({})))
  await dies
  await notePosted(stage)
}

/** Lets the bots die as soon as a due gift is in the book, before they record that it was posted. */
async function dieOverPost({ world }: Stage): Promise<void> {
  const { bot, botBook, judge } = world
  if ((nextPost(world) ?? Number.POSITIVE_INFINITY) > judge.now().wall) return
  const count = () => botBook.rows(POSTED).length
  const before = count()
  for (let n = 0; n < MAX_TURNS && count() === before; n += 1) await turns(1)
  if (count() > before) for (const process of bot.all) process.kill()
}

/** Returns the time at which the next schedule is due, in ms since 1970; undefined if no schedule is active. */
export function nextPost({ botBook }: SimWorld): number | undefined {
  const [next] = botBook.rows<{ readonly nextAt: Row['createdAt'] }>(
    `SELECT "nextAt" FROM "Schedule" WHERE "state" = 'on' ORDER BY "nextAt" LIMIT 1`,
  )
  return next && dateOf(next.nextAt).getTime()
}

/** The most turns of the event loop to wait for a post, which takes a few. */
const MAX_TURNS = 100

interface Row {
  readonly id: string
  readonly interaction: string
  readonly kind: string
  readonly requester: string
  readonly amount: bigint
  readonly createdAt: string | number | bigint | Date
}

/**
 * Selects schedules' posts: a reward that is an immediate gift has its operation’s id; for rain, which is a tip, the
 * shares have their operations' ids.
 */
const POSTED = `SELECT DISTINCT r."id", o."interaction", r."kind", r."requester", r."amount", r."createdAt"
  FROM "Operation" o LEFT JOIN "TipShare" s ON s."id" = o."id"
  JOIN "Reward" r ON r."id" = o."id" OR r."id" = s."tipId" WHERE o."interaction" LIKE 'schedule %' ORDER BY r."id"`

/** Notes posts that nobody has seen yet; since no person requested them, they become known only when somebody looks. */
async function notePosted(stage: Stage): Promise<void> {
  const { judge, botBook } = stage.world
  const from = stage.posted.at ?? judge.now()
  stage.posted.at = judge.now()
  for (const { id } of botBook.rows<Row>(POSTED)) {
    if (stage.posted.seen.has(id)) continue
    stage.posted.seen.add(id)
    const seen = await stage.insist('what was posted is looked at', ({ rewards }) => rewards.view(id))
    if (!('done' in seen)) continue
    const reward = seen.done
    const span = { from, to: judge.now(), again: false }
    noteReward(stage, reward, span)
    judge.limits.rewarded({ ...reward, recipient: `nobody of ${id}` }, reward.requester, span)
    stage.rewards.push(id)
    await noteGiven(stage, reward, reward.requester, span)
  }
}

/** Lets the judge read all schedules' posts, and the servers' recaps. */
export async function judgeSchedules(stage: Stage): Promise<void> {
  const { judge, botBook } = stage.world
  await notePosted(stage)
  for (const { id } of stage.schedules)
    await stage.insist('a schedule is looked at', (tipping) => tipping.schedules.view(id))
  const posts = botBook.rows<Row>(POSTED)
  judge.schedules.judge(posts.map(({ createdAt, ...post }) => ({ ...post, at: dateOf(createdAt) })))
  const told = botBook.rows<{ id: string; guild: string; period: string }>(
    'SELECT "id", "guild", "period" FROM "Recap"',
  )
  const recaps: ToldRecap[] = []
  for (const { id, guild, period } of told) {
    const seen = await stage.insist<{ readonly id?: string; readonly recap: RecapView }>(
      `${period} is looked at`,
      ({ insights }) => insights.recap(id).then((recap) => ({ recap })),
    )
    if ('done' in seen) recaps.push({ guild, period, ...seen.done.recap })
  }
  judge.schedules.recaps(recaps)
}

/** Returns the date for a time as either kind of database stores it. */
function dateOf(when: Row['createdAt']): Date {
  return new Date(typeof when === 'bigint' ? Number(when) : when)
}
