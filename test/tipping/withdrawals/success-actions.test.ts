import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lockText } from '../../support/locked-text.ts'
import { TippingWorld } from '../world.ts'
import { type AddressHost, hostAddress, invoiceFor, RIGHT } from './outside.ts'

const PREIMAGE = 'ab'.repeat(32)
const HOUR = 3_600_000

let world: TippingWorld
let bob: AddressHost

/** Opens a world in which alice has 10,000 sats, and each invoice of bob's has the hash of one preimage. */
beforeEach(async () => {
  world = await TippingWorld.open({ wallet: 1_000_000n })
  await world.fund('alice', 10_000)
  bob = await hostAddress(world)
})

afterEach(() => bob.close())

const paymentHash = createHash('sha256').update(Buffer.from(PREIMAGE, 'hex')).digest('hex')

/** Sets the message that bob sends to those who pay him. */
function says(successAction: unknown, change: object = {}): void {
  bob.invoice = (amount) => ({ pr: invoiceFor(world, amount, { ...RIGHT, paymentHash }), successAction, ...change })
}

async function pay(amount = '500') {
  const asked = await world.tipping.withdrawals.ask({
    member: 'alice',
    amount,
    to: bob.address,
    origin: world.origin(),
  })
  const { id } = asked
  return await world.tipping.withdrawals.confirm({ withdrawal: id, member: 'alice', origin: world.origin() })
}

const saidOf = async (id: string) => ({
  card: (await world.tipping.withdrawals.view(id)).said,
  receipt: (await world.tipping.history.receipt({ member: 'alice', operation: id })).said,
})

describe('a receiver’s message for its payer', () => {
  it.each([
    [{ tag: 'message', message: 'Thank you' }, { words: 'Thank you' }],
    [
      { tag: 'url', description: 'Ticket', url: 'http://127.0.0.1/t' },
      { words: 'Ticket', url: 'http://127.0.0.1/t' },
    ],
    [
      { tag: 'url', url: 'http://127.0.0.1/t' },
      { words: '', url: 'http://127.0.0.1/t' },
    ],
    [lockText('sesame', PREIMAGE), { words: 'Your code', secret: 'sesame' }],
    [lockText('sesame', 'cd'.repeat(32)), { words: 'Your code', secret: 'locked' }],
    [undefined, undefined],
  ])('is shown on the card and in the receipt (%j as %j)', async (action, said) => {
    says(action)
    world.provider.outgoing.preimage = PREIMAGE
    const { id, state } = await pay()
    expect(state).toBe('paid')
    expect(await saidOf(id)).toEqual({ card: said, receipt: said })
  })

  it('is shown even if the payment settles after a restart', async () => {
    says(lockText('sesame', PREIMAGE))
    world.provider.outgoing.preimage = PREIMAGE
    world.provider.outgoing.next = 'processing'
    const { id, card } = await pay()
    expect(await saidOf(id)).toEqual({ card: undefined, receipt: undefined })
    await world.restart()
    const before = (await world.tipping.cards.get(card ?? ''))?.revision ?? 0
    world.provider.outgoing.end(world.provider.outgoing.only('payments'), 'completed')
    await world.pass(HOUR)
    const said = { words: 'Your code', secret: 'sesame' }
    expect(await saidOf(id)).toEqual({ card: said, receipt: said })
    expect((await world.tipping.cards.get(card ?? ''))?.revision).toBeGreaterThan(before)
  })

  it('is unlocked in the receipt once the provider supplies the missing proof', async () => {
    says(lockText('sesame', PREIMAGE))
    const { id } = await pay()
    const locked = { words: 'Your code', secret: 'locked' }
    expect(await saidOf(id)).toEqual({ card: locked, receipt: locked })
    world.provider.outgoing.preimage = PREIMAGE
    expect((await saidOf(id)).receipt).toEqual({ words: 'Your code', secret: 'sesame' })
  })

  it('is not shown if the payment failed', async () => {
    says({ tag: 'message', message: 'Thank you' })
    world.provider.outgoing.next = 'failed'
    const { id, state } = await pay()
    expect(state).toBe('returned')
    expect(await saidOf(id)).toEqual({ card: undefined, receipt: undefined })
  })

  it('is also stored for forwarded tips', async () => {
    says({ tag: 'message', message: 'Thank you' })
    await world.run(world.tipping.forwarding.start({ member: 'carol', address: bob.address, origin: world.origin() }))
    await world.run(world.tip('alice', 'carol', '500'))
    await world.pass(500)
    const [sent] = await world.database.read.withdrawal.findMany({ where: { member: 'carol' } })
    const receipt = await world.tipping.history.receipt({ member: 'carol', operation: sent?.id ?? '' })
    expect(receipt.said).toEqual({ words: 'Thank you' })
  })

  it('is deleted, like the destination, when the payer’s data is deleted', async () => {
    says(lockText('sesame', PREIMAGE))
    world.provider.outgoing.preimage = PREIMAGE
    const { id } = await pay()
    await world.tipping.privacy.forget('alice')
    const row = await world.database.read.withdrawal.findUnique({ where: { id } })
    expect(row).toMatchObject({ destination: '', successAction: null, preimage: null })
  })

  it('is ignored if it is malformed, and prevents the payment if its kind is unknown', async () => {
    says({ tag: 'message', message: 7 }, { routes: null, disposable: 'yes', verify: 7 })
    expect(await pay()).toMatchObject({ state: 'paid', said: undefined })
    says({ tag: 'hologram' })
    const facts = { address: bob.address, tag: 'hologram' }
    await expect(pay()).rejects.toMatchObject({ code: 'address-unknown-action', facts })
  })
})

describe('an address that accepts only whole sats', () => {
  it.each([
    ['500.5', 500_000n],
    ['999999 msats', 999_000n],
    ['100001 msats', 100_000n],
  ])('causes %s to be refused, and the refusal states the nearest whole amount', async (amount, nearest) => {
    bob.invoice = (sats) =>
      Number.isInteger(sats) ? { pr: invoiceFor(world, sats, RIGHT) } : { status: 'ERROR', reason: 'No.' }
    const facts = { address: bob.address, nearest }
    await expect(pay(amount)).rejects.toMatchObject({ code: 'address-whole-sats', facts })
    expect(await pay('500')).toMatchObject({ state: 'paid' })
  })

  it('has its own message shown if it refuses for another reason', async () => {
    bob.invoice = () => ({ status: 'ERROR', reason: 'Asleep.' })
    await expect(pay('500.5')).rejects.toMatchObject({ code: 'address-refused', facts: { message: 'Asleep.' } })
  })
})
