import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../src/lib/money/amount.ts'
import { TippingWorld } from './world.ts'

let world: TippingWorld

beforeEach(async () => {
  world = await TippingWorld.open({ settings: { confirmAbove: sats(100) } })
  await world.fund('alice', 1_000)
  await world.tipping.balances.view('bob')
})
function ask(amount: string, more: { split?: boolean; to?: string[]; interaction?: string; accountSince?: Date } = {}) {
  const to = (more.to ?? ['bob']).map((id) => ({ id, bot: false }))
  return world.tipping.tips.ask({
    ...{ from: 'alice', to, amount, split: more.split, accountSince: more.accountSince ?? new Date(0) },
    origin: world.origin(more.interaction),
  })
}

async function asked(amount: string, more: Parameters<typeof ask>[1] = {}) {
  const given = await ask(amount, more)
  if (!('asked' in given)) throw new Error('it was sent at once')
  return given
}

describe('a gift that its giver must confirm', () => {
  it('is sent only once, even if its giver confirms it twice after a restart', async () => {
    const { asked: id, total } = await asked('101', { interaction: 'same' })
    expect((await asked('101', { interaction: 'same' })).asked).toBe(id)
    expect([total, await world.available('bob')]).toEqual([sats(101), 0n])
    await world.restart()
    await expect(
      world.tipping.tips.confirm({ asked: id, member: 'bob', origin: world.origin() }),
    ).rejects.toMatchObject({
      code: 'not-yours',
    })
    const again = () => world.tipping.tips.confirm({ asked: id, member: 'alice', origin: world.origin() })
    const [tip] = [await again(), await again()]
    expect(await world.available('bob')).toBe(sats(101))
    expect(await world.tipping.cards.get(tip.card)).toMatchObject({
      ...{ kind: 'tip', record: tip.id, audience: { channel: 'channel' } },
      origin: { interaction: `confirmed ${id}`, reply: 'reply' },
    })
  })

  it('is recognized by the sum for all recipients, and “half” stays as first computed', async () => {
    expect('asked' in (await ask('100'))).toBe(false)
    expect(await asked('60', { to: ['bob', 'carol'] })).toMatchObject({ total: sats(120), recipients: 2 })
    const { asked: id } = await asked('half')
    await world.fund('alice', 5_000)
    await world.tipping.tips.confirm({ asked: id, member: 'alice', origin: world.origin() })
    expect(await world.available('bob')).toBe(sats(550))
  })

  it('is shown with its recipients and the rest of its giver’s balance', async () => {
    const given = await asked('120', { to: ['bob', 'carol'], interaction: 'same' })
    expect(given).toMatchObject({ to: ['bob', 'carol'], total: sats(240), left: sats(760) })
    await world.run(ask('90'))
    expect(await asked('120', { interaction: 'same' })).toMatchObject({ left: sats(670) })
    for (let sent = 0; sent < 8; sent += 1) await world.run(ask('90'))
    // Less is there than it needs: nothing would be left, not less than nothing.
    expect(await asked('120', { interaction: 'same' })).toMatchObject({ total: sats(240), left: 0n })
  })

  it('prevents another gift by the same interaction', async () => {
    await asked('120', { interaction: 'same' })
    const drop = { member: 'alice', amount: '500', shares: 2, accountSince: new Date(0) }
    await expect(world.tipping.drops.ask({ ...drop, origin: world.origin('same') })).rejects.toMatchObject({
      code: 'already-done',
    })
  })

  it('is never sent unconfirmed, even if sats arrive at the same moment', async () => {
    await world.fund('bob', 1_000)
    const given = ask('1500').catch((refusal: { code: string }) => refusal.code)
    const arrives = world.tipping.tips.send({
      ...{ from: 'bob', to: [{ id: 'alice', bot: false }], amount: '900', origin: world.origin() },
    })
    await arrives
    expect(await given).toSatisfy((end) => end === 'insufficient-funds' || (typeof end === 'object' && 'asked' in end))
  })

  it('is not created when the command for a sent gift of “half” is delivered again', async () => {
    await ask('950', { interaction: 'large' }).then(async (given) => {
      if (!('asked' in given)) throw new Error('it was sent at once')
      await world.tipping.tips.confirm({ asked: given.asked, member: 'alice', origin: world.origin() })
    })
    const sent = await ask('half', { interaction: 'half of it' })
    expect(sent).toMatchObject({ total: sats(25) })
    expect(await world.available('alice')).toBe(sats(25))
    await world.restart()
    expect(await ask('half', { interaction: 'half of it' })).toEqual(sent)
    await world.fund('alice', 5_000)
    expect(await ask('half', { interaction: 'half of it' })).toEqual(sent)
    expect(await world.available('bob')).toBe(sats(975))
  })

  it.each(['all', ' ALL ', 'All\u200b', '\ufeffall'])(
    'can be below the confirmation limit if it takes the whole balance: %j',
    async (all) => {
      const [given] = await Promise.all([ask('950', { interaction: 'large' })])
      if (!('asked' in given)) throw new Error('it was sent at once')
      await world.tipping.tips.confirm({ asked: given.asked, member: 'alice', origin: world.origin() })
      const rest = await asked(all)
      expect(rest).toMatchObject({ total: sats(50), left: 0n, most: sats(100) })
      expect(await world.available('bob')).toBe(sats(950))
      await world.tipping.tips.confirm({ asked: rest.asked, member: 'alice', origin: world.origin() })
      expect(await world.available('bob')).toBe(sats(1_000))
    },
  )

  it('can be a drop, a giveaway or a gift to a pool of the whole balance', async () => {
    await world.tip('alice', 'carol', '950')
    const origin = () => world.origin()
    const [member, guild] = ['alice', 'guild']
    const asks = [
      await world.tipping.drops.ask({ member, amount: 'all', shares: 2, origin: origin() }),
      await world.tipping.giveaways.ask({ member, prize: 'all', winners: 1, duration: '1h', origin: origin() }),
      await world.tipping.pools.ask({ member, guild, amount: 'all', origin: origin() }),
    ]
    expect(asks.map((given) => 'asked' in given)).toEqual([true, true, true])
    expect(await world.available('alice')).toBe(sats(50))
  })

  it('leads to the same question and sum even if the balance has changed since', async () => {
    const first = await asked('all', { interaction: 'everything' })
    await world.tip('alice', 'carol', '950')
    expect(await asked('all', { interaction: 'everything' })).toEqual(first)
    expect(first.total).toBe(sats(1_000))
    await expect(
      world.tipping.tips.confirm({ asked: first.asked, member: 'alice', origin: world.origin() }),
    ).rejects.toMatchObject({ code: 'insufficient-funds' })
  })

  it('leads to the same question even if the confirmation limit has changed', async () => {
    const first = await asked('150', { interaction: 'large' })
    await world.tipping.preferences.changeServer({ guild: 'guild', member: 'mod', change: { confirmAbove: sats(500) } })
    expect(await asked('150', { interaction: 'large' })).toEqual({ ...first, most: sats(500) })
    expect(await world.available('bob')).toBe(0n)
  })

  it('is subject to the limits for young accounts', async () => {
    const change = { newAccountPerDay: sats(150), newAccountDays: 7 }
    await world.tipping.preferences.changeServer({ guild: 'guild', member: 'mod', change })
    const young = new Date(world.clock.now() - 3_600_000)
    for (const [amount, accountSince, outcome] of [
      ['151', young, { status: 'rejected', reason: { code: 'limit-new-account' } }],
      ['150', young, { status: 'fulfilled' }],
      ['151', new Date(0), { status: 'fulfilled' }],
    ] as const) {
      const { asked: id } = await asked(amount, { accountSince })
      const tip = world.tipping.tips.confirm({ asked: id, member: 'alice', origin: world.origin() })
      expect((await Promise.allSettled([tip]))[0]).toMatchObject(outcome)
    }
  })

  it('is one above the server’s limit, and is refused at once if above the balance', async () => {
    await world.tipping.preferences.changeServer({ guild: 'guild', member: 'mod', change: { confirmAbove: sats(500) } })
    expect('asked' in (await ask('500'))).toBe(false)
    await expect(ask('600')).rejects.toMatchObject({ code: 'insufficient-funds' })
  })
})

