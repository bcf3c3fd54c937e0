import { beforeEach, describe, expect, it } from 'vitest'
import { createLedger } from '../../src/ledger/ledger.ts'
import { createLogger } from '../../src/lib/logger.ts'
import type { PaymentsClient } from '../../src/payments-api/payments-api.ts'
import { markRestored } from '../../src/tipping/audit/restored.ts'
import { CHART } from '../../src/tipping/core/chart-of-accounts.ts'
import type { CoreContext } from '../../src/tipping/core/context.ts'
import type { TippingDatabase, Tx } from '../../src/tipping/core/database.ts'
import { forgetReplays, replayKeysOf } from '../../src/tipping/engine/outgoing/replays.ts'
import { PAYOUTS } from '../../src/tipping/engine/payouts/payout-kind.ts'
import type { Fault } from '../support/scripted-provider.ts'
import { TippingWorld } from './world.ts'

let world: TippingWorld
/** The logged errors. */
let errors: string[]

beforeEach(async () => {
  errors = []
  const destination = { write: (line: string) => void errors.push(line) }
  world = await TippingWorld.open({
    wallet: 1_000_000n,
    learnsOfReplays: true,
    logger: createLogger({ level: 'error', name: 'bot', destination }),
    settings: { sweepEveryMs: 60_000 },
  })
  await world.fund('alice', 10_000)
})

const lost: Fault[] = ['act-then-error', 'act-then-error', 'act-then-error']

/** Makes a payout that has arrived, but whose answer was lost. */
async function unknownPayout(): Promise<string> {
  const bob = await world.linked('bob')
  world.provider.misbehave('payToGamertag', ...lost)
  await world.run(world.tip('alice', 'bob', '100'))
  return bob
}

const sent = () => world.provider.count('payToGamertag')
const inFlight = async () => (await world.tipping.balances.view('bob')).inFlight
const storedKeys = () => world.database.read.replayKey.findMany({ orderBy: { id: 'asc' } })

describe('a provider that forgets keys while the bot is stopped', () => {
  it('is noticed at the start, and no older key is sent again', async () => {
    const bob = await unknownPayout()
    const before = sent()
    world.provider.forgetKeys()
    await world.restart()
    await world.pass(3 * 3_600_000)
    expect(sent()).toBe(before)
    expect(world.received(bob)).toBe(100_000n)
    expect(await inFlight()).toBe(100_000n)
  })

  it('is noticed later if it is unreachable at the start', async () => {
    const bob = await unknownPayout()
    const before = sent()
    world.provider.forgetKeys()
    await world.provider.down()
    await world.restart()
    await world.provider.up()
    await world.pass(3 * 3_600_000)
    expect(sent()).toBe(before)
    expect(world.received(bob)).toBe(100_000n)
  })

  it('is noticed later if it replays no keys at the start', async () => {
    const bob = await unknownPayout()
    const before = sent()
    world.provider.forgetKeys()
    world.provider.abilities.replays = false
    await world.restart()
    world.provider.abilities.replays = true
    await world.pass(3 * 3_600_000)
    expect(sent()).toBe(before)
    expect(world.received(bob)).toBe(100_000n)
  })

  it('is noticed even if the answer to the first repeated key is lost', async () => {
    const bob = await unknownPayout()
    const before = sent()
    world.provider.forgetKeys()
    // Five new keys are tried first, each twice.
    const meanwhile: Fault[] = Array.from({ length: 12 }, () => ({ before: async () => {} }))
    world.provider.misbehave('decodeCharge', ...meanwhile, 'act-then-reset')
    await world.restart()
    await world.pass(3 * 3_600_000)
    expect(sent()).toBe(before)
    expect(world.received(bob)).toBe(100_000n)
  })

  it('is trusted again for later payments', async () => {
    await unknownPayout()
    world.provider.forgetKeys()
    await world.restart()
    const carol = await world.linked('carol')
    world.provider.misbehave('payToGamertag', ...lost)
    await world.run(world.tip('alice', 'carol', '200'))
    await world.restart()
    await world.pass(60_000)
    expect(world.received(carol)).toBe(200_000n)
    expect(await world.tipping.balances.view('carol')).toMatchObject({ inFlight: 0n, sentToGamertag: 200_000n })
  })
})

it('a restored book sends no key again, since its provider may have forgotten it', async () => {
  const bob = await unknownPayout()
  const { write, read } = world.database
  // Lost answers have used its other keys up: each of them, too, would have told that the provider has forgotten.
  const backup = { keys: (await storedKeys()).slice(0, 1), payout: await read.payout.findFirstOrThrow() }
  const before = sent()
  world.provider.forgetKeys()
  await world.restart()
  // What the provider was asked with since the backup it remembers from then on.
  await write.replayKey.deleteMany()
  await write.replayKey.createMany({ data: backup.keys })
  await write.payout.update({ where: { id: backup.payout.id }, data: { replays: true } })
  await markRestored(world.database, {
    madeAt: '2030-01-01T12:00:00.000Z',
    now: new Date(world.clock.now()),
    paused: false,
  })
  await world.restart()
  await world.pass(3 * 3_600_000)
  expect(sent()).toBe(before)
  expect(world.received(bob)).toBe(100_000n)
})

