import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLedger } from '../../src/ledger/ledger.ts'
import type { PaymentsClient } from '../../src/payments-api/payments-api.ts'
import { markRestored } from '../../src/tipping/audit/restored.ts'
import { CHART } from '../../src/tipping/core/chart-of-accounts.ts'
import type { TippingDatabase, Tx } from '../../src/tipping/core/database.ts'
import { replayKeysOf } from '../../src/tipping/machines/outgoing/replays.ts'
import type { Fault } from '../support/scripted-provider.ts'
import { TippingWorld } from './world.ts'

let world: TippingWorld

beforeEach(async () => {
  world = await TippingWorld.open({
    wallet: 1_000_000n,
    learnsOfReplays: true,
    settings: { sweepEveryMs: 60_000 },
  })
  await world.fund('alice', 10_000)
})

afterEach(() => world.close())

const lost: Fault[] = ['act-then-error', 'act-then-error', 'act-then-error']

/** A payout that has arrived, and whose answer was lost. */
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
  it('is noticed at the start, and nothing that was sent before is sent again', async () => {
    const bob = await unknownPayout()
    const before = sent()
    world.provider.forgetKeys()
    await world.restart()
    await world.pass(3 * 3_600_000)
    expect(sent()).toBe(before)
    expect(world.received(bob)).toBe(100_000n)
    expect(await inFlight()).toBe(100_000n)
  })

  it('is noticed though it is away at the start', async () => {
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

  it('is noticed though it replays no keys at the start, and does so again later', async () => {
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

  it('is noticed though the answer to the first key is lost', async () => {
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

  it('is believed again for what is sent from then on', async () => {
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

it('a restored book sends no key again: its provider may have forgotten, and been asked about it, since', async () => {
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
  await markRestored(world.database, { madeAt: 'today', now: new Date(world.clock.now()), paused: false })
  await world.restart()
  await world.pass(3 * 3_600_000)
  expect(sent()).toBe(before)
  expect(world.received(bob)).toBe(100_000n)
})

describe('a provider that remembers', () => {
  it('is sent the key again after a start, which tells the end', async () => {
    const bob = await unknownPayout()
    await world.restart()
    await world.pass(60_000)
    expect(await inFlight()).toBe(0n)
    expect(world.received(bob)).toBe(100_000n)
  })

  it('is so known after an outage that swallows requests, too', async () => {
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

it('a key whose answer is lost is not asked about again, and spares remain', async () => {
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

it('a kept key is taken by one bot alone, so that nobody believes the answer that another one caused', async () => {
  const ledger = createLedger<Tx, TippingDatabase['write']>({
    database: world.database,
    chart: CHART,
    clock: world.clock,
  })
  const context = { database: world.database, outgoingKinds: [], payments: { provider: 'one' } as PaymentsClient }
  const [first, second] = [1, 2].map(() => replayKeysOf({ ...context, commit: (change) => ledger.commit(change) }))
  await first?.add(['key'])
  const taken = await Promise.all([first?.take('key'), second?.take('key')])
  expect(taken.toSorted()).toEqual([false, true])
  await ledger.close()
})
