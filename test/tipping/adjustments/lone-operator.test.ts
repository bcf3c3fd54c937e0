import { beforeEach, describe, expect, it } from 'vitest'
import type { BookingCommand } from '../../../src/tipping/adjustments/adjustments.ts'
import { aliceHasSome } from '../funded-world.ts'
import type { TippingWorld } from '../world.ts'

const HOUR_MS = 3_600_000

let world: TippingWorld

beforeEach(async () => {
  world = await aliceHasSome({ replays: false, settings: { operators: 'one' } })
})
const operators = () => world.tipping.administration

function book(amount: string, operator = 'olga', what: BookingCommand['what'] = 'top-up') {
  return operators().book({ what, amount, operator, reason: 'seen in the history' })
}

async function operatorHas(): Promise<bigint | undefined> {
  return (await operators().audit()).operator
}

const states = async () => (await world.database.read.booking.findMany()).map(({ state }) => state)
const told = async () => (await operators().untoldAlerts(9)).map(({ kind, text }) => `${kind}: ${text}`)

/** Books 20 sats, paid into the wallet, for the operator. */
async function paidIn() {
  world.provider.wallet += 20_000n
  return await book('20')
}

/** Makes a payout of 100 sats that has arrived, but whose answer was lost. */
async function unknownPayout(): Promise<string> {
  await world.linked('bob')
  world.provider.misbehave('payToGamertag', 'act-then-error')
  await world.tip('alice', 'bob', '100')
  const [payment] = await operators().unknown(1)
  return payment?.id ?? ''
}

