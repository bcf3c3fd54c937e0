import { describe, expect, it } from 'vitest'
import type { Network } from '../../../src/lib/lightning/bolt11.ts'
import { OtherNetwork } from '../../../src/tipping/core/book-network.ts'
import { TippingWorld } from '../world.ts'

let world: TippingWorld

/** Starts a bot whose provider reports this network, at the start and afterwards. */
async function startWith(network: Network | undefined): Promise<void> {
  world.network = network
  world.provider.told.network = network
  await world.restart()
  await world.settle()
}

const isTest = () => world.tipping.testMoney

describe('the network of the book’s sats', () => {
  it.each<[Network | undefined, boolean]>([
    ['bitcoin', false],
    ['regtest', true],
    ['signet', true],
    ['testnet', true],
    // Anybody who takes real sats for test sats gives them away.
    [undefined, false],
  ])('counts as a test network if the provider is on %s: %s', async (network, test) => {
    world = await TippingWorld.open()
    await startWith(network)
    expect(isTest()).toBe(test)
  })

  it('is stored in the book, so that the bot can start without the provider', async () => {
    world = await TippingWorld.open()
    await startWith('regtest')
    world.network = undefined
    await world.provider.down()
    await world.restart()
    expect(isTest()).toBe(true)
    await world.provider.up()
  })

  it('is read by an audit if it was unknown at the start', async () => {
    world = await TippingWorld.open()
    world.provider.told.network = 'regtest'
    await world.tipping.audit()
    expect(isTest()).toBe(true)
  })

  it('is read by a later audit if the first audit could not write it', async () => {
    world = await TippingWorld.open()
    world.provider.told.network = 'regtest'
    world.failCommits = 1
    await expect(world.tipping.audit()).rejects.toThrow('nothing happened')
    expect(isTest()).toBe(false)
    await world.tipping.audit()
    expect(isTest()).toBe(true)
  })

  it('is taken from an invoice if the provider does not report it', async () => {
    world = await TippingWorld.open()
    await world.linked('alice')
    const before = isTest()
    await world.run(world.tipping.invoices.create({ member: 'alice', amount: '100', origin: world.origin() }))
    expect([before, isTest()]).toEqual([false, true])
    await world.restart()
    expect(isTest()).toBe(true)
  })
})

describe('a provider on a different network from the book', () => {
  it.each<[Network, Network, string]>([
    ['regtest', 'bitcoin', 'counts test sats (regtest), and the provider moves real sats (mainnet)'],
    ['bitcoin', 'regtest', 'counts real sats (mainnet), and the provider moves test sats (regtest)'],
  ])('is refused at the start: the book is on %s, the provider on %s', async (book, provider, words) => {
    world = await TippingWorld.open()
    await startWith(book)
    await expect(startWith(provider)).rejects.toThrow(words)
    await expect(startWith(provider)).rejects.toThrow(OtherNetwork)
    await expect(startWith(provider)).rejects.toThrow('set TIPPING_DATABASE_URL to a file that does not exist yet')
    await startWith(book)
    expect(await world.tipping.audit()).toMatchObject({ holds: true })
  })

  it('causes a pause while it answers at the URL of the former provider', async () => {
    world = await TippingWorld.open()
    await startWith('regtest')
    world.provider.told.network = 'bitcoin'
    expect(await world.tipping.audit()).toMatchObject({ holds: false, wallet: undefined })
    const { paused } = await world.tipping.administration.status()
    expect(paused).toMatchObject({ source: 'cover', reason: expect.stringContaining('real sats (mainnet)') })
    expect(isTest()).toBe(true)
    world.provider.told.network = 'regtest'
    expect(await world.tipping.audit()).toMatchObject({ holds: true })
    expect((await world.tipping.administration.status()).paused).toBeUndefined()
  })
})
