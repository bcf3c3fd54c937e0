import { beforeEach, describe, expect, it } from 'vitest'
import { type Msats, sats } from '../../../src/lib/money/amount.ts'
import type {
  ApiKeyView,
  PeopleOfServer,
  RewardView,
  ServerPreferences,
  Tipping,
} from '../../../src/tipping/tipping.ts'
import { TippingWorld } from '../world.ts'

const guild = 'guild'
const DAY_MS = 24 * 3_600_000
let world: TippingWorld
/** The people who are still allowed to give rewards. */
let moderators: Set<string>
let left: Set<string>

const people: PeopleOfServer = {
  localeOf: () => 'en',
  moderator: async (_, member) => (moderators.has(member) ? ['mods'] : undefined),
  person: async (_, member) =>
    left.has(member) ? undefined : { bot: member === 'robot', roles: member === 'erin' ? ['excluded'] : [] },
}

/** Opens a world in which the pool has 2,000 sats, moderators may give 1,500 of them a month, and dora uses the bot. */
beforeEach(async () => {
  world = await TippingWorld.open({ besideOthers: false })
  moderators = new Set(['mod'])
  left = new Set()
  await world.fund('giver', 2_000)
  await world.tipping.pools.give({ guild, member: 'giver', amount: 'all', origin: world.origin() })
  await world.tipping.pools.budget({ guild, member: 'owner', role: 'mods', amount: '1500', period: 'month' })
  await world.fund('dora', 1)
})
type Create = Parameters<Tipping['apiKeys']['create']>[0]

async function create(more: Partial<Create> = {}) {
  const { length } = await world.tipping.apiKeys.list(more.guild ?? guild)
  const name = length === 0 ? 'game' : `game ${length + 1}`
  const { interaction } = world.origin()
  const terms = { name, scopes: ['rewards', 'members'], budget: '500', days: 30, channel: 'arena' } as const
  return await world.tipping.apiKeys.create({ guild, member: 'mod', ...terms, interaction, ...more })
}

interface Give {
  readonly to?: string
  readonly amount?: Msats
  readonly reason?: string
}

function give({ id: key }: ApiKeyView, idempotencyKey: string, more: Give = {}): Promise<RewardView> {
  const about = { to: 'dora', amount: sats(100), reason: 'won a match', people }
  return world.run(world.tipping.apiKeys.reward({ key, idempotencyKey, ...about, ...more }))
}

const pool = async () => (await world.tipping.pools.view(guild)).available
const changeServer = (change: Partial<ServerPreferences>) =>
  world.tipping.preferences.changeServer({ guild, member: 'owner', change })
const log = async (action: string) => await world.database.read.moderationLogEntry.findMany({ where: { action } })

