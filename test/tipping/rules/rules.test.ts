import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { RECIPE_NAMES, type RuleEvent, type RuleView, type Tipping } from '../../../src/tipping/tipping.ts'
import { TippingWorld } from '../world.ts'

const guild = 'guild'
const DAY_MS = 24 * 3_600_000
let world: TippingWorld

/**
 * Opens a world in which the pool has 1,000 sats, moderators may give 800 of them a month, and dora, erin and fred use
 * the bot.
 */
beforeEach(async () => {
  world = await TippingWorld.open({ besideOthers: false })
  await fill()
})
async function fill(): Promise<void> {
  await world.fund('giver', 1_000)
  await world.tipping.pools.give({ guild, member: 'giver', amount: 'all', origin: world.origin() })
  await world.tipping.pools.budget({ guild, member: 'owner', role: 'mods', amount: '800', period: 'month' })
  for (const member of ['dora', 'erin', 'fred']) {
    await world.fund(member, 1)
  }
}

type Create = Parameters<Tipping['rules']['create']>[0]

function create(recipe: Create['recipe'], more: Partial<Create> = {}): Promise<RuleView> {
  const { interaction } = world.origin()
  const terms = { amount: '100', budget: '500', reason: 'well done', trial: false, role: 'regulars' }
  return world.tipping.rules.create({ guild, member: 'mod', recipe, ...terms, interaction, ...more })
}

interface Told {
  readonly recipient?: string
  readonly bot?: boolean
  readonly roles?: readonly string[]
  readonly accountDays?: number
  readonly memberDays?: number
  readonly what?: RuleEvent['what']
  readonly moderator?: RuleEvent['moderator']
  readonly gone?: boolean
}

function event(told: Told = {}): RuleEvent {
  const { recipient = 'dora', bot = false, roles = ['regulars'], what = { kind: 'seen' }, moderator, gone } = told
  const ago = (days: number) => new Date(world.clock.now() - days * DAY_MS)
  const facts = { accountSince: ago(told.accountDays ?? 400), memberSince: ago(told.memberDays ?? 0), roles }
  return {
    ...{ guild, channel: 'channel', locale: 'en', recipient: { id: recipient, bot }, what },
    facts: async () => (gone ? undefined : facts),
    moderator: moderator ?? (async () => ['mods']),
  }
}

const reaction = (message: string, emoji = '🏅', by = 'second') => ({ kind: 'reaction', emoji, message, by }) as const
const hear = (told: Told = {}) => world.run(world.tipping.rules.heard(event(told)))
const pool = async () => (await world.tipping.pools.view(guild)).available
const only = async () => (await world.tipping.rules.list(guild))[0]
const log = async (action: string) => await world.database.read.moderationLogEntry.findMany({ where: { action } })

