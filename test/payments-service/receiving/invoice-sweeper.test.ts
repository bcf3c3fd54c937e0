import { beforeEach, expect, it } from 'vitest'
import { decodeInvoice } from '../../../src/lib/lightning/bolt11.ts'
import { msats, sats } from '../../../src/lib/money/amount.ts'
import type { InvoiceStatus } from '../../../src/payments-service/backends/backend.ts'
import { sweepInvoices } from '../../../src/payments-service/receiving/invoice-sweeper.ts'
import { creditSettlement } from '../../../src/payments-service/receiving/settlement-consumer.ts'
import { type Project, SendingWorld } from '../sending-world.ts'

/** Tests what happens to expired invoices. */

let world: SendingWorld
let project: Project
/** The payment hashes of the invoices that were looked up at the node, in order. */
let asked: string[]
/** Decides the node's answer about an invoice. */
let says: (paymentHash: string) => Promise<InvoiceStatus | undefined>
/** Decides what happens when the node is asked to cancel an invoice. */
let cancels: (paymentHash: string) => Promise<'canceled' | 'settled' | 'unknown'>

beforeEach(async () => {
  world = await new SendingWorld().start()
  project = await world.project()
  await world.user('alice')
  asked = []
  says = async () => ({ state: 'open' })
  cancels = async () => 'canceled'
  Object.assign(world.node, {
    lookUpInvoice: (paymentHash: string) => {
      asked.push(paymentHash)
      return says(paymentHash)
    },
    cancelInvoice: (paymentHash: string) => {
      world.node.canceled.push(paymentHash)
      return cancels(paymentHash)
    },
  })
})
/** Leaves the job to other services: this service checks invoices only when the test requests it. */
function leaveToOthers(): void {
  const { ownership } = world.service.parts
  const has = ownership.has.bind(ownership)
  Object.assign(ownership, { has: (job: Parameters<typeof has>[0]) => job !== 'invoices' && has(job) })
}

const sweep = () => sweepInvoices(world.service.parts)

async function charge(expiresIn = 60) {
  const body = { amount: '5000', gamertag: 'alice', expiresIn }
  const { data } = (await world.call(project, 'createGamertagCharge', { body })).body
  const request = data.invoiceRequest as string
  return { id: data.id as string, request, paymentHash: decodeInvoice(request).paymentHash }
}
const statusOf = async ({ id }: { id: string }) =>
  (await world.call(project, 'getGamertagCharge', { params: { id } })).body.data.status

const settlement = (paymentHash: string) => ({
  received: msats(5_000),
  preimage: world.node.preimageOf(paymentHash),
  settledAt: new Date(world.clock.now()),
})
/** Credits a payment, as if the node's stream had reported it. */
const arrives = (paymentHash: string) =>
  creditSettlement(world.service.parts, { ...settlement(paymentHash), cursor: 'c1', paymentHash, keysend: false })

it('an expired invoice is polled at growing intervals until the answer is final', async () => {
  leaveToOthers()
  const [closed, open] = [await charge(), await charge()]
  cancels = async () => 'unknown'
  says = async (paymentHash) => ({ state: paymentHash === closed.paymentHash ? 'closed' : 'open' })
  world.clock.freeze(59_999)
  await sweep()
  expect(asked).toEqual([])
  world.clock.freeze(1)
  await sweep()
  expect(asked.toSorted()).toEqual([closed.paymentHash, open.paymentHash].toSorted())
  const { canceled } = world.node
  for (const [round, pause] of [1_000, 5_000, 30_000, 300_000, 3_600_000].entries()) {
    world.clock.freeze(pause - 1)
    await sweep()
    expect(canceled).toHaveLength(round + 1)
    world.clock.freeze(1)
    await sweep()
    await sweep()
    expect(canceled).toHaveLength(round + 2)
  }
  expect(new Set(canceled)).toEqual(new Set([open.paymentHash]))
  expect([await statusOf(closed), await statusOf(open)]).toEqual(['CHARGE_EXPIRED', 'CHARGE_PENDING'])
})

it('a service without the sweeper’s job does not poll the node', async () => {
  leaveToOthers()
  await charge()
  await world.pass(80_000, 5_000)
  expect(asked).toEqual([])
})

