import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { TippingWorld } from '../world.ts'

let world: TippingWorld

beforeEach(async () => {
  world = await TippingWorld.open({ settings: { maxAmount: sats(20_000) } })
})
const guild = 'guild'

function fundraise(amount: string, goal: string, server = guild) {
  return world.tipping.pools.fundraise({ guild: server, member: 'mod', amount, goal, origin: world.origin() })
}

function fund(amount: string, server = guild) {
  return world.tipping.pools.fund({ guild: server, member: 'mod', amount, origin: world.origin() })
}

function giveTo(fundraiser: string, member = 'alice') {
  return world.tipping.pools.giveTo({ fundraiser, member, origin: world.origin() })
}

function give(amount: string, server = guild) {
  return world.tipping.pools.give({ guild: server, member: 'alice', amount, origin: world.origin() })
}

function close(fundraiser: string) {
  return world.tipping.pools.closeFundraiser({ fundraiser, member: 'owner' })
}

async function paid({ request }: { readonly request: string }): Promise<void> {
  const charge = world.provider.chargeOf(request)
  world.provider.payCharge(charge.id)
  await world.tipping.hint(world.token(charge.callbackUrl))
  await world.settle()
}

async function log(): Promise<[string, string, unknown][]> {
  const entries = await world.database.read.moderationLogEntry.findMany({ orderBy: { id: 'asc' } })
  return entries.map(({ action, member, about }) => [action, member, JSON.parse(about)])
}

async function cardOf(record: string) {
  return await world.database.read.card.findFirstOrThrow({ where: { record } })
}

describe('the command to open a fundraiser', () => {
  it('is refused with an amount or goal outside the limits, or over 10,000 payments', async () => {
    const refused = (amount: string, goal: string) => expect(fundraise(amount, goal)).rejects
    await refused('0.5', '10').toMatchObject({ code: 'amount-too-small', facts: { smallest: sats(1) } })
    await refused('20001', '20001').toMatchObject({ code: 'amount-too-large', facts: { largest: sats(20_000) } })
    await refused('100', '99').toMatchObject({ code: 'amount-too-small', facts: { smallest: sats(100) } })
    await refused('100', '20001').toMatchObject({ code: 'amount-too-large', facts: { largest: sats(20_000) } })
    await refused('1', '10001').toMatchObject({ code: 'fundraiser-too-fine', facts: { most: 10_000 } })
    expect(await fundraise('1', '10000')).toMatchObject({ amount: sats(1), goal: sats(10_000), raised: 0n })
    expect(await fundraise('20000', '20000')).toMatchObject({ amount: sats(20_000), goal: sats(20_000) })
  })

  it('sends a text for payers to the provider, and is logged with its moderator', async () => {
    const many = await fundraise('100', '250')
    const one = await fund('700')
    const asked = world.provider.calls.filter(({ operation }) => operation === 'createStaticCharge')
    const told = { description: "100 sats for a community's pool", successMessage: 'Thank you! It is in the pool.' }
    expect(asked.map(({ body }) => body)).toMatchObject([told, { description: "700 sats for a community's pool" }])
    expect([many.public, one.public]).toEqual([true, false])
    expect(await log()).toEqual([
      ['fundraiser', 'mod', { fundraiser: many.id, amount: '100000', goal: '250000' }],
      ['fund', 'mod', { fundraiser: one.id, amount: '700000', goal: '700000' }],
    ])
    expect(await cardOf(many.id)).toMatchObject({ kind: 'fundraiser', channel: 'channel', member: null })
    expect(await cardOf(one.id)).toMatchObject({ kind: 'fundraiser', channel: null, member: 'mod' })
  })

  it('is refused if its interaction has been used with a different amount', async () => {
    const origin = world.origin()
    const ask = (goal: string) => world.tipping.pools.fundraise({ guild, member: 'mod', amount: '100', goal, origin })
    const { id } = await ask('200')
    expect((await ask('200')).id).toBe(id)
    await expect(ask('300')).rejects.toMatchObject({ code: 'already-done' })
    await world.fund('alice', 10)
    const given = (amount: string, interaction: string) =>
      world.tipping.pools.give({ guild, member: 'alice', amount, origin: world.origin(interaction) })
    await given('2', 'same')
    await expect(given('3', 'same')).rejects.toMatchObject({ code: 'already-done' })
  })
})

