import { describe, expect, it } from 'vitest'
import type { DepositView } from '../../src/tipping/tipping.ts'
import type { Fault } from '../support/scripted-provider.ts'
import { TippingWorld } from './world.ts'

const HOUR = 3_600_000

let world: TippingWorld

/** Starts a bot that is woken only by its own polls. */
async function begin(): Promise<void> {
  world = await TippingWorld.open({ settings: { sweepEveryMs: 240 * HOUR } })
}

const deposit = () => world.tipping.deposits.open({ member: 'alice', amount: '1000', origin: world.origin() })
const chargeOf = (view: DepositView) => world.provider.chargeOf(view.request)
const pay = (view: DepositView) => world.provider.payCharge(chargeOf(view).id)
const now = ({ id }: DepositView) => world.tipping.deposits.view(id)
const polls = () => world.provider.count('getStaticCharge')

async function look(view: DepositView): Promise<void> {
  await world.tipping.hint(world.token(chargeOf(view).callbackUrl))
  await world.settle()
}

const DAY = 24 * HOUR
const rowOf = ({ id }: DepositView) => world.database.read.deposit.findUniqueOrThrow({ where: { id } })
const nextAt = async ({ id }: DepositView) => (await world.database.read.pollJob.findUnique({ where: { id } }))?.nextAt

/**
 * Makes the charge seem to have been read as disabled for this long, without a month of polls that would prove nothing
 * more.
 */
async function disabledFor(view: DepositView, ms: number): Promise<void> {
  const disabledSince = new Date(world.clock.now() - ms)
  await world.database.write.deposit.update({ where: { id: view.id }, data: { disabledSince } })
}

describe('the polling of a deposit', () => {
  it('finds payments without a callback (fault 20), slows down, and does not stop', async () => {
    await begin()
    const open = await deposit()
    await world.pass(60_000)
    await pay(open)
    await world.pass(20_000)
    expect(await world.available('alice')).toBe(1_000_000n)
    const before = polls()
    await world.pass(15 * DAY)
    const during = polls()
    expect(during - before).toBeGreaterThan(30)
    expect(during - before).toBeLessThan(150)
    await world.pass(5 * DAY)
    expect(polls() - during).toBe(5)
  })

  it('ends a month after the charge is disabled, and begins again after a callback', async () => {
    await begin()
    const open = await deposit()
    await pay(open)
    await look(open)
    expect(await now(open)).toMatchObject({ state: 'paid' })
    expect(await rowOf(open)).toMatchObject({ disabled: true, disabledSince: new Date(world.clock.now()) })
    await disabledFor(open, 30 * DAY - 1)
    await look(open)
    expect(await nextAt(open)).toBeInstanceOf(Date)
    await disabledFor(open, 30 * DAY)
    await look(open)
    expect(await nextAt(open)).toBeNull()
    const before = polls()
    await world.pass(2 * DAY)
    expect(polls()).toBe(before)
    // A race at the provider may pay it twice, however late.
    await pay(open)
    await look(open)
    expect(await world.available('alice')).toBe(2_000_000n)
  })

  it('continues until the provider disables the charge', async () => {
    await begin()
    world.provider.misbehave('updateStaticCharge', ...Array<Fault>(300).fill('error'))
    const open = await deposit()
    await world.pass(2 * DAY)
    expect(await now(open)).toMatchObject({ state: 'closed' })
    await disabledFor(open, 90 * DAY)
    await look(open)
    expect(await rowOf(open)).toMatchObject({ disabled: false, disabledSince: null })
    expect(await nextAt(open)).toBeInstanceOf(Date)
    await pay(open)
    await look(open)
    expect(await world.available('alice')).toBe(1_000_000n)
  })

  it('continues for another month if the charge was reopened meanwhile', async () => {
    await begin()
    const open = await deposit()
    await pay(open)
    await look(open)
    await disabledFor(open, 29 * DAY)
    const charge = chargeOf(open)
    charge.allowedSlots = 2
    await look(open)
    expect(await rowOf(open)).toMatchObject({ disabled: false, disabledSince: null })
    charge.allowedSlots = 1
    await world.pass(2_000)
    await look(open)
    const since = (await rowOf(open)).disabledSince?.getTime() ?? 0
    expect(world.clock.now() - since).toBeLessThan(DAY)
    expect(await nextAt(open)).toBeInstanceOf(Date)
  })

  it('continues while the provider cannot be reached', async () => {
    await begin()
    const open = await deposit()
    await pay(open)
    await look(open)
    await disabledFor(open, 31 * DAY)
    world.provider.misbehave('getStaticCharge', ...Array<Fault>(5).fill('error'))
    await look(open)
    expect(await nextAt(open)).toBeInstanceOf(Date)
  })
})