it('each invoice is polled when it is due, even if other invoices have ended', async () => {
  const [, first, next] = [await charge(600), await charge(10), await charge(61)]
  await world.pass(20_000)
  expect(await statusOf(first)).toBe('CHARGE_EXPIRED')
  await world.pass(42_000)
  expect(await statusOf(next)).toBe('CHARGE_EXPIRED')
})

it('the sweeper keeps trying, with pauses, while the book cannot be read', async () => {
  const one = await charge(10)
  const { invoice } = world.service.parts.database.read
  const { findFirst } = invoice
  let failures = 0
  const fails = () => {
    failures += 1
    return Promise.reject(new Error('the disk does not answer'))
  }
  Object.assign(invoice, { findFirst: fails })
  await world.pass(40_000)
  Object.assign(invoice, { findFirst })
  expect(failures).toBeGreaterThan(1)
  expect(await statusOf(one)).toBe('CHARGE_EXPIRED')
})

it('an expired invoice is closed only once the node confirms its cancellation', async () => {
  leaveToOthers()
  const one = await charge()
  await world.clock.advance(60_000)
  for (const answer of ['unknown', 'settled'] as const) {
    cancels = async () => answer
    await sweep()
    expect(await statusOf(one)).toBe('CHARGE_PENDING')
    await world.clock.advance(5_000)
  }
  cancels = async () => 'canceled'
  await sweep()
  expect(world.node.canceled).toEqual(Array(3).fill(one.paymentHash))
  expect(await statusOf(one)).toBe('CHARGE_EXPIRED')
  expect(world.alerts()).toEqual([])
})

it('an invoice stays open in the book if the node can neither cancel nor find it', async () => {
  leaveToOthers()
  const one = await charge()
  await world.clock.advance(60_000)
  says = async () => undefined
  await sweep()
  await sweep()
  world.node.capabilities = { ...world.node.capabilities, cancelInvoice: false }
  says = async () => ({ state: 'open' })
  await world.clock.advance(1_000)
  await sweep()
  expect([asked.length, world.node.canceled, await statusOf(one)]).toEqual([2, [], 'CHARGE_PENDING'])
  expect(world.log.filter(({ level }) => level === 'warn')).toEqual([])
  says = async () => ({ state: 'closed' })
  await world.clock.advance(5_000)
  await sweep()
  expect(await statusOf(one)).toBe('CHARGE_EXPIRED')
})

it('operators are told once about an invoice that the node deleted', async () => {
  leaveToOthers()
  const [gone, closed] = [await charge(), await charge()]
  says = async (paymentHash) => ({ state: paymentHash === gone.paymentHash ? 'gone' : 'closed' })
  await world.clock.advance(60_000)
  await sweep()
  await sweep()
  expect([await statusOf(gone), await statusOf(closed)]).toEqual(['CHARGE_EXPIRED', 'CHARGE_EXPIRED'])
  const { paymentHash } = gone
  const text = expect.stringContaining(`The node has deleted the invoice ${paymentHash}, which counts as unpaid now`)
  expect(world.heard).toEqual([{ alert: 'invoice_gone', text, fields: { paymentHash } }])
})

it('a failed look-up of an invoice is logged, and is tried again later', async () => {
  leaveToOthers()
  const one = await charge()
  says = () => Promise.reject(new Error('the node is away'))
  await world.clock.advance(60_000)
  await sweep()
  await sweep()
  expect(asked).toHaveLength(1)
  const said = world.log.filter(({ msg }) => msg === 'the node did not say what became of an invoice')
  expect(said).toMatchObject([{ level: 'warn', paymentHash: one.paymentHash, err: { message: 'the node is away' } }])
  says = async () => ({ state: 'closed' })
  await world.clock.advance(1_000)
  await sweep()
  expect(await statusOf(one)).toBe('CHARGE_EXPIRED')
})

it('after a clock change, no unpaid invoice is closed, but a paid one is credited', async () => {
  leaveToOthers()
  const [paid, open] = [await charge(), await charge()]
  await world.clock.advance(60_000)
  world.clock.jump(86_400_000)
  says = async (paymentHash) =>
    paymentHash === paid.paymentHash ? { state: 'settled', ...settlement(paymentHash) } : { state: 'gone' }
  await sweep()
  await sweep()
  expect(asked.toSorted()).toEqual([paid.paymentHash, open.paymentHash].toSorted())
  expect([await statusOf(paid), await statusOf(open)]).toEqual(['CHARGE_COMPLETED', 'CHARGE_PENDING'])
  expect(world.heard.map(({ alert }) => alert)).not.toContain('invoice_gone')
})