describe('a decision of the only operator', () => {
  it('is announced immediately, with the time at which it takes effect, a day later', async () => {
    const { dueAt } = await paidIn()
    expect(dueAt?.getTime()).toBe(world.clock.now() + 24 * HOUR_MS)
    const day = dueAt?.toISOString().slice(0, 16).replace('T', ' ')
    expect(await told()).toEqual([
      `booking-proposed: olga books 20000 msats paid in for the operator: seen in the history. It takes effect on ${day} UTC, unless it is cancelled: /admin cancel`,
    ])
    await world.pass(23 * HOUR_MS)
    expect(await states()).toEqual(['proposed'])
    await world.pass(2 * HOUR_MS)
    expect(await states()).toEqual(['done'])
    expect(await operatorHas()).toBe(120_000n)
    expect((await told())[1]).toBe(
      'booking-done: olga has booked 20000 msats paid in for the operator: seen in the history; a day has passed, and nobody has cancelled it',
    )
  })

  it('keeps the sats of its top-up, but no other surplus, out of suspense', async () => {
    world.provider.wallet += 5_000n
    await paidIn()
    for (const _ of [1, 2, 3]) {
      await operators().audit()
      await world.pass(400_000)
    }
    expect(await operators().audit()).toMatchObject({ suspense: 5_000n })
    await world.pass(25 * HOUR_MS)
    expect(await operators().audit()).toMatchObject({ holds: true, operator: 120_000n, suspense: 5_000n })
  })

  it('cannot be made twice, and the refusal shows when the decision takes effect', async () => {
    const { dueAt } = await paidIn()
    await expect(book('20')).rejects.toMatchObject({ code: 'proposal-waits', facts: { until: dueAt } })
    await world.pass(25 * HOUR_MS)
    expect(await operatorHas()).toBe(120_000n)
  })

  it('takes effect immediately if a second operator agrees', async () => {
    await paidIn()
    expect(await book('20', 'oscar')).toMatchObject({ state: 'done' })
    await world.pass(25 * HOUR_MS)
    expect(await operatorHas()).toBe(120_000n)
  })

  it('has no effect once it is cancelled, and the cancellation is announced', async () => {
    const { id } = await paidIn()
    expect(await operators().proposals(9)).toMatchObject([{ about: 'booking', booking: { id } }])
    await operators().cancel({ proposal: id, operator: 'olga' })
    await world.pass(25 * HOUR_MS)
    expect(await states()).toEqual(['lapsed'])
    expect(await operators().proposals(9)).toEqual([])
    expect((await told())[1]).toBe(
      'proposal-cancelled: olga cancelled a proposal by olga: 20000 msats paid in for the operator. It takes no effect',
    )
    await expect(operators().cancel({ proposal: id, operator: 'olga' })).rejects.toMatchObject({
      code: 'proposal-not-there',
    })
    world.excused = /20 sats more/
  })

  it('waits while the clock is in doubt', async () => {
    await paidIn()
    world.clock.jump(25 * HOUR_MS)
    await world.pass(2 * HOUR_MS)
    expect(await states()).toEqual(['proposed'])
    await world.pass(25 * HOUR_MS)
    expect(await states()).toEqual(['done'])
  })

  it('lapses if the wallet no longer shows the difference that it explains', async () => {
    await paidIn()
    world.provider.wallet -= 20_000n
    await world.pass(25 * HOUR_MS)
    expect(await states()).toEqual(['lapsed'])
    expect((await told())[1]).toMatch(/^booking-lapsed: 20000 msats paid in .* is not booked: the wallet does not show/)
  })

  it('waits longer while the wallet cannot be read', async () => {
    await paidIn()
    world.provider.misbehave('getWallet', ...Array(60).fill('error'))
    await world.pass(25 * HOUR_MS)
    expect(await states()).toEqual(['proposed'])
    world.provider.misbehave('getWallet')
  })

  it('can end a payment with an unknown outcome a day later', async () => {
    const payment = await unknownPayout()
    const word = { payment, outcome: 'paid', reason: 'bob has it', operator: 'olga' } as const
    const { dueAt } = await operators().decide(word)
    await expect(operators().decide(word)).rejects.toMatchObject({ code: 'proposal-waits', facts: { until: dueAt } })
    expect((await operators().unknown(1))[0]?.proposal).toMatchObject({ by: 'olga', dueAt })
    await world.pass(25 * HOUR_MS)
    expect(await operators().unknown(1)).toMatchObject([{ decided: 'paid' }])
    expect(await world.database.read.decision.findMany()).toMatchObject([
      { state: 'done', proposedBy: 'olga', secondedBy: 'delay' },
    ])
    expect((await world.tipping.balances.view('bob')).sentToGamertag).toBe(100_000n)
  })

  it('waits another day if the operator changes the outcome', async () => {
    const payment = await unknownPayout()
    const word = { payment, reason: 'so it is', operator: 'olga' } as const
    await operators().decide({ ...word, outcome: 'failed' })
    await world.pass(20 * HOUR_MS)
    await operators().decide({ ...word, outcome: 'paid' })
    await world.pass(20 * HOUR_MS)
    expect(await operators().unknown(1)).toMatchObject([{ decided: undefined, proposal: { outcome: 'paid' } }])
    await world.pass(5 * HOUR_MS)
    expect(await operators().unknown(1)).toMatchObject([{ decided: 'paid' }])
  })

  it('takes effect only with a second operator if the settings require two', async () => {
    await world.start({ operators: 'two' })
    expect((await paidIn()).dueAt).toBeUndefined()
    await world.pass(23 * HOUR_MS)
    expect(await states()).toEqual(['proposed'])
    expect(await book('20', 'oscar')).toMatchObject({ state: 'done' })
  })

  it('cannot be completed in the database before its time', async () => {
    const { id } = await paidIn()
    const early = { state: 'done', secondedBy: 'delay', secondedReason: 'now', secondedAt: new Date(world.clock.now()) }
    const update = world.database.write.$transaction((tx) => tx.booking.update({ where: { id }, data: early }))
    await expect(update).rejects.toThrow(/Booking_delay|constraint/i)
    await operators().cancel({ proposal: id, operator: 'olga' })
    world.excused = /20 sats more/
  })
})
