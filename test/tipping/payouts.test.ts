import { describe, expect, it } from 'vitest'
import type { TipShare, TipView } from '../../src/tipping/tipping.ts'
import type { Fault } from '../support/scripted-provider.ts'
import { TippingWorld, type WorldOptions } from './world.ts'

let world: TippingWorld
let bob: string

/** Opens a world in which alice has 1,000 sats, and bob a gamertag wallet. */
async function begin(options: WorldOptions = {}): Promise<void> {
  world = await TippingWorld.open(options)
  await world.fund('alice', 1_000)
  bob = await world.linked('bob')
}

/** Tips bob 100 sats, and waits as long as the bot itself does. */
function tipBob(): Promise<TipView> {
  return world.run(world.tip('alice', 'bob', '100'))
}

async function shareOf(tip: TipView): Promise<TipShare | undefined> {
  return (await world.tipping.tips.view(tip.id)).shares[0]
}

/** Returns where bob has the 100 sats, his wallet or his balance here; they must be in exactly one of these. */
async function whereBobHasThem(): Promise<'wallet' | 'balance'> {
  const [wallet, balance] = [world.received(bob), await world.available('bob')]
  expect(wallet + balance).toBe(100_000n)
  expect([0n, 100_000n]).toContain(wallet)
  return wallet > 0n ? 'wallet' : 'balance'
}

/** Returns a fault three times, since the client itself sends a repeatable request three times. */
const thrice = (fault: Fault): Fault[] => [fault, fault, fault]

describe('a payout', () => {
  it.each<[string, Fault[], string]>([
    ['refuses', [{ refuse: 403, message: 'This key may not send.', code: 'missing_scope' }], 'refused'],
    ['has lost its node', thrice('nothing-sent'), 'unreachable'],
  ])('is kept in the balance if the provider %s', async (_, faults, because) => {
    await begin()
    world.provider.misbehave('payToGamertag', ...faults)
    const tip = await tipBob()
    expect(tip.shares[0]).toMatchObject({ state: 'kept', because, reason: expect.any(String) })
    expect(await whereBobHasThem()).toBe('balance')
    expect(await world.available('alice')).toBe(900_000n)
  })

  it('is kept in the balance if the provider is too busy', async () => {
    await begin()
    const busy: Fault = { refuse: 429, message: 'Slow down.', code: 'rate_limited' }
    world.provider.misbehave('payToGamertag', ...thrice(busy))
    const tip = await tipBob()
    expect(tip.shares[0]).toMatchObject({ state: 'kept', because: 'unreachable' })
    const card = await world.database.read.card.findFirstOrThrow({ where: { kind: 'tip', record: tip.id } })
    expect(card.revision).toBeGreaterThan(1)
  })

  it('stays in the balance if its member unlinks the gamertag during the look-up', async () => {
    await begin()
    const unlink = () => world.tipping.links.unlink({ member: 'bob', origin: world.origin() })
    world.provider.misbehave('getGamertagByUserId', { before: unlink })
    expect((await tipBob()).shares[0]).toMatchObject({ state: 'kept', because: 'unlinked' })
    expect(await whereBobHasThem()).toBe('balance')
  })

  it('contains no receiver id if the provider is not known to check it', async () => {
    await begin({ replays: false })
    expect((await tipBob()).shares[0]?.state).toBe('paid')
    expect(world.provider.calls.find((call) => call.operation === 'payToGamertag')?.body.receiverId).toBeUndefined()
  })
})

