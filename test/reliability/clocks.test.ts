import { describe, expect, it } from 'vitest'
import { confirmClock } from '../../src/assembly/confirm-clock.ts'
import type { Fault } from '../support/scripted-provider.ts'
import { TippingWorld, type WorldOptions } from '../tipping/world.ts'

let world: TippingWorld

const DAY_MS = 24 * 3_600_000
const YEAR_MS = 365 * DAY_MS
const JUMPS = [
  ['ten years forward', 10 * YEAR_MS],
  ['ten years back', -10 * YEAR_MS],
  ['an hour forward', 3_600_000],
  ['an hour back', -3_600_000],
] as const

/** Returns the settings of a world's bot, with the place of its book. No service runs beside the bot. */
const bookOf = ({ database }: TippingWorld) => ({
  provider: { baseUrl: 'http://127.0.0.1:1' } as never,
  service: { databaseUrl: 'file:none' } as never,
  dataFolder: '/nowhere',
  tippingDatabaseUrl: database.url,
})

const thrice = (fault: Fault): Fault[] => [fault, fault, fault]

/** Gives 40 of alice's 100 sats to somebody who is new, so that the sats wait. */
async function waitingTip(options: WorldOptions = {}): Promise<void> {
  world = await TippingWorld.open(options)
  await world.fund('alice', 100)
  await world.tip('alice', 'newcomer', '40')
}

/**
 * Sends 40 of alice's 100 sats to bob's wallet, whose provider answers with these faults; resolves to the wallet's
 * user.
 */
async function lostPayout(faults: readonly Fault[], options: WorldOptions = {}): Promise<string> {
  world = await TippingWorld.open(options)
  await world.fund('alice', 100)
  const bob = await world.linked('bob')
  world.provider.misbehave('payToGamertag', ...faults)
  await world.run(world.tip('alice', 'bob', '40'))
  return bob
}

describe.each(JUMPS)('the bot while the wall clock is set %s', (_, jumpMs) => {
  it('does not return an unclaimed tip early, and lets it be claimed', async () => {
    await waitingTip()
    world.clock.jump(jumpMs)
    await world.pass(3_600_000)
    expect(await world.available('alice')).toBe(60_000n)
    await world.tipping.claims.take({ member: 'newcomer', origin: world.origin() })
    expect(await world.available('newcomer')).toBe(40_000n)
  })

  it('does not treat a payout with an unknown outcome as failed, and finds the outcome', async () => {
    const bob = await lostPayout(Array(12).fill('act-then-error'))
    world.clock.jump(jumpMs)
    expect(await world.available('bob')).toBe(0n)
    world.clock.jump(-jumpMs)
    await world.pass(2 * 3_600_000)
    expect(world.received(bob)).toBe(40_000n)
    expect(await world.tipping.balances.view('bob')).toMatchObject({
      available: 0n,
      inFlight: 0n,
      sentToGamertag: 40_000n,
    })
  })

  it('credits a deposit once if it is paid meanwhile without a callback', async () => {
    world = await TippingWorld.open()
    const deposit = await world.tipping.deposits.open({ member: 'alice', amount: '100', origin: world.origin() })
    world.clock.jump(jumpMs)
    await world.pass(60_000)
    world.provider.payCharge(world.provider.chargeOf(deposit.request).id)
    world.clock.jump(-jumpMs)
    await world.pass(2 * DAY_MS)
    expect(await world.available('alice')).toBe(100_000n)
  })

  it('closes no drop early, pays a share once, and loses no sats', async () => {
    world = await TippingWorld.open()
    await world.fund('alice', 100)
    const drop = await world.tipping.drops.open({
      member: 'alice',
      amount: '10',
      shares: 3,
      minutes: 60,
      origin: world.origin(),
    })
    world.clock.jump(jumpMs)
    await world.pass(10 * 60_000)
    expect((await world.tipping.drops.view(drop.id)).state).toBe('open')
    world.clock.jump(-jumpMs)
    const claimant = { id: 'bob', accountSince: new Date(0), memberSince: new Date(0), roles: [] }
    for (const _ of [1, 2]) {
      await world.tipping.drops.claim({ drop: drop.id, claimant, origin: world.origin() }).catch(() => undefined)
    }
    await world.pass(2 * 3_600_000)
    expect(await world.available('bob')).toBe(3_000n)
    expect((await world.tipping.audit()).owed).toBe(100_000n)
  })
})

describe('the bot after a wrong clock was corrected', () => {
  it('finds the outcome of a payout that became unknown while the clock was ahead', async () => {
    world = await TippingWorld.open()
    await world.fund('alice', 100)
    const bob = await world.linked('bob')
    world.clock.jump(YEAR_MS)
    world.provider.misbehave('payToGamertag', ...thrice('act-then-error'), ...thrice('act-then-error'))
    await world.run(world.tip('alice', 'bob', '40'))
    world.clock.jump(-YEAR_MS)
    await world.pass(2 * 3_600_000)
    expect(world.received(bob)).toBe(40_000n)
    expect(await world.tipping.balances.view('bob')).toMatchObject({ inFlight: 0n, sentToGamertag: 40_000n })
  })

  it('keeps polling a payment that only seems too old for the provider’s stored keys', async () => {
    const bob = await lostPayout([...thrice('act-then-error'), ...thrice('act-then-error')])
    world.clock.jump(3 * DAY_MS)
    await world.pass(60_000)
    expect(await world.tipping.balances.view('bob')).toMatchObject({ inFlight: 40_000n })
    world.clock.jump(-3 * DAY_MS)
    await world.pass(2 * 3_600_000)
    expect(world.received(bob)).toBe(40_000n)
    expect(await world.tipping.balances.view('bob')).toMatchObject({ inFlight: 0n, sentToGamertag: 40_000n })
  })
})

