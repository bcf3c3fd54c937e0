import { describe, expect, it } from 'vitest'
import type { Network } from '../../../src/lib/lightning/bolt11.ts'
import { msats, sats } from '../../../src/lib/money/amount.ts'
import type { TippingSettings } from '../../../src/tipping/core/settings.ts'
import { TippingWorld } from '../world.ts'

let world: TippingWorld
const DAY_MS = 24 * 3_600_000

/** Starts a bot whose operator has this many sats, on a network that the provider reports. */
async function begin(operator: number, settings: Partial<TippingSettings> = {}, network: Network | null = 'regtest') {
  world = await TippingWorld.open({ wallet: sats(operator), settings })
  world.network = network ?? undefined
  world.provider.told.network = network ?? undefined
  await world.restart()
}

const take = (member: string, origin = world.origin()) => world.tipping.faucet.take({ member, origin })
const has = async (member: string) => Number((await world.tipping.balances.view(member)).available) / 1_000
const operatorHas = async () =>
  Number(await world.database.read.account.findFirst({ where: { kind: 'operator' } }).then((o) => o?.balance)) / 1_000
const refusedAs = (code: string, facts: object = {}) =>
  expect.objectContaining({ code, facts: expect.objectContaining(facts) })
/** The day after the first. */
const TOMORROW = new Date(Date.UTC(2030, 0, 2))

/** Returns the outcomes in any order: the number of people who got a share, and the others' refusals. */
async function outcomes(tries: readonly Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(tries)
  return settled.map((one) => (one.status === 'fulfilled' ? 'share' : String(one.reason.code))).toSorted()
}