describe('a provider that remembers keys', () => {
  it('is sent a payment’s key again after a restart, and its answer shows the outcome', async () => {
    const bob = await unknownPayout()
    await world.restart()
    await world.pass(60_000)
    expect(await inFlight()).toBe(0n)
    expect(world.received(bob)).toBe(100_000n)
  })

  it('is sent a payment’s key again only once it reports that it remembers keys', async () => {
    const bob = await unknownPayout()
    const before = sent()
    world.provider.misbehave('decodeCharge', ...Array<Fault>(200).fill('error'))
    const { polls } = await world.database.read.pollJob.findFirstOrThrow({ where: { kind: 'payout' } })
    await world.pass(60_000)
    expect(sent()).toBe(before)
    expect(await world.database.read.pollJob.findFirst({ where: { kind: 'payout' } })).toMatchObject({ polls })
    world.provider.stopMisbehaving('decodeCharge')
    await world.pass(10 * 60_000)
    expect(sent()).toBe(before + 1)
    expect(await inFlight()).toBe(0n)
    expect(world.received(bob)).toBe(100_000n)
    expect(errors).toEqual([])
  })

  it('is recognized as such even after an outage in which requests were lost', async () => {
    const bob = await unknownPayout()
    const away: Fault[] = Array(200).fill('error')
    world.provider.misbehave('decodeCharge', ...away)
    await world.restart()
    await world.pass(10 * 60_000)
    world.provider.stopMisbehaving('decodeCharge')
    await world.pass(30 * 60_000)
    expect(await inFlight()).toBe(0n)
    expect(world.received(bob)).toBe(100_000n)
  })
})

it('a key whose answer was lost is not used again, and spare keys remain', async () => {
  for (let start = 0; start < 5; start += 1) await world.restart()
  const [older] = await storedKeys()
  const before = world.provider.calls.length
  await world.restart()
  const decoded = world.provider.calls.slice(before).filter(({ operation }) => operation === 'decodeCharge')
  const newFirst = decoded.findIndex(({ key }) => key === older?.key)
  expect(newFirst).toBeGreaterThan(0)
  const [first, ...spares] = await storedKeys()
  expect(spares).toHaveLength(11)
  const meanwhile: Fault[] = Array.from({ length: newFirst }, () => ({ before: async () => {} }))
  world.provider.misbehave('decodeCharge', ...meanwhile, 'act-then-reset')
  await world.restart()
  const left = (await storedKeys()).map(({ key }) => key)
  expect(left).not.toContain(first?.key)
  expect(spares.filter(({ key }) => left.includes(key)).length).toBeGreaterThan(5)
  const asked = world.provider.calls.filter(({ key }) => key === first?.key)
  await world.restart()
  expect(world.provider.calls.filter(({ key }) => key === first?.key)).toHaveLength(asked.length)
})

describe('the book’s store of keys', () => {
  /** Returns the stores of several bots on one book; `one` and `two` are providers. */
  function storesOf(...providers: string[]) {
    const ledger = createLedger<Tx, TippingDatabase['write']>({
      database: world.database,
      chart: CHART,
      clock: world.clock,
    })
    const commit: CoreContext['commit'] = (change) => ledger.commit(change)
    const stores = providers.map((provider) => {
      const payments = { provider } as PaymentsClient
      return replayKeysOf({ database: world.database, outgoingKinds: [PAYOUTS], payments, commit })
    })
    return { stores, commit, close: () => ledger.close() }
  }

  it('gives each key to only one bot, since a second use would change the answer', async () => {
    const { stores, close } = storesOf('one', 'one')
    const [first, second] = stores
    await first?.add(['key'])
    const taken = await Promise.all([first?.take('key'), second?.take('key')])
    expect(taken.toSorted()).toEqual([false, true])
    await close()
  })

  it('keeps the newest keys of each provider, in order of age', async () => {
    const { stores, close } = storesOf('one', 'two')
    const [first, second] = stores
    const keys = Array.from({ length: 14 }, (_, i) => `key ${i}`)
    await second?.add(['other'])
    await first?.add(keys)
    expect(await first?.read()).toEqual(keys.slice(2))
    expect(await second?.read()).toEqual(['other'])
    await first?.startOver(['fresh'])
    expect(await first?.read()).toEqual(['fresh'])
    expect(await second?.read()).toEqual(['other'])
    await close()
  })

  it('marks the keys of a forgetful provider, and no others, as not repeatable', async () => {
    const { stores, commit, close } = storesOf('one', 'two')
    const [first] = stores
    await unknownPayout()
    const replays = async () => (await world.database.read.payout.findFirstOrThrow()).replays
    const isAt = (provider: string, state = 'unknown') =>
      commit({ write: (tx) => tx.payout.updateMany({ data: { provider, state, replays: true } }) })
    const { provider } = await world.database.read.payout.findFirstOrThrow()
    await isAt('two')
    await first?.startOver([])
    expect(await replays()).toBe(true)
    for (const state of ['sending', 'unknown']) {
      await isAt('one', state)
      await first?.startOver([])
      expect(await replays()).toBe(false)
    }
    await isAt(provider ?? '')
    await close()
  })

  it('marks older keys as not repeatable if the provider no longer replays keys', async () => {
    const { commit, close } = storesOf()
    await unknownPayout()
    await forgetReplays({ commit, outgoingKinds: [PAYOUTS] })
    expect(await world.database.read.payout.findFirst()).toMatchObject({ replays: false })
    await close()
  })
})