describe('an API key', () => {
  it('has its secret shown only once, and no row of the book contains the secret', async () => {
    const { interaction } = world.origin()
    const { key, secret } = await create({ interaction })
    expect(secret).toMatch(/^satchel_[\w-]{43}$/)
    expect(await create({ interaction, name: key.name })).toEqual({ key, secret: undefined })
    const rows = await world.database.read.apiKey.findMany()
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value))).not.toContain(
      secret,
    )
    expect(await world.tipping.apiKeys.find(secret ?? '')).toMatchObject({ id: key.id, name: 'game', owner: 'mod' })
  })

  it.each(['', 'satchel_', `satchel_${'a'.repeat(43)}`, `satchel_${'a'.repeat(10_000)}`])(
    'is reported as unknown if it was invented: %.20s',
    async (secret) => {
      await create()
      expect(await world.tipping.apiKeys.find(secret)).toBeUndefined()
    },
  )

  it('has the time of its last use recorded, and works until it expires', async () => {
    const { key, secret = '' } = await create({ days: 2 })
    expect(key).toMatchObject({ lastUsedAt: undefined, state: 'live' })
    await world.tipping.apiKeys.find(secret)
    expect(await world.tipping.apiKeys.list(guild)).toMatchObject([{ lastUsedAt: new Date(world.clock.now()) }])
    await world.leap(2 * DAY_MS - 1_000)
    expect(await world.tipping.apiKeys.find(secret)).toBeDefined()
    await world.pass(1_000)
    expect(await world.tipping.apiKeys.find(secret)).toBeUndefined()
    expect(await world.tipping.apiKeys.list(guild)).toMatchObject([{ state: 'expired' }])
    await expect(give(key, 'late')).rejects.toMatchObject({ code: 'api-key-not-found' })
    expect(await pool()).toBe(sats(2_000))
  })

  it('gives no reward once it is revoked, and the log shows who made and revoked it', async () => {
    const { key, secret = '' } = await create()
    const decision = { key: key.id, guild, member: 'second' }
    await world.tipping.apiKeys.revoke(decision)
    expect(await world.tipping.apiKeys.revoke(decision)).toMatchObject({ state: 'revoked', revokedBy: 'second' })
    expect(await world.tipping.apiKeys.find(secret)).toBeUndefined()
    await expect(give(key, 'late')).rejects.toMatchObject({ code: 'api-key-not-found' })
    expect(await log('api-key')).toMatchObject([{ member: 'mod' }])
    expect(await log('api-key-revoked')).toMatchObject([{ member: 'second' }])
    const [last] = await world.tipping.insights.changes(guild, 1)
    expect(last).toMatchObject({ action: 'api-key-revoked', apiKey: 'game' })
  })

  it('cannot be revoked from another server', async () => {
    const { key } = await create()
    const decision = { key: key.id, guild: 'elsewhere', member: 'second' }
    await expect(world.tipping.apiKeys.revoke(decision)).rejects.toMatchObject({ code: 'api-key-not-found' })
  })

  it.each<[Partial<Create>, string]>([
    [{ name: ' ' }, 'api-key-name'],
    [{ name: 'n'.repeat(41) }, 'api-key-name'],
    [{ budget: undefined }, 'api-key-budget-missing'],
    [{ budget: '-5' }, 'amount-zero'],
    [{ days: 0 }, 'rule-days'],
    [{ days: 366 }, 'rule-days'],
  ])('is not created with invalid terms: %o', async (more, code) => {
    await expect(create(more)).rejects.toMatchObject({ code })
    expect(await world.tipping.apiKeys.list(guild)).toEqual([])
  })

  it('needs a name that no other working key of its server has', async () => {
    const { key } = await create({ name: 'Game' })
    await expect(create({ name: ' game ' })).rejects.toMatchObject({ code: 'api-key-name-taken' })
    expect(await world.tipping.apiKeys.list(guild)).toHaveLength(1)
    expect((await create({ name: 'game', guild: 'elsewhere' })).key.name).toBe('game')
    await world.tipping.apiKeys.revoke({ key: key.id, guild, member: 'mod' })
    const { key: other } = await create({ name: 'game', days: 1 })
    await world.leap(2 * DAY_MS)
    expect((await create({ name: 'game' })).key.id).not.toBe(other.id)
  })

  it('is refused if ten keys of the server already work', async () => {
    for (let made = 0; made < 10; made += 1) await create()
    await expect(create()).rejects.toMatchObject({ code: 'api-key-too-many' })
    const [newest] = await world.tipping.apiKeys.list(guild)
    await world.tipping.apiKeys.revoke({ key: newest?.id ?? '', guild, member: 'mod' })
    await create()
  })
})

