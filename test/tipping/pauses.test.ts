import { beforeEach, describe, expect, it } from 'vitest'
import type { Tipping } from '../../src/tipping/tipping.ts'
import type { Fault } from '../support/scripted-provider.ts'
import { invoiceFor } from './withdrawals/outside.ts'
import { TippingWorld } from './world.ts'

let world: TippingWorld
/** The bot that was started first on the book, and that does not learn what the second one does. */
let first: Tipping
let second: Tipping

beforeEach(async () => {
  world = await TippingWorld.open({ wallet: 1_000_000n, besideOthers: true })
  await world.fund('alice', 10_000)
  first = world.tipping
  second = await world.start()
})

const pause = () => second.administration.pause({ operator: 'olivia', reason: 'looking' })

const sent = () => world.provider.calls.filter(({ operation }) => /^(pay|send|create)/.test(operation)).length

describe('a pause in the book stops the next payment of another process', () => {
  it('if it is a payout whose gamertag is being looked up', async () => {
    await world.linked('bob')
    const before = sent()
    world.provider.misbehave('getGamertagByUserId', { before: pause })
    const to = [{ id: 'bob', bot: false }]
    const tip = await world.run(first.tips.send({ from: 'alice', to, amount: '100', origin: world.origin() }))
    expect(tip.shares[0]).toMatchObject({ state: 'kept', because: 'paused', reason: 'looking' })
    expect(sent()).toBe(before)
    expect(await world.available('bob')).toBe(100_000n)
  })

  it.each([
    ['a withdrawal by code', () => ({})],
    ['a withdrawal to an invoice', () => ({ to: invoiceFor(world, 500) })],
  ])('if it is %s', async (_, destination) => {
    const request = { member: 'alice', amount: '500', ...destination() }
    const { id } = await first.withdrawals.ask({ ...request, origin: world.origin() })
    const before = sent()
    await pause()
    const confirmed = first.withdrawals.confirm({ withdrawal: id, member: 'alice', origin: world.origin() })
    expect(await world.run(confirmed)).toMatchObject({ state: 'returned', because: 'paused', reason: 'looking' })
    expect(sent()).toBe(before)
    expect(await world.available('alice')).toBe(10_000_000n)
  })

  it('if it is a voucher or the code of a drop', async () => {
    const before = sent()
    await pause()
    const made = await world.run(first.vouchers.create({ member: 'alice', amount: '500', origin: world.origin() }))
    expect(made.state).toBe('failed')
    const drop = { member: 'alice', amount: '10', shares: 3, minutes: 60, codes: true }
    await world.run(first.drops.open({ ...drop, origin: world.origin() }))
    await world.pass(10_000)
    expect(sent()).toBe(before)
    expect(await world.available('alice')).toBe(10_000_000n)
  })
})

describe('a payout whose request may never have arrived', () => {
  it('stays unknown and is not sent again during a pause, and is paid once afterwards', async () => {
    const bob = await world.linked('bob')
    const unheard: Fault = 'error'
    world.provider.misbehave('payToGamertag', unheard, unheard, unheard)
    const to = [{ id: 'bob', bot: false }]
    const tip = await world.run(first.tips.send({ from: 'alice', to, amount: '100', origin: world.origin() }))
    const state = async () => (await first.tips.view(tip.id)).shares[0]?.state
    expect(await state()).toBe('unknown')
    await pause()
    await world.pass(5 * 60_000)
    expect(world.provider.count('payToGamertag')).toBe(3)
    expect(await state()).toBe('unknown')
    await second.administration.resume({ operator: 'olivia' })
    await world.pass(10 * 60_000)
    expect(await state()).toBe('paid')
    expect(world.received(bob)).toBe(100_000n)
  })
})

describe('the pauses in the book', () => {
  const paused = async (tipping: Tipping) => (await tipping.administration.status()).paused?.reason

  it('include one that begins while an earlier one is being ended', async () => {
    await pause()
    const ends = second.administration.resume({ operator: 'olaf' })
    const said = second.administration.pause({ operator: 'olivia', reason: 'looking again' })
    await world.run(Promise.all([ends, said]))
    expect(await paused(second)).toBe('looking again')
    await second.administration.resume({ operator: 'olaf' })
    await world.restart()
    expect(await paused(world.tipping)).toBeUndefined()
  })

  it('are shown in other processes at once, but end there only at the next sweep', async () => {
    const ask = () => first.withdrawals.ask({ member: 'alice', amount: '500', origin: world.origin() })
    await pause()
    expect(await paused(first)).toBe('looking')
    await second.administration.resume({ operator: 'olaf' })
    await expect(ask()).rejects.toMatchObject({ code: 'outgoing-paused-by-operator' })
    await world.pass(2 * 60_000)
    await ask()
  })

  it('can be ended by any process of the book', async () => {
    await pause()
    await first.administration.resume({ operator: 'olaf' })
    await world.pass(2 * 60_000)
    await second.withdrawals.ask({ member: 'alice', amount: '500', origin: world.origin() })
  })

  it('are in force in the process that began them even if they could not be written', async () => {
    world.failCommits = 1
    await expect(pause()).rejects.toThrow()
    expect(await paused(second)).toBe('looking')
    await second.administration.resume({ operator: 'olaf' })
    expect(await paused(second)).toBeUndefined()
  })
})