describe('a refund of a payout that settles after its timeout (fault 6)', () => {
  it.each<[string, Fault]>([
    ['never answers', 'act-then-hang'],
    ['answers 500', 'act-then-error'],
    ['breaks the connection', 'act-then-reset'],
    ['answers HTML', 'html'],
  ])('never happens, and the payout stays open, if a provider that has paid %s', async (_, fault) => {
    await begin()
    world.provider.misbehave('payToGamertag', ...thrice(fault))
    const tip = await tipBob()
    const state = tip.shares[0]?.state
    expect(['unknown', 'sending']).toContain(state)
    expect(await world.available('bob')).toBe(0n)
    await world.pass(120_000)
    expect((await shareOf(tip))?.state).toBe('paid')
    expect(await whereBobHasThem()).toBe('wallet')
    expect(
      new Set(world.provider.calls.filter((call) => call.key?.startsWith('payout')).map((call) => call.key)).size,
    ).toBe(1)
  })

  it('never happens after a new refusal of a later attempt, which proves nothing', async () => {
    await begin()
    const lost = { refuse: 403, message: 'This key may not send.', code: 'missing_scope' }
    world.provider.misbehave('payToGamertag', ...thrice('act-then-error'), lost)
    const tip = await tipBob()
    await world.pass(3_000)
    expect(world.provider.count('payToGamertag')).toBe(4)
    expect((await shareOf(tip))?.state).toBe('unknown')
    await world.pass(60_000)
    expect((await shareOf(tip))?.state).toBe('paid')
    expect(await whereBobHasThem()).toBe('wallet')
  })

  it('never happens, since a lost payout is polled even while no sweep runs', async () => {
    await begin({ settings: { sweepEveryMs: 24 * 3_600_000 } })
    await world.pass(2 * 24 * 3_600_000 + 3_600_000)
    world.provider.misbehave('payToGamertag', ...thrice('act-then-error'))
    const tip = await tipBob()
    expect(tip.shares[0]?.state).toBe('unknown')
    await world.pass(5_000)
    expect((await shareOf(tip))?.state).toBe('paid')
  })

  it('never happens at a provider without replay (fault 17), and operators are alerted', async () => {
    await begin({ replays: false })
    world.provider.misbehave('payToGamertag', 'act-then-error')
    const tip = await tipBob()
    await world.pass(3 * 24 * 3_600_000)
    expect((await shareOf(tip))?.state).toBe('unknown')
    expect(await world.tipping.balances.view('bob')).toMatchObject({ available: 0n, inFlight: 100_000n })
    expect(world.provider.count('payToGamertag')).toBe(1)
    expect(await world.database.read.alert.findMany()).toMatchObject([{ kind: 'payout-unknown' }])
  })
})

describe('a second attempt that is refused because the first one paid (fault 29)', () => {
  it('leaves the payout unknown even if that refusal is replayed', async () => {
    await begin()
    await world.available('carol')
    const book = world.provider.wallet
    world.provider.misbehave('payToGamertag', 'act-forget-then-error')
    const empty = () => {
      world.provider.wallet = 0n
    }
    world.provider.misbehave('payToGamertag', { before: empty })
    const tip = await tipBob()
    await world.pass(600_000)
    expect((await shareOf(tip))?.state).toBe('unknown')
    expect(world.provider.count('payToGamertag')).toBeGreaterThan(3)
    expect(await world.tipping.balances.view('bob')).toMatchObject({ available: 0n, inFlight: 100_000n })
    world.provider.wallet = book - 100_000n
  })

  it('unlike one refused for another reason, does not return the sats to the balance', async () => {
    await begin()
    world.provider.misbehave('payToGamertag', 'reset')
    world.provider.misbehave('payToGamertag', { before: () => world.provider.rename(bob, 'bobby') })
    const tip = await tipBob()
    await world.pass(600_000)
    expect(await shareOf(tip)).toMatchObject({ state: 'kept', because: 'refused' })
    expect(await whereBobHasThem()).toBe('balance')
  })
})

describe('a payout whose process is killed (faults 18, 21)', () => {
  it('returns to the balance if it was not marked as sent, since nothing was sent', async () => {
    await begin({ settings: { payoutTimeoutMs: 0 } })
    world.provider.misbehave('getGamertagByUserId', 'hang')
    const tip = await world.tip('alice', 'bob', '100')
    expect(tip.shares[0]?.state).toBe('sending')
    await world.provider.asked('getGamertagByUserId')
    await world.restart()
    await world.settle()
    expect(await shareOf(tip)).toMatchObject({ state: 'kept', because: 'interrupted' })
    expect(await whereBobHasThem()).toBe('balance')
    expect(world.provider.count('payToGamertag')).toBe(0)
  })

  it.each<[string, Fault]>([
    ['before the provider paid', 'hang'],
    ['after the provider paid', 'act-then-hang'],
  ])('is repeated under the same key and arrives once if the process died %s', async (_, fault) => {
    await begin({ settings: { payoutTimeoutMs: 0 } })
    world.provider.misbehave('payToGamertag', fault)
    const tip = await world.tip('alice', 'bob', '100')
    await world.provider.asked('payToGamertag')
    expect((await shareOf(tip))?.state).toBe('sending')
    await world.restart()
    await world.settle()
    expect(await shareOf(tip)).toMatchObject({ state: 'paid' })
    expect(await world.transactionOf(tip.id)).toEqual(expect.any(String))
    expect(await whereBobHasThem()).toBe('wallet')
    const [first, second] = world.provider.calls.filter((call) => call.operation === 'payToGamertag')
    expect(second).toEqual(first)
  })

  it('stays unknown and is not repeated if it was sent to a provider without replay', async () => {
    await begin({ replays: false, settings: { payoutTimeoutMs: 0 } })
    world.provider.misbehave('payToGamertag', 'act-then-hang')
    const tip = await world.tip('alice', 'bob', '100')
    await world.provider.asked('payToGamertag')
    await world.restart()
    await world.settle()
    await world.pass(25 * 3_600_000)
    expect((await shareOf(tip))?.state).toBe('unknown')
    expect(world.provider.count('payToGamertag')).toBe(1)
  })

  it('is not repeated at the next start if the bot then has another API key', async () => {
    await begin({ settings: { payoutTimeoutMs: 0 } })
    world.provider.misbehave('payToGamertag', 'act-then-hang')
    const tip = await world.tip('alice', 'bob', '100')
    await world.provider.asked('payToGamertag')
    await world.restart({ apiKey: 'another' })
    await world.pass(3_600_000)
    expect((await shareOf(tip))?.state).toBe('unknown')
    expect(world.provider.count('payToGamertag')).toBe(1)
  })
})

