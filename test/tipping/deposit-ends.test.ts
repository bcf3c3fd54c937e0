import { afterEach, describe, expect, it } from 'vitest'
import type { DepositView } from '../../src/tipping/tipping.ts'
import type { Fault } from '../support/scripted-provider.ts'
import { TippingWorld } from './world.ts'

const HOUR = 3_600_000

let world: TippingWorld

/** Nothing but its own poll wakes the bot. */
async function begin(): Promise<void> {
  world = await TippingWorld.open({ settings: { sweepEveryMs: 240 * HOUR } })
}

afterEach(() => world.close())

const deposit = () => world.tipping.deposits.open({ member: 'alice', amount: '1000', origin: world.origin() })
const chargeOf = (view: DepositView) => world.provider.chargeOf(view.request)
const pay = (view: DepositView) => world.provider.payCharge(chargeOf(view).id)
const now = ({ id }: DepositView) => world.tipping.deposits.view(id)
const polls = () => world.provider.count('getStaticCharge')

async function look(view: DepositView): Promise<void> {
  await world.tipping.hint(world.token(chargeOf(view).callbackUrl))
  await world.settle()
}

describe('the readings of a deposit', () => {
  const DAY = 24 * HOUR
  const nextAt = async ({ id }: DepositView) =>
    (await world.database.read.pollJob.findUnique({ where: { id } }))?.nextAt

  it('end a month after its charge was read as disabled, and a callback begins them again', async () => {
    await begin()
    const open = await deposit()
    await pay(open)
    await look(open)
    expect(await now(open)).toMatchObject({ state: 'paid' })
    for (let day = 0; day < 29; day += 1) await world.pass(DAY)
    expect(await nextAt(open)).toBeInstanceOf(Date)
    for (let day = 0; day < 4; day += 1) await world.pass(DAY)
    expect(await nextAt(open)).toBeNull()
    const before = polls()
    for (let day = 0; day < 5; day += 1) await world.pass(DAY)
    expect(polls()).toBe(before)
    // A race at the provider may pay it twice, however late.
    await pay(open)
    await look(open)
    expect(await world.available('alice')).toBe(2_000_000n)
  })

  it('go on once a day for one that its provider does not disable', async () => {
    await begin()
    world.provider.misbehave('updateStaticCharge', ...Array<Fault>(300).fill('error'))
    const open = await deposit()
    for (let day = 0; day < 60; day += 1) await world.pass(DAY)
    const before = polls()
    for (let day = 0; day < 3; day += 1) await world.pass(DAY)
    expect(polls() - before).toBeGreaterThanOrEqual(2)
    await pay(open)
    for (let day = 0; day < 2; day += 1) await world.pass(DAY)
    expect(await world.available('alice')).toBe(1_000_000n)
  })

  it('count the month again where its charge took payments in between', async () => {
    await begin()
    const open = await deposit()
    await pay(open)
    await look(open)
    for (let day = 0; day < 20; day += 1) await world.pass(DAY)
    const charge = chargeOf(open)
    charge.allowedSlots = 2
    await look(open)
    expect(await world.database.read.deposit.findUnique({ where: { id: open.id } })).toMatchObject({
      disabledSince: null,
    })
    charge.allowedSlots = 1
    await look(open)
    for (let day = 0; day < 20; day += 1) await world.pass(DAY)
    expect(await nextAt(open)).toBeInstanceOf(Date)
    for (let day = 0; day < 15; day += 1) await world.pass(DAY)
    expect(await nextAt(open)).toBeNull()
  })
})