describe('a recipe of a rule', () => {
  it('is named in the exports of the pool and of the recipient', async () => {
    await create('role-welcome')
    await hear()
    const told = { what: 'reward', reason: 'well done', rule: 'role-welcome' }
    expect((await world.tipping.pools.export({ guild, member: 'owner' })).at(-1)).toMatchObject(told)
    expect((await world.tipping.history.export('dora')).at(-1)).toMatchObject(told)
  })

  it.each<[Create['recipe'], Told, Told]>([
    ['role-welcome', {}, { roles: ['others'] }],
    ['role-weekly', {}, { roles: [] }],
    ['role-monthly', {}, { roles: ['others'] }],
    ['first-week', { memberDays: 7 }, { memberDays: 6.9 }],
    ['first-month', { memberDays: 30 }, { memberDays: 29 }],
    ['birthday', { memberDays: 365 }, { memberDays: 364 }],
    ['solved', { what: { kind: 'solved', thread: 't', by: 'fred' } }, { what: reaction('m', '✅') }],
    ['good-post', { what: reaction('m', '🏅') }, { what: reaction('m', '🐛') }],
    ['bug-report', { what: reaction('m', '🐛') }, { what: reaction('m', '🏅') }],
    ['daily-thanks', { what: reaction('m', '🙏') }, { what: { kind: 'seen' } }],
  ])('pays once for its own events, and not for other events: %s', async (recipe, right, wrong) => {
    const rule = await create(recipe)
    expect(await hear(wrong)).toEqual([])
    const [reward] = await hear(right)
    expect(reward).toMatchObject({
      requester: 'mod',
      recipient: 'dora',
      amount: sats(100),
      state: 'paid',
      rule: rule.id,
    })
    await hear(right)
    await world.restart()
    await hear(right)
    expect(await world.available('dora')).toBe(sats(101))
    expect(await pool()).toBe(sats(900))
    expect(await only()).toMatchObject({ given: 1, spent: sats(100), trouble: undefined })
  })

  it('has one of 10 names', () => {
    expect(RECIPE_NAMES).toHaveLength(10)
  })

  it('uses the number of days that the rule sets', async () => {
    await create('first-week', { days: 3 })
    expect(await hear({ memberDays: 2.9 })).toEqual([])
    expect(await hear({ memberDays: 3 })).toHaveLength(1)
  })

  it('pays again in the next period if it repeats, and once a year for a birthday', async () => {
    await create('role-weekly')
    await hear()
    await world.leap(6.9 * DAY_MS)
    await hear()
    expect((await only())?.given).toBe(1)
    await world.leap(0.2 * DAY_MS)
    await hear()
    expect((await only())?.given).toBe(2)
    await create('birthday')
    expect(await hear({ recipient: 'erin', roles: [], memberDays: 730 })).toHaveLength(1)
    await hear({ recipient: 'erin', roles: [], memberDays: 731 })
    expect(await world.available('erin')).toBe(sats(101))
  })

  it('pays for no milestone that a member reached before the rule was made', async () => {
    await create('first-week')
    expect(await hear({ memberDays: 8 })).toEqual([])
  })
})

describe('an event for a rule', () => {
  it('is paid for once even if two bots report it a hundred times at the same moment', async () => {
    await world.close()
    world = await TippingWorld.open({ besideOthers: true })
    await fill()
    await create('good-post')
    const first = world.tipping
    const second = await world.start()
    const told = () => event({ what: reaction('m') })
    const all = [first, second].flatMap((bot) => Array.from({ length: 50 }, () => bot.rules.heard(told())))
    const rewards = (await world.run(Promise.all(all))).flat()
    expect(new Set(rewards.map(({ id }) => id)).size).toBe(1)
    expect(await pool()).toBe(sats(900))
    await first.close()
  })

  it('is paid for once even if the bot dies just before or after storing it', async () => {
    await create('good-post')
    for (const [n, moment] of (['before', 'after'] as const).entries()) {
      const died = world.dieAtCommit(1, moment)
      void world.tipping.rules.heard(event({ what: reaction(`m${n}`) }))
      await died
      await world.reborn()
      expect(await hear({ what: reaction(`m${n}`) })).toHaveLength(1)
      await world.settle()
    }
    expect(await pool()).toBe(sats(800))
    expect((await only())?.given).toBe(2)
  })

  it.each<[string, Told]>([
    ['a bot', { bot: true, what: reaction('m') }],
    ['the owner of the rule', { recipient: 'mod', what: reaction('m') }],
    ['the moderator who reacts', { recipient: 'second', what: reaction('m') }],
    ['a person with a new account', { accountDays: 6, what: reaction('m') }],
    ['somebody who has left', { gone: true, what: reaction('m') }],
  ])('is paid for by no rule if its recipient is %s', async (_, told) => {
    await create('good-post')
    expect(await hear(told)).toEqual([])
    expect(await pool()).toBe(sats(1_000))
  })

  it('does not trigger another server’s rule', async () => {
    await create('good-post')
    const elsewhere = { ...event({ what: reaction('m') }), guild: 'elsewhere' }
    expect(await world.tipping.rules.heard(elsewhere)).toEqual([])
    expect([
      world.tipping.rules.watches(guild, 'reaction'),
      world.tipping.rules.watches('elsewhere', 'reaction'),
    ]).toEqual([true, false])
  })
})