describe('the confirmation of a gift', () => {
  it('states one sum even if two simultaneous deliveries choose different people', async () => {
    for (const who of ['bob', 'carol', 'dave']) world.tipping.rain.heard('guild', who)
    const origin = world.origin('the-same')
    const rain = { from: 'alice', guild: 'guild', amount: '1000', activeWithinMinutes: 60, origin }
    const [all, two] = await Promise.all([
      world.tipping.rain.ask(rain),
      world.tipping.rain.ask({ ...rain, among: ['bob', 'carol'] }),
    ])
    if (!('asked' in all) || !('asked' in two)) throw new Error('it rained at once')
    expect(two).toEqual(all)
    const tip = await world.run(
      world.tipping.tips.confirm({ asked: all.asked, member: 'alice', origin: world.origin() }),
    )
    expect(tip.total).toBe(all.total)
  })

  it('is required before a large rain on randomly chosen people', async () => {
    for (const who of ['bob', 'carol', 'dave']) world.tipping.rain.heard('guild', who)
    const rain = { from: 'alice', guild: 'guild', amount: '601', people: 2, activeWithinMinutes: 60 }
    const given = await world.tipping.rain.ask({ ...rain, origin: world.origin() })
    if (!('asked' in given)) throw new Error('it rained at once')
    expect(given).toMatchObject({ total: sats(600), recipients: 2 })
    const again = { asked: given.asked, member: 'alice', origin: world.origin() }
    const [first, second] = [await world.tipping.tips.confirm(again), await world.tipping.tips.confirm(again)]
    expect(second.id).toBe(first.id)
    expect(first.shares.map(({ amount }) => amount)).toEqual([sats(300), sats(300)])
    const [card] = await world.database.read.card.findMany({ where: { id: first.card } })
    expect(card?.kind).toBe('rain')
    const small = await world.tipping.rain.ask({ ...rain, amount: '100', origin: world.origin() })
    expect('asked' in small).toBe(false)
  })

  it('pays only people who have not left, and returns the shares of the others', async () => {
    for (const who of ['bob', 'carol', 'dave']) world.tipping.rain.heard('guild', who)
    const rain = { from: 'alice', guild: 'guild', amount: '600', activeWithinMinutes: 60, origin: world.origin() }
    const given = await world.tipping.rain.ask(rain)
    if (!('asked' in given)) throw new Error('it rained at once')
    const word = { asked: given.asked, member: 'alice' }
    const confirm = (isHere: (id: string) => Promise<boolean>) =>
      world.run(world.tipping.tips.confirm({ ...word, origin: world.origin(), isStillMeant: ({ id }) => isHere(id) }))
    await expect(confirm(async () => false)).rejects.toMatchObject({ code: 'nobody-active' })
    const tip = await confirm(async (id) => id !== 'carol')
    expect(tip.shares.map(({ recipient, amount }) => [recipient, amount])).toEqual([
      ['bob', sats(200)],
      ['dave', sats(200)],
    ])
    expect(await world.available('alice')).toBe(sats(600))
    // Who comes back meanwhile gets nothing of it.
    expect((await confirm(async () => true)).id).toBe(tip.id)
  })

  it('is possible for 15 minutes, and repeating it later returns the same gift', async () => {
    const [early, late] = [await asked('101'), await asked('102')]
    const confirm = (id: string) =>
      world.run(world.tipping.tips.confirm({ asked: id, member: 'alice', origin: world.origin() }))
    await world.clock.advance(15 * 60_000 - 1_000)
    const { id } = await confirm(early.asked)
    await world.clock.advance(2_000)
    await expect(confirm(late.asked)).rejects.toMatchObject({ code: 'not-there' })
    expect((await confirm(early.asked)).id).toBe(id)
    expect(await world.available('alice')).toBe(sats(899))
  })

  it('is required before a large tip to a message, whose card then counts the tip', async () => {
    const tip = { from: 'alice', message: '77', author: { id: 'bob', bot: false } }
    const origin = { ...world.origin(), guild: 'guild' }
    const given = await world.tipping.messageTips.ask({ ...tip, amount: '500', origin })
    if (!('asked' in given)) throw new Error('it was sent at once')
    await expect(world.tipping.messageTips.view('77')).rejects.toMatchObject({ code: 'not-there' })
    await world.tipping.tips.confirm({ asked: given.asked, member: 'alice', origin: world.origin() })
    const other = { ...world.origin(), guild: 'guild' }
    await world.tipping.messageTips.ask({ ...tip, amount: '100', origin: other })
    expect(await world.tipping.messageTips.view('77')).toMatchObject({ total: sats(600), tips: 2 })
  })

  it('has its pending tip deleted after a day', async () => {
    const { asked: id } = await asked('101')
    const made = (hours: number) =>
      world.database.write.pendingTip.updateMany({
        data: { createdAt: new Date(world.clock.now() - hours * 3_600_000) },
      })
    await made(22)
    await world.pass(3_600_000)
    expect(await world.database.read.pendingTip.count()).toBe(1)
    await made(24)
    await world.pass(3_600_000)
    expect(await world.database.read.pendingTip.count()).toBe(0)
    const late = world.tipping.tips.confirm({ asked: id, member: 'alice', origin: world.origin() })
    await expect(late).rejects.toMatchObject({ code: 'not-there' })
  })
})

