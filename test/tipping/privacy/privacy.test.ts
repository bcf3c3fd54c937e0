import { describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { NO_LIMITS } from '../../../src/tipping/core/gift-limits.ts'
import { claim as claimShare, open as openDrop } from '../drops/drop-steps.ts'
import { aliceHasSome } from '../funded-world.ts'
import type { TippingWorld } from '../world.ts'

/** The settings with which activity is in the book a minute later. */
const NOTED = { settings: { noteActiveEveryMs: 60_000 } }

let world: TippingWorld
async function tip(from: string, to: string, amount: string, note?: string) {
  const command = { from, to: [{ id: to, bot: false }], amount, note, origin: world.origin() }
  return await world.run(world.tipping.tips.send(command))
}

const has = async (member: string) => Number(await world.tipping.balances.available(member)) / 1_000

describe('an export of a member’s data', () => {
  it('contains their actions and gifts as plain data, and no internal key', async () => {
    world = await aliceHasSome(NOTED)
    await world.tipping.balances.view('bob')
    await tip('alice', 'bob', '100', 'for the ride')
    await tip('carol', 'bob', '1').catch(() => undefined)
    await world.linked('alice')
    await world.tipping.preferences.change({ member: 'alice', change: { language: 'de' } })
    world.tipping.rain.heard('guild', 'alice')
    await world.clock.advance(61_000)
    const exported = await world.tipping.privacy.export('alice')
    expect(exported).toMatchObject({
      discordId: 'alice',
      settings: [{ id: 'alice', language: 'de' }],
      links: [{ gamertag: 'alice-tag' }],
      tipsGiven: [{ note: 'for the ride', total: '100000', shares: [{ recipient: 'bob', amount: '100000' }] }],
      deposits: [{ amount: '1000000', state: 'paid' }],
      presence: [{ guild: 'guild' }],
    })
    const text = JSON.stringify(exported)
    expect(JSON.parse(text)).toEqual(exported)
    const [deposit] = await world.database.read.deposit.findMany()
    expect(text).not.toContain(deposit?.key)
    expect(text).not.toContain(deposit?.provider)
  })

  it('contains no withdrawal code, since a reader could claim the sats with it', async () => {
    world = await aliceHasSome()
    const { withdrawals } = world.tipping
    const { id } = await world.run(withdrawals.ask({ member: 'alice', amount: '50', origin: world.origin() }))
    await world.run(withdrawals.confirm({ withdrawal: id, member: 'alice', origin: world.origin() }))
    const { request, state } = await world.database.read.withdrawal.findUniqueOrThrow({ where: { id } })
    expect(state).toBe('offered')
    const exported = await world.tipping.privacy.export('alice')
    expect(exported).toMatchObject({ withdrawals: [{ id, amount: '50000' }] })
    expect(JSON.stringify(exported).toLowerCase()).not.toContain(request?.toLowerCase())
  })

  it('shows recipients the tips that they received, and shows strangers no tips', async () => {
    world = await aliceHasSome()
    await tip('alice', 'bob', '100', 'for the ride')
    expect(await world.tipping.privacy.export('bob')).toMatchObject({
      tipsGiven: [],
      tipsReceived: [{ amount: '100000', tip: { sender: 'alice', note: 'for the ride' } }],
    })
    expect(JSON.stringify(await world.tipping.privacy.export('carol'))).not.toContain('alice')
  })
})

describe('the warning before the deletion of a member’s data', () => {
  it('lists the sats in the member’s balance, in flight and in open gifts', async () => {
    world = await aliceHasSome()
    const drop = await openDrop(world, { amount: '100', shares: 2 })
    await claimShare(world, drop.id, 'bob')
    await tip('alice', 'carol', '30')
    const prize = { prize: '20', winners: 2, duration: '1h', origin: world.origin() }
    await world.tipping.giveaways.start({ member: 'alice', accountSince: new Date(0), ...prize })
    expect(await world.tipping.privacy.open('alice')).toEqual({
      ...{ available: sats(830), held: sats(30), inPots: sats(90), inVouchers: sats(0) },
      addresses: [],
    })
    expect(await world.tipping.privacy.open('carol')).toMatchObject({ available: 0n, held: 0n, inPots: 0n })
  })
})

describe('the deletion of a member’s data', () => {
  it('removes links, settings, texts and presence, while sats and bookings stay', async () => {
    world = await aliceHasSome(NOTED)
    await world.tipping.balances.view('bob')
    await tip('alice', 'bob', '100', 'for the ride')
    await world.linked('alice')
    await world.tipping.preferences.change({ member: 'alice', change: { language: 'de', receipts: true } })
    await world.clock.advance(61_000)
    world.tipping.rain.heard('guild', 'alice')
    const before = await world.tipping.history.export('alice')
    await world.tipping.privacy.forget('alice')
    await world.tipping.privacy.forget('alice')
    await world.clock.advance(61_000)

    const exported = await world.tipping.privacy.export('alice')
    expect(exported).toMatchObject({ links: [], presence: [], tipsGiven: [{ note: '' }] })
    expect(exported).toMatchObject({ settings: [{ language: null, receipts: false, hidden: true }] })
    expect(world.tipping.preferences.languageOf('alice')).toBeUndefined()
    expect(await world.tipping.history.export('alice')).toEqual(before.map((line) => ({ ...line, reason: '' })))
    expect(await has('alice')).toBe(900)
  })

  it('makes the member a newcomer, for whom a tip waits until they return', async () => {
    world = await aliceHasSome()
    await world.tipping.balances.view('bob')
    await world.linked('bob')
    await world.tipping.privacy.forget('bob')
    expect((await tip('alice', 'bob', '10')).shares).toMatchObject([{ state: 'parked' }])
    await world.tipping.claims.take({ member: 'bob', origin: world.origin() })
    expect(await has('bob')).toBe(10)
    expect((await tip('alice', 'bob', '5')).shares).toMatchObject([{ state: 'credited' }])
    expect(await has('bob')).toBe(15)
  })

  it('frees a Lightning account for another member, but does not reset its limits', async () => {
    world = await aliceHasSome({
      settings: { limits: { ...NO_LIMITS, perDay: sats(100) } },
    })
    await world.linked('alice')
    await tip('alice', 'bob', '100')
    await world.tipping.privacy.forget('alice')
    await world.fund('mallory', 500)
    await world.tipping.links.link({ member: 'mallory', gamertag: 'alice-tag', origin: world.origin() })
    await expect(tip('mallory', 'bob', '1')).rejects.toMatchObject({ code: 'limit-reached' })
    await expect(tip('alice', 'bob', '1')).rejects.toMatchObject({ code: 'limit-reached' })
  })

  it('does not affect a payment in flight', async () => {
    world = await aliceHasSome()
    await world.linked('alice')
    await world.fund('bob', 100)
    world.provider.misbehave('payToGamertag', 'act-then-hang', 'act-then-hang', 'act-then-hang')
    await tip('bob', 'alice', '50')
    expect((await world.tipping.privacy.open('alice')).held).toBe(sats(50))
    await world.tipping.privacy.forget('alice')
    await world.clock.advance(3_600_000)
    await world.settle()
    // It was paid, and forgetting where to was no reason to believe otherwise.
    expect(await world.tipping.privacy.open('alice')).toMatchObject({ available: sats(1_000), held: 0n })
  })
})
