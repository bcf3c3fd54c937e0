import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { markRestored } from '../../../src/tipping/audit/restored.ts'
import type { Fault } from '../../support/scripted-provider.ts'
import { TippingWorld } from '../world.ts'

let world: TippingWorld

beforeEach(async () => {
  world = await TippingWorld.open()
  await world.fund('alice', 1_000)
})
afterEach(() => world.close())

/** Starts the bot on its book as if that came from a backup. */
async function restored(): Promise<void> {
  await world.tipping.close()
  const now = new Date(world.clock.now())
  await markRestored(world.database, { madeAt: now.toISOString(), now, paused: false })
  await world.clock.advance(1_000)
  await world.start()
  await world.settle()
}

async function paused(): Promise<string | undefined> {
  await world.run(world.tipping.audit())
  await world.settle()
  return (await world.tipping.administration.status()).paused?.source
}

const openDeposit = (amount: string) => world.tipping.deposits.open({ member: 'alice', amount, origin: world.origin() })

describe('the pause after a restore', () => {
  it('ends by itself when the wallet agrees and everything that was open has been looked at', async () => {
    await openDeposit('500')
    await restored()
    expect(await paused()).toBeUndefined()
  })

  it.each<[string, Fault]>([
    ['fails', 'error'],
    ['is refused for the moment', { refuse: 429, message: 'Too many requests.' }],
    ['is refused to this key', { refuse: 403, message: 'This key may not.' }],
    ['cannot be understood', 'html'],
  ])('lasts while reading what was open %s, and is over once it could be read', async (_, fault) => {
    const charges = world.provider.charges.size
    await openDeposit('500')
    expect(world.provider.charges.size).toBe(charges + 1)
    // Any number of attempts: the wallet can be asked all the while.
    world.provider.misbehave('getStaticCharge', ...Array<Fault>(40).fill(fault))
    await restored()
    expect(await paused()).toBe('restore')
    expect(await paused()).toBe('restore')
    world.provider.stopMisbehaving('getStaticCharge')
    // The audit that still finds it unread has it read at once, however seldom it is looked at else.
    expect(await paused()).toBe('restore')
    expect(await paused()).toBeUndefined()
  })

  it('does not last for more than a day for what cannot be read', async () => {
    await openDeposit('500')
    world.provider.misbehave('getStaticCharge', ...Array<Fault>(4_000).fill('error'))
    await restored()
    expect(await paused()).toBe('restore')
    await world.pass(24 * 3_600_000 - 60_000)
    expect(await paused()).toBe('restore')
    await world.pass(60_000)
    expect(await paused()).toBeUndefined()
  })

  it('does not wait for a charge that the provider says it does not know', async () => {
    const { request } = await openDeposit('500')
    world.provider.charges.delete(world.provider.chargeOf(request).id)
    await restored()
    expect(await paused()).toBeUndefined()
  })

  it('does not wait for what was begun since', async () => {
    await restored()
    world.provider.misbehave('getStaticCharge', ...Array<Fault>(40).fill('error'))
    await openDeposit('500')
    await world.pass(10_000)
    world.provider.stopMisbehaving('getStaticCharge')
    expect(await paused()).toBeUndefined()
  })

  it('lasts while the wallet holds less than can be explained', async () => {
    world.provider.wallet -= 1n
    await restored()
    expect(await paused()).toBe('cover')
    world.provider.wallet += 1n
    expect(await paused()).toBeUndefined()
  })

  it('lasts while the wallet holds more than can be explained, until that has gone to suspense', async () => {
    world.provider.wallet += 1n
    await restored()
    expect(await paused()).toBe('restore')
    world.excused = /1 msats more/
    await world.pass(300_000)
    await paused()
    expect(await paused()).toBeUndefined()
    world.excused = undefined
  })
})