describe('two workers on one payout (fault 15)', () => {
  it('send no request after a timed-out look-up if one of them has returned the payout', async () => {
    await begin({ settings: { payoutTimeoutMs: 0 } })
    world.provider.misbehave('getGamertagByUserId', 'hang')
    const tip = await world.tip('alice', 'bob', '100')
    const slow = world.tipping
    await world.start()
    await world.settle()
    expect((await shareOf(tip))?.state).toBe('kept')
    await world.pass(60_000) // The first worker's look-up times out, and it goes on.
    await world.run(slow.settled())
    expect(world.provider.count('payToGamertag')).toBe(0)
    expect(await whereBobHasThem()).toBe('balance')
  })

  it('send no request after a late look-up if one of them has returned the sats', async () => {
    await begin({ settings: { payoutTimeoutMs: 0 } })
    const late = Promise.withResolvers<void>()
    world.provider.misbehave('getGamertagByUserId', { before: () => late.promise })
    const tip = await world.tip('alice', 'bob', '100')
    const slow = world.tipping
    await world.provider.asked('getGamertagByUserId')
    await world.start()
    await world.settle()
    expect((await shareOf(tip))?.state).toBe('kept')
    late.resolve()
    await world.run(slow.settled())
    expect(world.provider.count('payToGamertag')).toBe(0)
    expect(await whereBobHasThem()).toBe('balance')
  })

  it('record the outcome only once even if both learn it', async () => {
    await begin({ settings: { payoutTimeoutMs: 0 } })
    world.provider.misbehave('payToGamertag', 'act-then-hang')
    const tip = await world.tip('alice', 'bob', '100')
    await world.provider.asked('payToGamertag')
    await world.start()
    await world.start()
    await world.settle()
    await world.pass(60_000)
    expect((await shareOf(tip))?.state).toBe('paid')
    expect(await whereBobHasThem()).toBe('wallet')
  })
})

describe('a paid payout with an unreadable answer (fault 16)', () => {
  it('has an unknown outcome until the provider shows the transaction', async () => {
    await begin()
    world.provider.misbehave('payToGamertag', { answer: { status: 'on its way' } })
    const tip = await tipBob()
    expect(tip.shares[0]?.state).toBe('unknown')
    world.provider.misbehave('getGamertagPayment', 'error', 'error', 'error')
    await world.pass(60_000)
    expect((await shareOf(tip))?.state).toBe('paid')
    expect(world.provider.count('payToGamertag')).toBe(1)
    expect(await whereBobHasThem()).toBe('wallet')
  })
})

describe('the unknown outcome of a payout', () => {
  it('is reported to operators after an hour, with the provider’s latest answer', async () => {
    await begin()
    world.provider.misbehave('payToGamertag', ...thrice('act-then-error'))
    const told = { refuse: 400, message: 'The wallet is empty.', code: 'insufficient_funds' }
    world.provider.misbehave('payToGamertag', ...Array<Fault>(200).fill(told))
    await tipBob()
    await world.pass(3_600_000 - 60_000)
    expect(await world.database.read.alert.count()).toBe(0)
    expect((await world.tipping.administration.unknown(1))[0]?.evidence).toBe('The wallet is empty.')
    await world.pass(2 * 3_600_000)
    expect(await world.database.read.alert.findMany()).toMatchObject([
      { kind: 'payout-unknown', text: expect.stringContaining('The wallet is empty.') },
    ])
  })

  it('is shown to operators with the unrecognized status that the provider reports', async () => {
    await begin()
    world.provider.misbehave('payToGamertag', { answer: { status: 'on its way' } })
    world.provider.misbehave('getGamertagPayment', ...Array<Fault>(3).fill({ answer: { status: 'on its way' } }))
    const tip = await tipBob()
    expect((await world.tipping.administration.unknown(1))[0]?.evidence).toBe('the provider says "on its way"')
    await world.pass(120_000)
    expect((await shareOf(tip))?.state).toBe('paid')
  })

  it('becomes known when the transaction can be read by its id, even days later', async () => {
    await begin({ replays: false })
    world.provider.misbehave('payToGamertag', { answer: { status: 'on its way' } })
    world.provider.misbehave('getGamertagPayment', ...Array<Fault>(300).fill('error'))
    const tip = await tipBob()
    await world.pass(2 * 24 * 3_600_000)
    expect((await shareOf(tip))?.state).toBe('unknown')
    world.provider.stopMisbehaving('getGamertagPayment')
    await world.pass(2 * 24 * 3_600_000)
    expect((await shareOf(tip))?.state).toBe('paid')
  })
})