it('a charge that is paid while the node is polled does not expire', async () => {
  leaveToOthers()
  const [one, other] = [await charge(), await charge()]
  await world.clock.advance(60_000)
  cancels = async (paymentHash) => {
    await arrives(paymentHash)
    return paymentHash === one.paymentHash ? 'canceled' : 'unknown'
  }
  await sweep()
  expect([await statusOf(one), await statusOf(other)]).toEqual(['CHARGE_COMPLETED', 'CHARGE_COMPLETED'])
  await world.clock.advance(60_000)
  await sweep()
  expect([asked.length, world.node.canceled.length]).toEqual([2, 2])
})

it('the node is asked to cancel an invoice paid inside the books until it does so', async () => {
  leaveToOthers()
  const [one, other] = [await charge(), await charge()]
  cancels = () => Promise.reject(new Error('the node is away'))
  await world.call(project, 'sendPayment', { body: { invoice: one.request } })
  const words = 'the node was not told yet that an invoice is paid; it will be'
  await world.until(() => world.log.some(({ msg }) => msg === words))
  expect(world.log.find(({ msg }) => msg === words)).toMatchObject({
    ...{ level: 'warn', paymentHash: one.paymentHash, err: { message: 'the node is away' } },
  })
  await sweep()
  // A node that cancels nothing is asked again later, like one that is away.
  cancels = async () => 'unknown'
  await world.clock.advance(1_000)
  await sweep()
  await sweep()
  expect([asked, world.node.canceled.length]).toEqual([[one.paymentHash], 3])
  // So is one that has not heard of it, or not yet: that is not a failure.
  says = async () => undefined
  const logged = world.log.length
  await world.clock.advance(5_000)
  await sweep()
  expect([asked.length, world.node.canceled.length, world.log.length]).toEqual([2, 4, logged])
  says = async () => ({ state: 'open' })
  cancels = async () => 'canceled'
  await world.clock.advance(30_000)
  await sweep()
  // Of one that it cancels it is not asked what it is.
  expect([asked.length, world.node.canceled.length]).toEqual([2, 5])
  // What nobody has paid is looked after as before.
  await world.clock.advance(60_000)
  await sweep()
  expect(world.node.canceled.slice(5)).toEqual([other.paymentHash])
  expect([await statusOf(one), await statusOf(other)]).toEqual(['CHARGE_COMPLETED', 'CHARGE_EXPIRED'])
})

it('a failed write to the book is reported and retried after growing pauses', async () => {
  const one = await charge()
  cancels = async () => 'unknown'
  const { ledger } = world.service.parts
  const { commit } = ledger
  Object.assign(ledger, { commit: () => Promise.reject(new Error('the disk is full')) })
  await world.pass(120_000)
  expect(asked.length).toBeGreaterThan(2)
  expect(asked.length).toBeLessThan(10)
  expect(world.log).toContainEqual(
    expect.objectContaining({
      ...{ level: 'error', msg: 'invoices cannot be looked after just now' },
      err: expect.objectContaining({ message: 'the disk is full' }),
    }),
  )
  Object.assign(ledger, { commit })
  says = async () => ({ state: 'closed' })
  await world.pass(60_000)
  expect(await statusOf(one)).toBe('CHARGE_EXPIRED')
})

it('a failure to make an invoice is explained to the caller and its cause is logged', async () => {
  Object.assign(world.node, { createInvoice: () => Promise.reject(new Error('the node is away')) })
  const body = { amount: `${sats(5)}`, gamertag: 'alice' }
  const answer = await world.call(project, 'createGamertagCharge', { body })
  const message = 'The Lightning node does not answer; nothing happened. Try again in a moment.'
  expect(answer).toMatchObject({ status: 503, body: { code: 'nothing_sent', message } })
  expect(world.log).toContainEqual(
    expect.objectContaining({
      ...{ level: 'warn', msg: 'the node made no invoice' },
      err: expect.objectContaining({ message: 'the node is away' }),
    }),
  )
})
