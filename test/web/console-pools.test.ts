import { beforeEach, expect, it } from 'vitest'
import { sats } from '../../src/lib/money/amount.ts'
import { aliceHasSome } from '../tipping/funded-world.ts'
import type { TippingWorld } from '../tipping/world.ts'
import { READ_PASSWORD, type Served, serveConsole } from './console-world.ts'

const [LOUNGE, CLUB] = ['1111', '2222']
const MOD = '100000000000000001'
let world: TippingWorld

beforeEach(async () => {
  world = await aliceHasSome({ replays: false })
})
/**
 * Fills a pool with this many sats; moderators may give 500 a day, and gifts of more than 100 sats need a second
 * moderator.
 */
async function fill(guild: string, amount: number): Promise<void> {
  const { pools, preferences } = world.tipping
  await world.fund('giver', amount)
  await pools.give({ guild, member: 'giver', amount: 'all', origin: world.origin() })
  await pools.budget({ guild, member: 'owner', role: '777', amount: '500', period: 'day' })
  await preferences.changeServer({ guild, member: 'owner', change: { approvalAbove: sats(100) } })
}

async function reward(guild: string, amount: string, reason: string) {
  const whom = { to: { id: 'alice', bot: false }, roles: ['777'] }
  await world.run(world.tipping.rewards.give({ ...whom, guild, member: MOD, amount, reason, origin: world.origin() }))
}

function rule(guild: string, trial: boolean) {
  const terms = {
    amount: '10',
    budget: '300',
    reason: 'well done',
    role: '777',
    interaction: world.origin().interaction,
  }
  return world.tipping.rules.create({ guild, member: MOD, recipe: 'role-welcome', trial, ...terms })
}

function schedule(guild: string) {
  const terms = { amount: '100', people: 2, minutes: 30, reason: 'friday', weekday: 5, time: '18:00', times: 4 }
  const { interaction } = world.origin()
  return world.tipping.schedules.create({ guild, channel: 'c', member: MOD, what: 'drop', ...terms, interaction })
}

async function look(served: Served = {}, password?: string): Promise<string> {
  const visitor = await serveConsole(world, served)
  await visitor.signIn(password)
  const { status, text } = await visitor.look('/console/pools')
  expect(status).toBe(200)
  return text
}

it('the pools page shows each server’s pool, budgets, rewards, rules and schedules', async () => {
  await fill(CLUB, 2_000)
  await fill(LOUNGE, 1_000)
  await reward(LOUNGE, '150', 'for <the> “stage”')
  await reward(CLUB, '120', 'for the club')
  await rule(LOUNGE, false)
  await rule(CLUB, true)
  const stopped = await rule(CLUB, true)
  await world.tipping.rules.stop({ rule: stopped.id, guild: CLUB, member: 'mod' })
  await schedule(CLUB)
  const names: Served = {
    serverName: (guild) => (guild === LOUNGE ? 'Lightning Lounge' : undefined),
    roleName: (guild, role) => (guild === LOUNGE && role === '777' ? 'Stewards' : undefined),
    memberName: async (member) => (member === MOD ? { shown: 'Mona <3', username: 'mona' } : undefined),
  }
  const text = await look(names, READ_PASSWORD)
  const [lounge = '', club = ''] = text.split('Server 2222')
  expect(lounge).toMatch(
    /2 rewards wait for[\s\S]*Lightning Lounge[\s\S]*<code>1111<\/code>[\s\S]*850 sats[\s\S]*150 sats/,
  )
  expect(lounge).toMatch(
    /Role Stewards: 500 sats a day[\s\S]*150 sats · Reward “for &#60;the&#62; “stage””[\s\S]*asked by \u2068Mona &#60;3\u2069 \(@mona\)/,
  )
  expect(lounge).toMatch(
    /Welcome to a role · on · 10 sats each[\s\S]*0 sats of 300 sats spent this month[\s\S]*set up by \u2068Mona/,
  )
  expect(club).toMatch(
    /1.880 sats[\s\S]*1 reward waits[\s\S]*Welcome to a role · on trial[\s\S]*Drop · 100 sats · 0 of 4 over[\s\S]*next Jan 4, 2030, 18:00 UTC/,
  )
  expect(club).toContain('1 rule or schedule is stopped.')
  expect(club).toContain('Role 777')
  expect(text).not.toContain('action="/console/')
})

it('the console counts rewards that wait for a second moderator', async () => {
  await fill(LOUNGE, 1_000)
  expect(await look()).toContain('✓ No reward waits')
  await reward(LOUNGE, '150', 'one')
  await reward(LOUNGE, '120', 'two')
  expect(await look()).toMatch(
    /2 rewards wait for a second moderator[\s\S]*730 sats[\s\S]*2 rewards wait[\s\S]*“one”[\s\S]*“two”/,
  )
  const [first] = await world.tipping.administration.pools(9)
  await world.tipping.rewards.deny({ reward: first?.awaited[0]?.id ?? '', member: 'second' })
  expect(await look()).toContain('1 reward waits for a second moderator')
})

it('the pools page shows people by their ids while Discord does not answer', async () => {
  await fill(LOUNGE, 1_000)
  await reward(LOUNGE, '150', 'one')
  expect(await look({ memberName: () => Promise.reject(new Error('away')) })).toContain(`asked by ${MOD}`)
})

it('the pools page waits at most 3 seconds for Discord', async () => {
  await fill(LOUNGE, 1_000)
  await reward(LOUNGE, '150', 'one')
  const asked = Promise.withResolvers<void>()
  const memberName = () => {
    asked.resolve()
    return new Promise<never>(() => {})
  }
  const page = look({ memberName })
  await asked.promise
  await world.clock.advance(3_000)
  expect(await page).toContain(`asked by ${MOD}`)
})

it('the pools page lists servers with reserved sats first, up to a limit', async () => {
  await fill(CLUB, 5_000)
  await fill(LOUNGE, 1_000)
  const guilds = async (limit: number) => (await world.tipping.administration.pools(limit)).map(({ guild }) => guild)
  expect(await guilds(9)).toEqual([CLUB, LOUNGE])
  await reward(LOUNGE, '150', 'one')
  expect(await guilds(9)).toEqual([LOUNGE, CLUB])
  expect(await guilds(1)).toEqual([LOUNGE])
})

it('the pools page says why a rule could not pay, or that there are no pools', async () => {
  expect(await look()).toContain('No server has sats in its pool, a rule or a schedule.')
  const { id } = await rule(LOUNGE, false)
  for (const [trouble, words] of [
    ['pool-insufficient', 'the pool has too little'],
    ['rule-budget-spent', 'this month&#39;s budget is spent'],
    ['budget-exhausted', 'its owner&#39;s budget is spent'],
    ['recipient-blocked', '<code>/rule list</code>'],
  ]) {
    await world.database.write.rule.update({ where: { id }, data: { trouble: trouble ?? null } })
    expect(await look()).toContain(words)
  }
})