describe('open fundraisers', () => {
  it('are limited to five of each kind in a server, and ended ones do not count', async () => {
    const [first] = [await fundraise('10', '100')]
    for (const _ of [2, 3, 4, 5]) await fundraise('10', '100')
    const tooMany = { code: 'too-many-fundraisers', facts: { most: 5 } }
    await expect(fundraise('10', '100')).rejects.toMatchObject(tooMany)
    await fundraise('10', '100', 'elsewhere')
    for (const _ of [1, 2, 3, 4, 5]) await fund('10')
    await expect(fund('10')).rejects.toMatchObject(tooMany)
    await close(first.id)
    await fundraise('10', '100')
    await expect(fundraise('10', '100')).rejects.toMatchObject(tooMany)
  })

  it('count towards the limit even before the provider has answered', async () => {
    const asked = await Promise.allSettled(Array.from({ length: 8 }, () => fundraise('10', '100')))
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    expect(world.provider.count('createStaticCharge')).toBe(5)
  })

  it('are listed in the view of their own pool, the oldest first', async () => {
    const shown: string[] = []
    for (const amount of ['30', '10', '20']) {
      shown.push((await fundraise(amount, '100')).id)
      world.clock.jump(1_000)
    }
    await fund('10')
    await fundraise('10', '100', 'elsewhere')
    await close((await fundraise('10', '100')).id)
    const { open } = await world.tipping.pools.view(guild)
    expect(open.map(({ id }) => id)).toEqual(shown)
  })
})

describe('a fundraiser without a charge', () => {
  it('fails with the provider’s message', async () => {
    world.provider.misbehave('createStaticCharge', { refuse: 400, message: 'Not today.' })
    const refused = { code: 'provider-refused', facts: { message: 'Not today.' } }
    await expect(fundraise('10', '100')).rejects.toMatchObject(refused)
    const { id } = await world.database.read.fundraiser.findFirstOrThrow()
    await expect(world.tipping.pools.fundraiser(id)).rejects.toMatchObject(refused)
    expect((await world.tipping.audit()).mayHaveArrived).toBe(0n)
    await expect(world.tipping.pools.fundraiser('none')).rejects.toMatchObject({ code: 'not-there' })
    await expect(giveTo('none')).rejects.toMatchObject({ code: 'not-there' })
  })

  it('does not affect other fundraisers', async () => {
    const { id } = await fundraise('10', '100')
    world.provider.misbehave('createStaticCharge', { refuse: 400, message: 'Not today.' })
    await expect(fundraise('10', '100')).rejects.toMatchObject({ code: 'provider-refused' })
    expect((await world.tipping.pools.fundraiser(id)).state).toBe('open')
  })

  it('cannot be viewed before the provider has answered', async () => {
    const looked = Promise.withResolvers<unknown>()
    const before = async () => {
      const { id } = await world.database.read.fundraiser.findFirstOrThrow()
      await world.tipping.pools.fundraiser(id).then(looked.resolve, looked.resolve)
    }
    world.provider.misbehave('createStaticCharge', { before })
    await fundraise('10', '100')
    expect(await looked.promise).toMatchObject({ code: 'provider-unreachable' })
  })
})