describe('the faucet', () => {
  it('gives each member one share a day from the operator’s sats', async () => {
    await begin(10_000)
    expect(world.tipping.faucet.amount).toBe(sats(1_000))
    const origin = world.origin()
    await take('bob', origin)
    await take('bob', origin)
    expect(await has('bob')).toBe(1_000)
    expect(await operatorHas()).toBe(9_000)
    await world.clock.advance(60_000)
    await expect(take('bob')).rejects.toEqual(refusedAs('faucet-taken', { until: TOMORROW }))
    await world.clock.advance(DAY_MS)
    expect(await take('bob')).toEqual({ amount: sats(1_000), until: new Date(Date.UTC(2030, 0, 3)) })
    expect(await has('bob')).toBe(2_000)
  })

  it('gives only one share to a member who asks many times simultaneously', async () => {
    await begin(10_000)
    expect(await outcomes([take('bob'), take('bob'), take('bob')])).toEqual(['faucet-taken', 'faucet-taken', 'share'])
    expect(await has('bob')).toBe(1_000)
  })

  it('refuses a second member if the first one has used the same interaction', async () => {
    await begin(10_000)
    const origin = world.origin()
    await take('bob', origin)
    await expect(take('carol', origin)).rejects.toEqual(refusedAs('already-done'))
    expect([await has('carol'), await operatorHas()]).toEqual([0, 9_000])
  })

  it('books each share as a gift from the faucet', async () => {
    await begin(10_000)
    await take('bob')
    const [line] = (await world.tipping.history.page('bob', 0)).lines
    expect(line).toMatchObject({ what: 'faucet', amount: sats(1_000), balance: sats(1_000) })
    expect(await world.database.read.entry.findMany({ where: { operation: line?.operation } })).toMatchObject([
      { step: 'post' },
    ])
  })

  it('gives a share to each of two members with different Lightning accounts', async () => {
    await begin(10_000)
    for (const member of ['bob', 'carol']) await world.linked(member)
    expect(await outcomes([take('bob'), take('carol')])).toEqual(['share', 'share'])
  })

  it('gives only one share to two Discord accounts that had the same Lightning account', async () => {
    await begin(10_000)
    await world.linked('bob')
    await take('bob')
    await world.tipping.links.unlink({ member: 'bob', origin: world.origin() })
    await world.tipping.links.link({ member: 'carol', gamertag: 'bob-tag', origin: world.origin() })
    await expect(take('carol')).rejects.toEqual(refusedAs('faucet-taken'))
  })

  it('refuses the former owner of a Lightning account whose new owner took a share', async () => {
    await begin(10_000)
    await world.linked('bob')
    await world.tipping.links.unlink({ member: 'bob', origin: world.origin() })
    await world.tipping.links.link({ member: 'carol', gamertag: 'bob-tag', origin: world.origin() })
    await take('carol')
    await expect(take('bob')).rejects.toEqual(refusedAs('faucet-taken'))
  })

  it('never gives more than the operator has, even if many members ask together', async () => {
    await begin(2_500)
    const asked = ['bob', 'carol', 'dave', 'erin'].map((member) => take(member))
    expect(await outcomes(asked)).toEqual(['faucet-dry', 'faucet-dry', 'share', 'share'])
    expect(await operatorHas()).toBe(500)
    await expect(take('fred')).rejects.toEqual(refusedAs('faucet-dry'))
  })

  describe('of the sandbox', () => {
    /** The sandbox's troubles with the next requests to pay; by default it pays. */
    const troubles: ('refuses' | 'pays, and says nothing')[] = []
    const payTestSats = async (request: string) => {
      const trouble = troubles.shift()
      if (trouble !== 'refuses') world.provider.payCharge(world.provider.chargeOf(request).id)
      if (trouble !== undefined) throw new Error(`the sandbox ${trouble}`)
    }
    const shares = (count: number) => Array<string>(count).fill('share')

    it('never runs out, since it refills itself with enough for a day’s shares', async () => {
      await begin(2_500, { payTestSats })
      expect(await outcomes(Array.from({ length: 12 }, (_, index) => take(`fan-${index}`)))).toEqual(shares(12))
      await world.settle()
      expect([await operatorHas(), await has('fan-11')]).toEqual([90_500, 1_000])
      expect(world.provider.count('createStaticCharge')).toBe(1)
      // Nobody is shown a deposit, nor told of it.
      expect([await world.database.read.card.count(), await world.database.read.alert.count()]).toEqual([0, 0])
    })

    it('is refilled before it is empty', async () => {
      await begin(5_999, { payTestSats })
      await take('bob')
      await world.settle()
      expect(await operatorHas()).toBe(104_999)
      await take('carol')
      await world.settle()
      expect(await operatorHas()).toBe(103_999)
    })

    it('is refilled through its earlier deposit if that deposit was not yet paid', async () => {
      await begin(0, { payTestSats })
      troubles.push('refuses')
      await expect(take('bob')).rejects.toEqual(refusedAs('faucet-dry'))
      await take('bob')
      expect([await has('bob'), await operatorHas()]).toEqual([1_000, 99_000])
      expect(world.provider.count('createStaticCharge')).toBe(1)
    })

    it('is refilled only once even if the sandbox pays but does not answer', async () => {
      await begin(0, { payTestSats })
      troubles.push('pays, and says nothing', 'refuses')
      await expect(take('bob')).rejects.toEqual(refusedAs('faucet-dry'))
      expect(await outcomes([take('bob'), take('carol')])).toEqual(shares(2))
      expect(await operatorHas()).toBe(98_000)
      expect(troubles.splice(0)).toEqual(['refuses'])
    })

    it('is reported as empty while the provider refuses deposits, and is refilled later', async () => {
      await begin(0, { payTestSats })
      world.provider.misbehave('createStaticCharge', { refuse: 403, message: 'not now' })
      await expect(take('bob')).rejects.toEqual(refusedAs('faucet-dry'))
      await take('bob')
      expect(await operatorHas()).toBe(99_000)
    })

    it.each([
      ['in a book of real sats', 'bitcoin'],
      ['while the network is unknown', null],
    ] as const)('is not refilled %s', async (_, network) => {
      await begin(2_500, { payTestSats }, network)
      await expect(take('bob')).rejects.toEqual(refusedAs('faucet-closed'))
      expect([await operatorHas(), world.provider.count('createStaticCharge')]).toEqual([2_500, 0])
    })
  })

  it('gives at most 100 shares a day in all', async () => {
    await begin(1_000, { faucetAmount: msats(1_000n) })
    const people = Array.from({ length: 101 }, (_, index) => take(`fan-${index}`))
    expect((await outcomes(people)).filter((one) => one === 'share')).toHaveLength(100)
    await expect(take('early')).rejects.toEqual(refusedAs('faucet-empty', { until: TOMORROW }))
    await world.clock.advance(DAY_MS)
    await take('late')
    expect(await has('late')).toBe(1)
  })

  it('gives at most half of the day’s shares to accounts younger than a week', async () => {
    await begin(1_000, { faucetAmount: msats(1_000n) })
    const ask = (member: string, ageDays: number) => {
      const accountSince = new Date(world.clock.now() - ageDays * DAY_MS)
      return world.tipping.faucet.take({ member, accountSince, origin: world.origin() })
    }
    const young = await outcomes(Array.from({ length: 60 }, (_, index) => ask(`young-${index}`, 6.9)))
    expect(young.filter((one) => one === 'share')).toHaveLength(50)
    expect(new Set(young)).toEqual(new Set(['share', 'faucet-empty']))
    expect(await outcomes(Array.from({ length: 50 }, (_, index) => ask(`old-${index}`, 7)))).not.toContain(
      'faucet-empty',
    )
    await expect(ask('late', 100)).rejects.toEqual(refusedAs('faucet-empty'))
  })

  it.each([
    ['in a book of real sats', 'bitcoin', {}],
    ['while the network is unknown', null, {}],
    ['if the operator does not want it', 'regtest', { faucetAmount: msats(0n) }],
  ] as const)('is closed %s', async (_, network, settings) => {
    await begin(10_000, settings, network)
    expect(world.tipping.faucet.amount).toBeUndefined()
    await expect(take('bob')).rejects.toEqual(refusedAs('faucet-closed'))
    expect(await operatorHas()).toBe(10_000)
  })
})
