import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Clock } from '../../../src/lib/clock.ts'
import { systemEntropy } from '../../../src/lib/entropy.ts'
import { msats, sats } from '../../../src/lib/money/amount.ts'
import { createCoreLightning } from '../../../src/payments-service/backends/core-lightning/core-lightning.ts'
import { createPhoenixd } from '../../../src/payments-service/backends/phoenixd/phoenixd.ts'
import { NODE, OPERATOR } from '../../../src/payments-service/core/chart-of-accounts.ts'
import { type Project, SendingWorld } from '../sending-world.ts'
import { FakeClnrest } from './core-lightning/fake-clnrest.ts'
import { FakePhoenixd } from './phoenixd/fake-phoenixd.ts'

/** The node's own clock is the one of the service that runs, across restarts of the service. */
function clockOf(world: () => SendingWorld): Clock {
  return {
    now: () => world().clock.now(),
    monotonic: () => world().clock.monotonic(),
    after: (delayMs, action) => world().clock.after(delayMs, action),
  }
}

let world: SendingWorld
let project: Project
/** What the node held when the project got its float, which nobody paid in. */
let floats: bigint

const KINDS = {
  'Core Lightning': {
    make: (clock: Clock) => new FakeClnrest(clock),
    connect: (node: FakeClnrest) => (clock: Clock) =>
      createCoreLightning(
        { url: node.http.url, rune: node.rune, certificate: undefined },
        { clock, entropy: systemEntropy },
      ),
    pay: '/v1/xpay',
  },
  phoenixd: {
    make: (clock: Clock) => new FakePhoenixd(clock),
    connect: (node: FakePhoenixd) => (clock: Clock) =>
      createPhoenixd({ url: node.http.url, password: node.password }, { clock }),
    pay: '/payinvoice',
  },
}