describe('above the confirmation limit', () => {
  const shares = { member: 'alice', shares: 2, accountSince: new Date(0) }
  const again = (asked: string) => ({ asked, member: 'alice', origin: world.origin() })

  it('a drop opens when it is confirmed, with the sum first computed for “all”', async () => {
    const { drops } = world.tipping
    const small = await drops.ask({ ...shares, amount: '100', origin: world.origin() })
    expect('asked' in small).toBe(false)
    const given = await drops.ask({ ...shares, amount: 'all', origin: world.origin() })
    if (!('asked' in given)) throw new Error('it was dropped at once')
    expect(given).toMatchObject({ total: sats(900), recipients: 2, most: sats(100), left: 0n, to: [] })
    expect(await world.available('alice')).toBe(sats(900))
    await world.fund('alice', 5_000)
    await world.restart()
    const bob = { ...again(given.asked), member: 'bob' }
    await expect(world.tipping.drops.confirm(bob)).rejects.toMatchObject({ code: 'not-yours' })
    await expect(world.tipping.tips.confirm(again(given.asked))).rejects.toMatchObject({ code: 'not-there' })
    const [first, second] = await Promise.all([1, 2].map(() => world.tipping.drops.confirm(again(given.asked))))
    expect(first).toMatchObject({ share: sats(450), shares: 2, state: 'open' })
    expect(second?.id).toBe(first?.id)
    expect(await world.available('alice')).toBe(sats(5_000))
  })

  it('a giveaway starts, with its full time, when its starter confirms it', async () => {
    const { giveaways } = world.tipping
    const terms = { member: 'alice', winners: 2, duration: '1h', accountSince: new Date(0), origin: world.origin() }
    const given = await giveaways.ask({ ...terms, prize: 'half' })
    if (!('asked' in given)) throw new Error('it was started at once')
    expect(given).toMatchObject({ total: sats(500), recipients: 2 })
    await world.fund('alice', 5_000)
    await world.pass(10 * 60_000)
    await expect(world.tipping.tips.confirm(again(given.asked))).rejects.toMatchObject({ code: 'not-there' })
    const started = await giveaways.confirm(again(given.asked))
    expect(started).toMatchObject({ prize: sats(250), winners: 2, state: 'open' })
    expect(started.endsAt.getTime()).toBe(world.clock.now() + 3_600_000)
    expect((await giveaways.confirm(again(given.asked))).id).toBe(started.id)
    expect(await world.available('alice')).toBe(sats(5_500))
  })

  it('a drop or giveaway is refused before the question if it would be refused later', async () => {
    const { drops, giveaways } = world.tipping
    const trivia = { ...shares, amount: '500', puzzle: 'trivia', origin: world.origin() } as const
    await expect(drops.ask(trivia)).rejects.toMatchObject({ code: 'drop-trivia-incomplete' })
    const endless = { member: 'alice', prize: '500', winners: 1, duration: '9w', origin: world.origin() }
    await expect(giveaways.ask(endless)).rejects.toMatchObject({ code: 'duration-out-of-range' })
  })
})