describe('a storm of tips while the service is down (fault 25)', () => {
  it('has each tip credited once, and later tips go to the wallet', async () => {
    await begin({ settings: { payoutTimeoutMs: 0 } })
    await world.provider.down()
    const tips = await Promise.all(Array.from({ length: 50 }, () => world.tip('alice', 'bob', '1')))
    await world.run(world.tipping.settled())
    for (const tip of tips) expect(await shareOf(tip)).toMatchObject({ state: 'kept', because: 'unreachable' })
    await world.provider.up()
    expect(await world.available('bob')).toBe(50_000n)
    const last = await world.tip('alice', 'bob', '1')
    await world.settle()
    expect((await shareOf(last))?.state).toBe('paid')
    expect(world.received(bob)).toBe(1_000n)
  })
})

describe('a payout to a renamed gamertag whose old name somebody takes (fault 27)', () => {
  it('reaches the same person if the name changed before the tip', async () => {
    await begin()
    world.provider.rename(bob, 'bobby')
    const mallory = world.provider.user('bob-tag')
    expect((await tipBob()).shares[0]?.state).toBe('paid')
    expect(world.received(bob)).toBe(100_000n)
    expect(world.received(mallory)).toBe(0n)
  })

  it('moves no sats if the name changed before the payment and the provider checks it', async () => {
    await begin()
    let mallory = ''
    const swap = () => {
      world.provider.rename(bob, 'bobby')
      mallory = world.provider.user('bob-tag')
    }
    world.provider.misbehave('payToGamertag', { before: swap })
    expect((await tipBob()).shares[0]).toMatchObject({ state: 'kept', because: 'refused' })
    expect(world.received(mallory)).toBe(0n)
    expect(await whereBobHasThem()).toBe('balance')
  })

  it('is compensated by the operator, and the link is frozen, if names are not checked', async () => {
    await begin({ replays: false, wallet: 1_000_000n })
    let mallory = ''
    const swap = () => {
      world.provider.rename(bob, 'bobby')
      mallory = world.provider.user('bob-tag')
    }
    world.provider.misbehave('payToGamertag', { before: swap })
    expect((await tipBob()).shares[0]).toMatchObject({ state: 'kept', because: 'misdirected' })
    expect(world.received(mallory)).toBe(100_000n)
    expect(await world.available('bob')).toBe(100_000n)
    expect((await world.tipping.audit()).operator).toBe(900_000n)
    expect((await tipBob()).shares[0]?.state).toBe('credited')
    await world.tipping.links.link({ member: 'bob', gamertag: 'bobby', origin: world.origin() })
    expect((await tipBob()).shares[0]?.state).toBe('paid')
    expect(world.received(bob)).toBe(100_000n)
  })
})

describe('a Lightning account that one member unlinks and another links (fault 31)', () => {
  it('leaves the balance with the member who had it', async () => {
    await begin()
    world.provider.misbehave('payToGamertag', { refuse: 403, message: 'not now', code: 'missing_scope' })
    await tipBob()
    await world.tipping.links.unlink({ member: 'bob', origin: world.origin() })
    await world.tipping.links.link({ member: 'mallory', gamertag: 'bob-tag', origin: world.origin() })
    expect(await world.available('mallory')).toBe(0n)
    expect(await world.available('bob')).toBe(100_000n)
    expect((await world.database.read.link.findMany({ where: { lightningId: bob } })).length).toBe(2)
  })

  it('is never linked to more than one member at a time', async () => {
    await begin()
    const link = (member: string) => world.tipping.links.link({ member, gamertag: 'bob-tag', origin: world.origin() })
    await expect(link('mallory')).rejects.toMatchObject({ code: 'gamertag-linked-elsewhere' })
    await world.tipping.links.unlink({ member: 'bob', origin: world.origin() })
    const both = await Promise.allSettled([link('mallory'), link('carol')])
    expect(both.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected'])
  })
})