describe('the charge of a fundraiser', () => {
  it('is refused if it permits more payments than planned, but not if it permits fewer', async () => {
    world.provider.misbehave('createStaticCharge', { answer: { allowedSlots: 4 } })
    const refused = { code: 'provider-refused', facts: { message: 'The new charge can be paid more than 3 times.' } }
    await expect(fundraise('10', '30')).rejects.toMatchObject(refused)
    world.provider.misbehave('createStaticCharge', { answer: { allowedSlots: 2 } })
    expect(await fundraise('10', '30')).toMatchObject({ state: 'open' })
  })

  it('has all its payments credited, however many arrived since the last poll', async () => {
    const open = await fundraise('1', '1000')
    for (const times of [1, 399, 1]) {
      for (let n = 1; n < times; n += 1) world.provider.payCharge(world.provider.chargeOf(open.request).id)
      await paid(open)
    }
    expect(await world.tipping.pools.fundraiser(open.id)).toMatchObject({ raised: sats(401), payments: 401 })
    const steps = await world.database.read.entry.findMany({ where: { operation: open.id }, select: { step: true } })
    expect(new Set(steps.map(({ step }) => step))).toEqual(new Set(steps.map((_, n) => `slot:${n + 1}`)))
  })
})

describe('a gift to a fundraiser', () => {
  it('makes its giver wait 5 seconds before another gift to the same fundraiser', async () => {
    for (const member of ['alice', 'bob']) await world.fund(member, 100)
    const [one, other] = [await fundraise('10', '100'), await fundraise('10', '100')]
    await giveTo(one.id)
    const until = new Date(world.clock.now() + 5_000)
    await expect(giveTo(one.id)).rejects.toMatchObject({ code: 'cooling-down', facts: { until } })
    await giveTo(one.id, 'bob')
    await giveTo(other.id)
    await give('10')
    world.clock.jump(4_999)
    await expect(giveTo(one.id)).rejects.toMatchObject({ code: 'cooling-down', facts: { until } })
    world.clock.jump(1)
    await giveTo(one.id)
    expect(await world.tipping.pools.fundraiser(one.id)).toMatchObject({ raised: sats(30), payments: 3 })
    expect(await world.available('alice')).toBe(sats(60))
  })

  it('makes its giver wait from the latest gift even if the clock is set back', async () => {
    await world.fund('alice', 100)
    const { id } = await fundraise('10', '100')
    world.clock.jump(60_000)
    const until = new Date(world.clock.now() + 5_000)
    await giveTo(id)
    world.clock.jump(-3_000)
    await giveTo(id)
    world.clock.jump(4_000)
    await expect(giveTo(id)).rejects.toMatchObject({ code: 'cooling-down', facts: { until } })
  })

  it('is refused, with balance and shortfall, if it exceeds the giver’s balance', async () => {
    await world.fund('alice', 70)
    const { id } = await fundraise('100', '1000')
    await expect(giveTo(id)).rejects.toMatchObject({
      code: 'insufficient-funds',
      facts: { balance: sats(70), needed: sats(100), missing: sats(30) },
    })
    expect(await world.tipping.pools.fundraiser(id)).toMatchObject({ raised: 0n, payments: 0 })
  })

  it('is logged like a gift to the pool, and redraws the fundraiser’s card', async () => {
    await world.fund('alice', 100)
    const { id } = await fundraise('10', '100')
    const before = (await cardOf(id)).revision
    await giveTo(id)
    expect((await cardOf(id)).revision).toBe(before + 1)
    expect(await give('20')).toEqual({ member: 'alice', amount: sats(20), pool: sats(30) })
    expect((await log()).slice(1)).toEqual([
      ['fund', 'alice', { amount: '10000', from: 'balance', fundraiser: id }],
      ['fund', 'alice', { amount: '20000', from: 'balance' }],
    ])
  })
})