describe('an amount above both the balance and the confirmation limit', () => {
  const drop = () => ({ member: 'alice', amount: '2000', shares: 2, origin: world.origin() })
  const lacking = { balance: sats(1_000), needed: sats(2_000), missing: sats(1_000) }

  it.each<[string, () => Promise<unknown>, { code: string; facts: object }]>([
    ['a tip', () => ask('2000'), { code: 'insufficient-funds', facts: lacking }],
    ['a drop', () => world.tipping.drops.ask(drop()), { code: 'insufficient-funds', facts: lacking }],
    [
      'a drop of codes, with their fees',
      () => world.tipping.drops.ask({ ...drop(), codes: true }),
      {
        code: 'insufficient-with-fee',
        facts: { balance: sats(1_000), needed: sats(2_020), missing: sats(1_020), feeLimit: sats(20) },
      },
    ],
  ])('is refused immediately with the missing amount: %s', async (_, give, refused) => {
    await expect(give()).rejects.toMatchObject(refused)
  })
})

describe('a pool gift above the confirmation limit', () => {
  const again = (asked: string) => ({ asked, member: 'alice', origin: world.origin() })

  it('is confirmed with the amount first computed, even if the balance changes', async () => {
    const gift = { guild: 'guild', member: 'alice' }
    expect(await world.tipping.pools.ask({ ...gift, amount: '100', origin: world.origin() })).toMatchObject({
      amount: sats(100),
    })
    const given = await world.tipping.pools.ask({ ...gift, amount: 'half', origin: world.origin() })
    if (!('asked' in given)) throw new Error('it was given at once')
    expect(given).toMatchObject({ total: sats(450), recipients: 1, most: sats(100) })
    await world.fund('alice', 5_000)
    const twice = await Promise.all([1, 2].map(() => world.tipping.pools.confirm(again(given.asked))))
    expect(twice).toMatchObject([{ amount: sats(450), pool: sats(550) }, { pool: sats(550) }])
    for (const confirm of [world.tipping.drops.confirm, world.tipping.tips.confirm]) {
      await expect(confirm(again(given.asked))).rejects.toMatchObject({ code: 'not-there' })
    }
  })

  it('is refused before the question if it would be refused after the confirmation', async () => {
    await world.fund('alice', 5_000)
    const bounded = await world.start({ maxAmount: sats(2_000) })
    const gift = { guild: 'guild', member: 'alice', origin: world.origin() }
    const tooLarge = { code: 'amount-too-large', facts: { largest: sats(2_000) } }
    await expect(bounded.pools.ask({ ...gift, amount: '2001' })).rejects.toMatchObject(tooLarge)
    expect(await bounded.pools.ask({ ...gift, amount: '2000' })).toMatchObject({ asked: expect.any(String) })
  })

  it('counts towards its fundraiser, or is refused if the fundraiser is over', async () => {
    const { pools } = world.tipping
    const asked = { guild: 'guild', member: 'mod', amount: '300', goal: '900' }
    const { id: fundraiser } = await pools.fundraise({ ...asked, origin: world.origin() })
    const [first, second] = await Promise.all(
      [1, 2].map(() => pools.askTo({ fundraiser, member: 'alice', origin: world.origin() })),
    )
    if (!first || !second || !('asked' in first && 'asked' in second)) throw new Error('it was given at once')
    await pools.confirm(again(first.asked))
    expect(await pools.fundraiser(fundraiser)).toMatchObject({ raised: sats(300), state: 'open' })
    await pools.closeFundraiser({ fundraiser, member: 'mod' })
    await expect(pools.confirm(again(second.asked))).rejects.toMatchObject({ code: 'fundraiser-over' })
    expect(await world.available('alice')).toBe(sats(700))
  })
})