describe('the bot with a wrong clock', () => {
  const HOUR_MS = 3_600_000

  /** Stops the bot, moves the clock by this much, and starts the bot again. */
  async function startAfter(jumpMs: number): Promise<void> {
    await world.tipping.close()
    world.clock.jump(jumpMs)
    await world.restart()
    await world.settle()
  }

  it('alerts operators and returns no tip for a day if the clock is 40 days ahead', async () => {
    await waitingTip()
    await startAfter(40 * DAY_MS)
    await world.pass(23 * HOUR_MS)
    expect(await world.available('alice')).toBe(60_000n)
    expect(await world.database.read.alert.findMany()).toMatchObject([
      { kind: 'clock', text: expect.stringContaining('nothing expires') },
    ])
    await world.pass(2 * HOUR_MS)
    expect(await world.available('alice')).toBe(100_000n)
  })

  it('trusts a clock that is 40 days ahead as soon as an operator confirms it', async () => {
    await waitingTip({ settings: { sweepEveryMs: HOUR_MS / 4 } })
    await startAfter(40 * DAY_MS)
    await confirmClock(bookOf(world), world.clock)
    await world.pass(HOUR_MS / 2)
    expect(await world.available('alice')).toBe(100_000n)
  })

  it('does not trust a clock that was set ahead after its confirmation', async () => {
    await waitingTip()
    await confirmClock(bookOf(world), world.clock)
    await startAfter(40 * DAY_MS)
    await world.pass(HOUR_MS)
    expect(await world.available('alice')).toBe(60_000n)
  })

  it('resends no Idempotency-Key older than a day if the clock is 3 hours behind', async () => {
    const bob = await lostPayout(Array(300).fill('act-then-error'))
    await world.pass(23 * HOUR_MS)
    await startAfter(-3 * HOUR_MS)
    await world.pass(1.5 * HOUR_MS)
    world.provider.stopMisbehaving('payToGamertag')
    world.provider.forgetKeys()
    const sent = world.provider.count('payToGamertag')
    await world.pass(30 * HOUR_MS)
    expect(world.provider.count('payToGamertag')).toBe(sent)
    expect(world.received(bob)).toBe(40_000n)
    expect(await world.tipping.balances.view('bob')).toMatchObject({ inFlight: 40_000n })
  })

  it('resends no Idempotency-Key that is over a day old if the clock is set back', async () => {
    const bob = await lostPayout(Array(300).fill('act-then-error'))
    await world.pass(12 * HOUR_MS)
    world.clock.jump(-3 * HOUR_MS)
    await world.pass(12.5 * HOUR_MS)
    world.provider.stopMisbehaving('payToGamertag')
    world.provider.forgetKeys()
    await world.pass(48 * HOUR_MS)
    expect(world.received(bob)).toBe(40_000n)
  })

  it('resends no redemption whose key is over a day old once the clock is corrected', async () => {
    world = await TippingWorld.open()
    await world.fund('alice', 1_000)
    const origin = world.origin()
    const made = await world.run(world.tipping.vouchers.create({ member: 'alice', amount: '500', origin }))
    world.clock.jump(26 * HOUR_MS)
    world.provider.misbehave('redeemVoucher', ...Array<Fault>(300).fill('act-then-error'))
    const code = made.code ?? ''
    await world.run(world.tipping.vouchers.redeem({ member: 'carol', code, origin: world.origin() }))
    world.clock.jump(-26 * HOUR_MS)
    await world.pass(25 * HOUR_MS)
    const sent = world.provider.count('redeemVoucher')
    await world.pass(2 * HOUR_MS)
    expect(world.provider.count('redeemVoucher')).toBe(sent)
  })

  it('finds the outcome of a payout once the clock is no longer 30 hours ahead', async () => {
    const bob = await lostPayout([...thrice('act-then-error')])
    await startAfter(30 * HOUR_MS)
    await world.pass(60_000)
    expect(await world.tipping.balances.view('bob')).toMatchObject({ inFlight: 40_000n })
    await startAfter(-30 * HOUR_MS)
    await world.pass(60_000)
    expect(await world.tipping.balances.view('bob')).toMatchObject({ inFlight: 0n, sentToGamertag: 40_000n })
    expect(world.received(bob)).toBe(40_000n)
  })

  it('polls a payout with an unknown outcome at a start even if its poll job has ended', async () => {
    await lostPayout(['act-then-error'], { replays: false })
    await world.pass(3 * DAY_MS)
    const watch = () => world.database.read.pollJob.findFirstOrThrow({ where: { kind: 'payout' } })
    expect((await watch()).nextAt).toBe(null)
    const { polls } = await watch()
    await startAfter(0)
    expect((await watch()).polls).toBeGreaterThan(polls)
  })
})