describe('a rule', () => {
  it('causes no look-up for an event that concerns no rule', async () => {
    await create('good-post')
    await create('solved')
    const asked: string[] = []
    const facts = (what: RuleEvent['what']) => async () => {
      asked.push(what.kind)
      return undefined
    }
    const happened = [{ kind: 'seen' }, reaction('m', '👍'), reaction('m'), { kind: 'solved', thread: 't', by: 'fred' }]
    for (const what of happened as RuleEvent['what'][])
      await world.tipping.rules.heard({ ...event({ what }), facts: facts(what) })
    expect(asked).toEqual(['reaction', 'solved'])
  })

  it('is not tried for a minute once its budget is spent', async () => {
    await create('good-post', { budget: '100' })
    await hear({ what: reaction('first') })
    let tries = 0
    const tried = (message: string) => {
      const moderator = async () => {
        tries += 1
        return ['mods']
      }
      return hear({ what: reaction(message), moderator })
    }
    for (const message of ['second', 'third', 'fourth']) await tried(message)
    expect(tries).toBe(1)
    await world.pass(60_001)
    await tried('fifth')
    expect(tries).toBe(2)
    expect(await pool()).toBe(sats(900))
  })

  it('pauses when its monthly budget is spent, and resumes the next month', async () => {
    await create('good-post', { amount: '200', budget: '500' })
    for (const message of ['a', 'b', 'c']) await hear({ what: reaction(message) })
    expect(await only()).toMatchObject({ given: 2, spent: sats(400), trouble: 'rule-budget-spent' })
    await world.leap(31 * DAY_MS)
    expect(await hear({ what: reaction('d') })).toHaveLength(1)
    expect(await only()).toMatchObject({ given: 3, spent: sats(200), trouble: undefined })
  })

  it('pays nothing, and shows why, if its owner’s role has no budget or has used it up', async () => {
    await create('good-post', { amount: '300', budget: '5000' })
    for (const message of ['a', 'b', 'c']) await hear({ what: reaction(message) })
    expect(await only()).toMatchObject({ given: 2, trouble: 'budget-exhausted' })
    expect(await hear({ what: reaction('d'), moderator: async () => ['nothing'] })).toEqual([])
    expect((await only())?.trouble).toBe('budget-none')
  })

  it('waits while the pool has too little, tries again after an hour, and then pays', async () => {
    await create('good-post', { amount: '400', budget: '5000' })
    await world.tipping.pools.budget({ guild, member: 'owner', role: 'mods', amount: '5000', period: 'month' })
    for (const message of ['a', 'b', 'c']) await hear({ what: reaction(message) })
    expect(await only()).toMatchObject({ given: 2, trouble: 'pool-insufficient' })
    await world.fund('giver', 1_000)
    await world.tipping.pools.give({ guild, member: 'giver', amount: 'all', origin: world.origin() })
    expect(await hear({ what: reaction('c') })).toEqual([])
    await world.pass(3_600_000)
    expect(await hear({ what: reaction('c') })).toHaveLength(1)
    expect((await only())?.trouble).toBeUndefined()
  })

  it('waits for a second moderator if a day’s sum is above the server’s limit', async () => {
    await world.tipping.preferences.changeServer({ guild, member: 'owner', change: { approvalAbove: sats(150) } })
    await create('good-post')
    const [first] = await hear({ what: reaction('a') })
    const [second] = await hear({ what: reaction('b') })
    expect([first?.state, second?.state]).toEqual(['paid', 'asked'])
    await world.tipping.rewards.deny({ reward: second?.id ?? '', member: 'third' })
    expect(await only()).toMatchObject({ given: 1, spent: sats(100) })
  })

  it('counts each event once while on trial, and pays nothing until it is started', async () => {
    await create('role-welcome', { trial: true })
    for (const recipient of ['dora', 'dora', 'erin']) await hear({ recipient })
    expect(await only()).toMatchObject({ state: 'trial', given: 2, spent: 0n })
    expect(await pool()).toBe(sats(1_000))
    const { id } = (await only()) ?? { id: '' }
    await world.tipping.rules.start({ rule: id, guild, member: 'second' })
    expect(await hear()).toMatchObject([{ requester: 'second', recipient: 'dora' }])
  })

  it('can be stopped by any moderator, and then belongs to the one who restarts it', async () => {
    const { id } = await create('good-post')
    expect(await world.tipping.rules.stop({ rule: id, guild, member: 'second' })).toMatchObject({
      ...{ state: 'stopped', stoppedBy: 'second' },
    })
    expect(await hear({ what: reaction('m') })).toEqual([])
    expect(await world.tipping.rules.start({ rule: id, guild, member: 'third' })).toMatchObject({ owner: 'third' })
    expect(await hear({ what: reaction('m') })).toMatchObject([{ requester: 'third' }])
    expect(await log('rule-stopped')).toMatchObject([{ member: 'second', about: JSON.stringify({ rule: id }) }])
    const elsewhere = { rule: id, guild: 'elsewhere', member: 'mod' }
    await expect(world.tipping.rules.stop(elsewhere)).rejects.toMatchObject({ code: 'rule-not-found' })
    await expect(world.tipping.rules.start(elsewhere)).rejects.toMatchObject({ code: 'rule-not-found' })
  })

  it('stops before a payment if its owner is no longer a moderator', async () => {
    await create('good-post')
    expect(await hear({ what: reaction('m'), moderator: async () => undefined })).toEqual([])
    expect(await only()).toMatchObject({ state: 'stopped', stoppedBy: undefined, given: 0 })
    expect(await pool()).toBe(sats(1_000))
    const [entry] = await log('rule-stopped')
    expect(entry?.about).toContain('its owner is no longer allowed to give rewards')
  })

  it('is logged for moderators with its terms, and its rewards with their events', async () => {
    const { id } = await create('good-post')
    await hear({ what: reaction('m') })
    const [made] = await log('rule')
    expect(JSON.parse(made?.about ?? '')).toMatchObject({
      rule: id,
      recipe: 'good-post',
      amount: '100000',
      budget: '500000',
    })
    const [paid] = await log('reward')
    expect(JSON.parse(paid?.about ?? '')).toMatchObject({ rule: id, event: 'm', to: 'dora' })
  })

  it('is created once even if its command is delivered twice', async () => {
    const interaction = 'same'
    const both = await Promise.all([create('good-post', { interaction }), create('good-post', { interaction })])
    expect(both[0].id).toBe(both[1].id)
    expect(await world.tipping.rules.list(guild)).toHaveLength(1)
  })

  it('is refused with invalid terms', async () => {
    const wrong: [string, Create['recipe'], Partial<Create>, string][] = [
      ['no role', 'role-weekly', { role: undefined }, 'rule-needs-role'],
      ['a word for an emoji', 'good-post', { emoji: 'medal' }, 'rule-emoji'],
      ['two emoji', 'good-post', { emoji: '🏅🏅' }, 'rule-emoji'],
      ['days of nothing', 'first-week', { days: 0 }, 'rule-days'],
      ['part of a day', 'first-week', { days: 1.5 }, 'rule-days'],
      ['a budget below a reward', 'good-post', { amount: '100', budget: '99' }, 'rule-budget-small'],
      ['an amount of nothing', 'good-post', { amount: '0' }, 'amount-zero'],
      ['a part of the balance', 'good-post', { amount: 'all' }, 'amount-of-nothing'],
      ['no reason', 'good-post', { reason: '  ' }, 'reason-missing'],
      ['a long reason', 'good-post', { reason: 'x'.repeat(201) }, 'text-too-long'],
    ]
    for (const [what, recipe, more, code] of wrong) {
      await expect(create(recipe, more), what).rejects.toMatchObject({ code })
      expect(await world.tipping.rules.list(guild), what).toEqual([])
    }
  })

  it.each(['🏅', '👍🏽', '❤️', '🇨🇭', '<:satchel:123456789012345678>'])(
    'can listen for the reaction %s',
    async (emoji) => {
      await create('good-post', { emoji })
      expect(await hear({ what: reaction('m', emoji.replaceAll('\uFE0F', '')) })).toHaveLength(1)
    },
  )

  it('is refused if 25 rules are in force', async () => {
    for (let n = 0; n < 25; n += 1) await create('good-post')
    await expect(create('good-post')).rejects.toMatchObject({ code: 'rule-too-many' })
    const stopped = (await only())?.id ?? ''
    await world.tipping.rules.stop({ rule: stopped, guild, member: 'mod' })
    await create('good-post')
    const start = world.tipping.rules.start({ rule: stopped, guild, member: 'mod' })
    await expect(start).rejects.toMatchObject({ code: 'rule-too-many' })
  })
})