describe('a reward given with an API key', () => {
  it('is refused if it exceeds the budget, even if the clock was set forward meanwhile', async () => {
    const { key } = await create({ budget: '100' })
    await give(key, 'first')
    world.clock.jump(2 * DAY_MS)
    await expect(give(key, 'second')).rejects.toMatchObject({ code: 'api-key-budget-spent' })
    expect(await pool()).toBe(sats(1_900))
  })

  it('is paid from the pool and its moderator’s budget, and names the key', async () => {
    const { key } = await create()
    const reward = await give(key, 'match-1')
    expect(reward).toMatchObject({
      requester: 'mod',
      recipient: 'dora',
      amount: sats(100),
      state: 'paid',
      apiKey: 'game',
    })
    expect(await world.available('dora')).toBe(sats(101))
    expect(await pool()).toBe(sats(1_900))
    const told = { what: 'reward', reason: 'won a match', apiKey: 'game' }
    expect((await world.tipping.pools.export({ guild, member: 'owner' })).at(-1)).toMatchObject(told)
    expect((await world.tipping.history.export('dora')).at(-1)).toMatchObject(told)
    const changes = await world.tipping.insights.changes(guild, 2)
    expect(changes[1]).toMatchObject({ action: 'reward', apiKey: 'game', to: 'dora', amount: sats(100) })
    expect(await world.tipping.apiKeys.rewardOf(guild, reward.id)).toEqual(await world.tipping.rewards.view(reward.id))
    await expect(world.tipping.apiKeys.rewardOf('elsewhere', reward.id)).rejects.toMatchObject({ code: 'not-there' })
  })

  it('is given once for each Idempotency-Key, however often it is requested', async () => {
    const { key } = await create()
    const first = await Promise.all(Array.from({ length: 20 }, () => give(key, 'match-1')))
    left.add('dora')
    moderators.clear()
    await world.restart()
    const again = await give(key, 'match-1')
    expect(new Set([...first, again].map(({ id }) => id)).size).toBe(1)
    await expect(give(key, 'match-1', { amount: sats(101) })).rejects.toMatchObject({ code: 'already-done' })
    await expect(give(key, 'match-1', { to: 'fred' })).rejects.toMatchObject({ code: 'already-done' })
    expect(await pool()).toBe(sats(1_900))
    const other = await create({ name: 'site' })
    moderators.add('mod')
    expect((await give(other.key, 'match-1', { to: 'fred' })).id).not.toBe(again.id)
  })

  it('respects the 24-hour budget even if 100 rewards are requested together', async () => {
    const { key } = await create()
    const asked = Array.from({ length: 100 }, (_, n) =>
      give(key, `match-${n}`, { to: `player-${n}`, amount: sats(30) }),
    )
    const answers = await Promise.allSettled(asked)
    const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason.code] : []))
    expect(new Set(refused)).toEqual(new Set(['api-key-budget-spent']))
    expect(refused).toHaveLength(84)
    expect(await pool()).toBe(sats(2_000 - 480))
    expect(await world.tipping.apiKeys.list(guild)).toMatchObject([{ spent: sats(480), budget: sats(500) }])
    await world.leap(DAY_MS - 1_000)
    await expect(give(key, 'next', { amount: sats(21) })).rejects.toMatchObject({
      facts: { budget: sats(500), left: sats(20) },
    })
    await world.pass(2_000)
    await give(key, 'next', { amount: sats(500) })
    expect(await pool()).toBe(sats(1_020))
  })

  it('counts as spent while it waits for approval, but not once it is denied', async () => {
    await changeServer({ approvalAbove: sats(50) })
    const { key } = await create()
    const reward = await give(key, 'match-1', { amount: sats(400) })
    expect(reward).toMatchObject({ state: 'asked', apiKey: 'game' })
    expect(await world.available('dora')).toBe(sats(1))
    await expect(give(key, 'match-2', { amount: sats(101) })).rejects.toMatchObject({ code: 'api-key-budget-spent' })
    await expect(world.tipping.rewards.approve({ reward: reward.id, member: 'mod' })).rejects.toMatchObject({
      code: 'reward-needs-another',
    })
    await world.tipping.rewards.deny({ reward: reward.id, member: 'second' })
    const next = await give(key, 'match-2', { amount: sats(500) })
    await world.run(world.tipping.rewards.approve({ reward: next.id, member: 'second' }))
    expect(await world.available('dora')).toBe(sats(501))
    expect(await world.tipping.apiKeys.rewardOf(guild, next.id)).toMatchObject({ state: 'paid', decider: 'second' })
  })

  it('waits for approval if it takes the day’s rewards over the approval limit', async () => {
    await changeServer({ approvalAbove: sats(250) })
    const { key } = await create()
    const states = []
    for (const match of ['1', '2', '3']) states.push((await give(key, match, { to: `player-${match}` })).state)
    expect(states).toEqual(['paid', 'paid', 'asked'])
  })

  it('is refused if its recipient, amount or reason is wrong, and its id can be reused', async () => {
    const wrong: [string, Give, string][] = [
      ['a bot', { to: 'robot' }, 'tip-to-bot'],
      ['somebody with an excluded role', { to: 'erin' }, 'blocked'],
      ['somebody who is excluded', { to: 'frank' }, 'blocked'],
      ['somebody who left', { to: 'gone' }, 'recipient-not-member'],
      ['the moderator who made the key', { to: 'mod' }, 'reward-to-self'],
      ['nothing', { amount: 0n as Msats }, 'amount-zero'],
      ['too much', { amount: sats(100_000_000_000) }, 'amount-too-large'],
      ['more than the key may give', { amount: sats(501) }, 'api-key-budget-spent'],
      ['no reason', { reason: ' ' }, 'reason-missing'],
      ['a reason that is too long', { reason: 'r'.repeat(201) }, 'text-too-long'],
    ]
    left.add('gone')
    const excluded = { blockedMembers: ['frank'], blockedRoles: ['excluded'] }
    await changeServer(excluded)
    const { key } = await create()
    for (const [what, more, code] of wrong) {
      await expect(give(key, 'match-1', more), what).rejects.toMatchObject({ code })
      expect(await pool(), what).toBe(sats(2_000))
      expect(await world.database.read.reward.count(), what).toBe(0)
    }
    expect((await give(key, 'match-1')).state).toBe('paid')
  })

  it('is refused if its moderator may no longer give rewards or has no budget left', async () => {
    const { key } = await create({ budget: '2000' })
    moderators.clear()
    await expect(give(key, 'match-1')).rejects.toMatchObject({ code: 'api-key-owner' })
    moderators.add('mod')
    await expect(give(key, 'match-1', { amount: sats(1_501) })).rejects.toMatchObject({ code: 'budget-exhausted' })
    await world.tipping.pools.budget({ guild, member: 'owner', role: 'mods', amount: '9000', period: 'month' })
    await give(key, 'match-1', { amount: sats(1_950) })
    const other = await create({ budget: '5000' })
    await expect(give(other.key, 'match-2')).rejects.toMatchObject({ code: 'pool-insufficient' })
  })

  it.each([
    [1, 'before'],
    [1, 'after'],
  ] as const)('is given only once even if the process dies at commit %i, just %s it', async (commits, moment) => {
    const { key } = await create()
    const died = world.dieAtCommit(commits, moment)
    void give(key, 'match-1').catch(() => undefined)
    await died
    await world.reborn()
    const reward = await give(key, 'match-1')
    expect(reward.state).toBe('paid')
    expect(await world.database.read.reward.count()).toBe(1)
    expect(await pool()).toBe(sats(1_900))
  })
})

describe('a member in the answer of the API', () => {
  it('is reported as linked or as not linked', async () => {
    expect(await world.tipping.apiKeys.isLinked('dora')).toBe(false)
    await world.linked('dora')
    expect(await world.tipping.apiKeys.isLinked('dora')).toBe(true)
    await world.tipping.links.unlink({ member: 'dora', origin: world.origin() })
    expect(await world.tipping.apiKeys.isLinked('dora')).toBe(false)
  })
})