describe('a fundraiser that a moderator closes', () => {
  it('is closed only once, has its card redrawn, and is logged with the moderator', async () => {
    const { id } = await fundraise('10', '100')
    const before = (await cardOf(id)).revision
    const endedAt = new Date(world.clock.now())
    expect(await close(id)).toMatchObject({ state: 'closed', endedAt })
    expect((await cardOf(id)).revision).toBe(before + 1)
    await expect(close(id)).rejects.toMatchObject({ code: 'fundraiser-over' })
    expect((await cardOf(id)).revision).toBe(before + 1)
    expect((await log()).slice(1)).toEqual([['fundraiser-closed', 'owner', { fundraiser: id }]])
  })

  it('has its charge disabled at the provider, unlike an open fundraiser', async () => {
    const [over, open] = [await fundraise('10', '100'), await fundraise('7', '70')]
    await paid(open)
    await world.settle()
    expect(world.provider.count('updateStaticCharge')).toBe(0)
    expect((await world.tipping.audit()).mayHaveArrived).toBe(sats(163))
    // By now the provider is asked seldom; that one is over is news to it at once.
    await world.pass(3_600_000)
    await close(over.id)
    await world.settle()
    expect(world.provider.chargeOf(over.request).allowedSlots).toBe(0)
    await world.pass(3_600_000)
    expect(world.provider.chargeOf(open.request).allowedSlots).toBe(10)
    expect(world.provider.count('updateStaticCharge')).toBe(1)
    expect((await world.run(world.tipping.audit())).mayHaveArrived).toBe(sats(63))
  })
})

describe('the history of a pool', () => {
  it('shows each contributor, sum and source since a given time, newest first', async () => {
    expect(await world.tipping.pools.history(guild, new Date(0))).toEqual([])
    await world.fund('alice', 100)
    await give('10')
    await give('5', 'elsewhere')
    world.clock.jump(1_000)
    const since = new Date(world.clock.now())
    const { id } = await fundraise('20', '100')
    await giveTo(id)
    world.clock.jump(1_000)
    await paid(await fund('30'))
    const lines = [
      { what: 'charge', amount: sats(30), balance: sats(60), member: 'mod' },
      { what: 'gift', amount: sats(20), balance: sats(30), member: 'alice', at: since },
      { what: 'gift', amount: sats(10), balance: sats(10), member: 'alice' },
    ]
    expect(await world.tipping.pools.history(guild, new Date(0))).toMatchObject(lines)
    const recent = await world.tipping.pools.history(guild, since)
    expect(recent).toMatchObject(lines.slice(0, 2))
    expect(recent).toHaveLength(2)
    expect(await world.tipping.pools.export({ guild, member: 'owner' })).toMatchObject(lines.toReversed())
    expect((await log()).at(-1)).toEqual(['export', 'owner', { lines: 3 }])
  })

  it('shows a reward that waits for approval, and its return after a denial', async () => {
    await world.fund('alice', 100)
    await give('100')
    const { pools, rewards, preferences } = world.tipping
    await pools.budget({ guild, member: 'owner', role: 'mods', amount: '100', period: 'day' })
    await preferences.changeServer({ guild, member: 'owner', change: { approvalAbove: sats(5) } })
    const { id } = await rewards.give({
      ...{ guild, member: 'mod', roles: ['mods'], to: { id: 'bob', bot: false }, amount: '40', reason: 'Cake' },
      origin: world.origin(),
    })
    await rewards.deny({ reward: id, member: 'second' })
    const shared = { member: 'mod', recipient: 'bob', reason: 'Cake' }
    expect((await pools.history(guild, new Date(0))).slice(0, 2)).toMatchObject([
      { ...shared, what: 'returned', amount: sats(40), balance: sats(100) },
      { ...shared, what: 'asked', amount: -sats(40), balance: sats(60) },
    ])
  })

  it('is complete even with 501 moves', async () => {
    await world.fund('alice', 501)
    await Promise.all(Array.from({ length: 501 }, () => give('1')))
    const lines = await world.tipping.pools.history(guild, new Date(0))
    expect(lines.map(({ balance }) => balance)).toEqual(Array.from({ length: 501 }, (_, index) => sats(501 - index)))
    expect(new Set(lines.map(({ operation }) => operation)).size).toBe(501)
  })
})
