import { describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import type { Fault } from '../../support/scripted-provider.ts'
import { aliceHasSome } from '../funded-world.ts'
import type { TippingWorld, WorldOptions } from '../world.ts'

let world: TippingWorld

/** Opens a world in which alice has 1,000 sats, and the operator 100. */
async function begin(options: WorldOptions = {}): Promise<TippingWorld> {
  world = await aliceHasSome(options)
  return world
}

const HOUR_MS = 3_600_000

/** Creates a voucher of alice's, with these answers from the provider. */
async function create(amount: string, ...answers: Fault[]): Promise<string> {
  world.provider.misbehave('createVoucher', ...answers)
  const command = { member: 'alice', amount, origin: world.origin() }
  return (await world.run(world.tipping.vouchers.create(command))).id
}

/** Redeems a code worth 70 sats for bob, with these answers from the provider. */
async function redeem(...answers: Fault[]): Promise<string> {
  const { code } = world.provider.vouchers.foreign(70_000n)
  world.provider.misbehave('redeemVoucher', ...answers)
  const command = { member: 'bob', code, origin: world.origin() }
  return (await world.run(world.tipping.vouchers.redeem(command))).id
}

const stateOf = {
  createVoucher: async (id: string) => (await world.tipping.vouchers.view(id)).state,
  redeemVoucher: async (id: string) => (await world.tipping.vouchers.redemption(id)).state,
}

/** The requests that were never conclusively answered. */
const BOTH = [
  ['createVoucher', 'voucher-unknown', (...answers: Fault[]) => create('500', ...answers)],
  ['redeemVoucher', 'redemption-unknown', redeem],
] as const

function no(code: string | undefined, more: { refuse?: number; replayed?: boolean } = {}): Fault {
  return { refuse: 400, message: 'Not today.', ...(code !== undefined && { code }), ...more }
}

describe('a voucher whose creation was not answered', () => {
  it.each<[string, Fault[], string]>([
    ['has failed if the replayed answer says so', [no('invalid_field', { replayed: true })], 'failed'],
    ['stays unknown if only this attempt was refused', [no('invalid_field')], 'unknown'],
    ['stays unknown if the answer names no reason', [no(undefined, { replayed: true })], 'unknown'],
    [
      'stays unknown if the wallet lacks sats that the voucher may have taken',
      [no('insufficient_funds', { replayed: true })],
      'unknown',
    ],
    [
      'stays unknown if a failure is replayed',
      Array<Fault>(3).fill(no('internal', { refuse: 500, replayed: true })),
      'unknown',
    ],
  ])('%s', async (_what, answers, state) => {
    await begin()
    const id = await create('500', 'html', ...answers)
    await world.pass(1_000)
    expect(world.provider.count('createVoucher')).toBe(1)
    await world.pass(2_500)
    expect(world.provider.count('createVoucher')).toBeGreaterThan(1)
    const failed = state === 'failed'
    expect(await world.tipping.vouchers.view(id)).toMatchObject({
      state,
      ...(failed && { reason: expect.stringMatching(/Not today\.$/) }),
    })
    expect(await world.tipping.balances.view('alice')).toMatchObject(
      failed ? { available: 1_000_000n, inFlight: 0n } : { available: 495_000n, inFlight: 505_000n },
    )
    expect((await world.tipping.balances.view('bob')).inFlight).toBe(0n)
  })
})

describe('a voucher that its provider does not know', () => {
  it('is reported an hour after its creation, and still counts as live', async () => {
    await begin()
    const id = await create('100')
    const gone: Fault = { refuse: 404, message: 'There is no such voucher.', code: 'not_found' }
    world.provider.misbehave('retrieveVoucher', ...Array<Fault>(300).fill(gone))
    await world.pass(HOUR_MS - 1_000)
    expect(await world.tipping.administration.untoldAlerts(5)).toEqual([])
    await world.pass(HOUR_MS)
    expect(await world.tipping.administration.untoldAlerts(5)).toMatchObject([
      {
        kind: 'not-known-there',
        text: expect.stringContaining(id),
      },
    ])
    expect(await stateOf.createVoucher(id)).toBe('live')
  })
})

describe('a code whose redemption got no readable answer', () => {
  it.each<[string, Fault[], string]>([
    ['was wrong if the replayed answer says so', [no('voucher_not_found', { replayed: true })], 'wrong'],
    ['was revoked if the replayed answer says so', [no('voucher_revoked', { refuse: 409, replayed: true })], 'over'],
    ['has failed if the replayed answer says so', [no('invalid_field', { replayed: true })], 'failed'],
    ['stays unknown if only this attempt was refused', [no('voucher_not_found')], 'checking'],
    [
      'stays unknown if it was redeemed, maybe by the first attempt',
      [no('voucher_redeemed', { refuse: 409, replayed: true })],
      'checking',
    ],
    [
      'stays unknown if a failure is replayed',
      Array<Fault>(3).fill(no('internal', { refuse: 500, replayed: true })),
      'checking',
    ],
  ])('%s', async (_what, answers, state) => {
    await begin()
    const id = await redeem('html', ...answers)
    await world.pass(1_000)
    expect(world.provider.count('redeemVoucher')).toBe(1)
    await world.pass(2_500)
    expect(world.provider.count('redeemVoucher')).toBeGreaterThan(1)
    expect(await stateOf.redeemVoucher(id)).toBe(state)
    expect(await world.available('bob')).toBe(0n)
  })

  it('is credited once if another process learns its value before the first gives up', async () => {
    await begin()
    void redeem('act-then-hang').catch(() => undefined)
    await world.provider.asked('redeemVoucher')
    await world.start()
    await world.pass(60_000)
    const [redemption] = await world.database.read.redemption.findMany()
    expect(await stateOf.redeemVoucher(redemption?.id ?? '')).toBe('redeemed')
    expect(await world.available('bob')).toBe(70_000n)
  })
})

describe.each(BOTH)('a voucher request with an unknown outcome (%s)', (operation, alert, ask) => {
  const asked = () => world.provider.count(operation)

  it('is polled for a day at growing intervals, and reported after an hour', async () => {
    await begin({ settings: { sweepEveryMs: 365 * 24 * HOUR_MS } })
    const id = await ask(...Array<Fault>(200).fill('html'))
    await world.pass(HOUR_MS - 60_000)
    expect(await world.tipping.administration.untoldAlerts(10)).toEqual([])
    expect(asked()).toBeGreaterThan(12)
    expect(asked()).toBeLessThan(30)
    await world.pass(2 * HOUR_MS)
    const [{ evidence, member } = { evidence: '?', member: '?' }] = await world.tipping.administration.unknown(1)
    const [told] = await world.tipping.administration.untoldAlerts(10)
    expect(told).toMatchObject({ kind: alert, text: expect.stringContaining(`by ${member}`) })
    expect(told?.text).toContain(evidence)
    await world.pass(21 * HOUR_MS + 60_000)
    const inADay = asked()
    expect(inADay).toBeGreaterThan(35)
    await world.pass(3 * HOUR_MS)
    expect(asked()).toBe(inADay)
    expect(['unknown', 'checking']).toContain(await stateOf[operation](id))
  })

  it('is not sent again without replay, or while the clock is days ahead', async () => {
    await begin()
    const id = await ask('html')
    world.replays = false
    await world.pass(60_000)
    expect(asked()).toBe(1)
    world.replays = true
    world.clock.jump(72 * HOUR_MS)
    await world.pass(60_000)
    expect(asked()).toBe(1)
    world.clock.jump(-72 * HOUR_MS)
    await world.pass(2 * HOUR_MS)
    expect(asked()).toBe(2)
    expect(['live', 'redeemed']).toContain(await stateOf[operation](id))
  })
})

it('an audit counts vouchers that may have left and codes that may have arrived', async () => {
  await begin({ settings: { maxAmount: sats(2_000) } })
  const proof = () => world.run(world.tipping.audit())
  expect(await proof()).toMatchObject({ holds: true, mayHaveLeft: 0n, mayHaveArrived: 0n, openOperations: 0 })
  await create('500')
  await create('100', 'html')
  await redeem('html')
  await redeem('html')
  const arrived = 500_000n + 2n * 2_000_000n
  expect(await proof()).toMatchObject({
    ...{ holds: true, mayHaveLeft: 101_000n, mayHaveArrived: arrived, openOperations: 3 },
  })
})