describe.each(Object.entries(KINDS))('the service over %s', (_, kind) => {
  let node: FakeClnrest | FakePhoenixd

  beforeEach(async () => {
    node = kind.make(clockOf(() => world))
    await node.http.start()
    world = await new SendingWorld({}, kind.connect(node as never)).start()
    project = await world.project(sats(100_000))
    floats = node.side.balance - sats(100_000)
  })
  afterEach(async () => {
    await booksAgree()
    await world.close()
    await node.http.stop()
  })

  /** The book's account of the node is what the node holds, and what is in flight is where it was. */
  async function booksAgree(): Promise<void> {
    const booked = -(await world.service.parts.ledger.balance(NODE))
    expect(booked).toBe(node.side.balance + node.side.inFlight - floats)
  }

  async function charge(amount = sats(1_000)) {
    const { body } = await world.call(project, 'createGamertagCharge', {
      body: { amount: `${amount}`, gamertag: 'alice' },
    })
    return body.data.invoiceRequest as string
  }
  const send = async (invoice: string) => (await world.call(project, 'sendPayment', { body: { invoice } })).body.data
  const statusOf = async (id: string) => (await world.payment(id)).status

  it('credits what arrives, also while the service was down', async () => {
    const alice = await world.user('alice')
    const [first, second] = [await charge(), await charge()]
    node.side.payFromOutside(first)
    await world.pass(4_000, 500)
    await world.until(async () => (await world.balance(alice)) === sats(1_000))
    node.side.payFromOutside(second)
    await world.kill()
    await world.pass(4_000, 500)
    await world.until(async () => (await world.balance(alice)) === sats(2_000))
  })

  it('credits an invoice’s face though the node kept a part, at the operator’s cost', async () => {
    const alice = await world.user('alice')
    const { ledger } = world.service.parts
    await ledger.commit({
      entries: [{ operation: 'float', step: 'post', moves: [{ from: NODE, to: OPERATOR, amount: sats(5_000) }] }],
    })
    floats -= sats(5_000)
    node.side.payFromOutside(await charge(), sats(1_000), { received: sats(700) })
    await world.pass(4_000, 500)
    await world.until(async () => (await world.balance(alice)) === sats(1_000))
    expect(await ledger.balance(OPERATOR)).toBe(sats(4_700))
    expect(world.alerts()).toContain('short_settlement')
  })

  it('sends, and the payer bears the fee that the node took', async () => {
    const { invoice, paymentHash } = node.side.outsideInvoice({ amount: sats(500) })
    const payment = await send(invoice)
    await world.until(async () => (await statusOf(payment.id)) === 'completed')
    const fee = node.side.attempts[0]?.fee ?? 0n
    expect(await world.balance(project.holder)).toBe(sats(100_000) - sats(500) - fee)
    expect(node.side.receivedOutside(paymentHash)).toBe(sats(500))
  })

  it('gives back what failed', async () => {
    node.side.next('refused-by-payee')
    const { invoice } = node.side.outsideInvoice({ amount: sats(500) })
    const { id } = await world.clock.advanceUntil(send(invoice), 1_000)
    await world.until(async () => (await statusOf(id)) === 'failed')
    expect(await world.balance(project.holder)).toBe(sats(100_000))
  })

  it.each(['complete', 'failed'] as const)(
    'holds what hangs, over the end of node and service, until it is known to be %s',
    async (end) => {
      node.side.next('hang')
      const { invoice } = node.side.outsideInvoice({ amount: sats(500) })
      const reached = node.http.reached(kind.pay)
      const sending = send(invoice).catch(() => undefined)
      await reached
      await world.until(() => node.side.inFlight > 0n)
      await booksAgree()
      await node.http.stop()
      await world.kill(60_000)
      await sending
      await world.pass(30_000, 5_000)
      expect(await world.held(project.holder)).toBeGreaterThan(sats(500))
      await node.http.start()
      await world.pass(120_000, 5_000)
      expect(await world.held(project.holder)).toBeGreaterThan(sats(500))
      node.side.release(end)
      const whole = sats(100_000)
      await world.pass(1_800_000, 60_000)
      await world.until(async () => (await world.held(project.holder)) === msats(0))
      const rest = await world.balance(project.holder)
      if (end === 'failed') expect(rest).toBe(whole)
      else expect(rest).toBeLessThan(whole - sats(500))
    },
  )

  it('returns a payment canceled while the service was down once the node stopped', async () => {
    node.side.next('hang')
    const { invoice } = node.side.outsideInvoice({ amount: sats(500) })
    const reached = node.http.reached(kind.pay)
    const sending = send(invoice).catch(() => undefined)
    await reached
    await world.until(() => node.side.inFlight > 0n)
    const begun = world.clock.now()
    await node.http.stop()
    await world.kill(5_000)
    await sending
    await node.http.start()
    node.side.release('failed')
    await world.pass(begun + 95_000 - world.clock.now(), 1_000)
    expect(await world.held(project.holder)).toBe(msats(0))
    expect(await world.balance(project.holder)).toBe(sats(100_000))
  })

  it('keeps the sats held, with an alert, when the preimage of a node does not hash', async () => {
    node.side.next('wrong-preimage')
    const { id } = await send(node.side.outsideInvoice({ amount: sats(500) }).invoice)
    await world.until(async () => (await statusOf(id)) === 'unknown')
    await world.pass(120_000, 5_000)
    expect(await statusOf(id)).toBe('unknown')
    expect(await world.held(project.holder)).toBeGreaterThan(sats(500))
    expect(world.alerts()).toContain('wrong_preimage')
    // The one that lied has the sats, and the book counts them as on their way.
    floats = node.side.balance + node.side.inFlight + (await world.service.parts.ledger.balance(NODE))
  })

  it('charges the fee limit where the node took more, at the operator’s cost', async () => {
    const { ledger } = world.service.parts
    await ledger.commit({
      entries: [{ operation: 'float', step: 'post', moves: [{ from: NODE, to: OPERATOR, amount: sats(5_000) }] }],
    })
    floats -= sats(5_000)
    node.side.next('overcharge')
    const { id } = await send(node.side.outsideInvoice({ amount: sats(500) }).invoice)
    await world.until(async () => (await statusOf(id)) === 'completed')
    const { fee, maxFee } = await world.payment(id)
    expect(fee).toBe(maxFee)
    expect(await ledger.balance(OPERATOR)).toBe(sats(5_000) - ((node.side.attempts[0]?.fee ?? 0n) - maxFee))
    expect(world.alerts()).toContain('fee_over_limit')
  })

  it('holds a payment after an unreadable answer until the node shows no payment', async () => {
    // The first look tries its rights with the same call.
    await world.service.parts.nodeWatch.look()
    node.http.next('html', kind.pay)
    const { id } = await send(node.side.outsideInvoice({ amount: sats(500) }).invoice)
    await world.until(async () => (await statusOf(id)) === 'unknown')
    expect(await world.held(project.holder)).toBeGreaterThan(sats(500))
    await world.pass(1_800_000, 60_000)
    await world.until(async () => (await statusOf(id)) === 'failed')
    expect(await world.balance(project.holder)).toBe(sats(100_000))
    expect(node.side.attempts).toEqual([])
  })
})
