import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { paymentCallback } from '../../../src/payments-service/engine/sending/payment-callback.ts'
import { refuseSelfPayment } from '../../../src/payments-service/payments/pay-invoice.ts'
import { newPayment } from '../../../src/payments-service/payments/reserve-payment.ts'
import { failed } from '../scripted-node.ts'
import { type Project, SendingWorld } from '../sending-world.ts'

let world: SendingWorld
let project: Project

beforeEach(async () => {
  world = await new SendingWorld().start()
  project = await world.project(sats(10_000))
})

const pay = async (invoice: string, more: object = {}) =>
  (await world.call(project, 'sendPayment', { body: { invoice, ...more } })).body.data

describe('the record of a payment', () => {
  /** Returns the fields that both kinds of record have after a payment. */
  const ended = () => ({
    ...{ id: expect.any(String), payerKind: 'project', payerId: project.id, status: 'completed' },
    ...{ withdrawalRequestId: null, voucherId: null, failure: '', failureCode: '', description: '', internalId: '' },
    ...{ amount: sats(100), maxFee: sats(10), fee: sats(1), callbackUrl: '', successAction: '', attempts: 0 },
    ...{ createdAt: new Date(world.clock.now()), confirmedAt: new Date(world.clock.now()), nextLookUpAt: null },
    ...{ sender: world.service.parts.ownership.me, absentSince: null },
  })

  it('contains the invoice and its result, and leaves the keysend fields empty', async () => {
    const { invoice, paymentHash, preimage } = world.node.foreignInvoice({ amount: sats(100) })
    const { id } = await pay(invoice)
    const its = { destination: '', metadata: '', tlvRecords: '', keysendId: null }
    expect(await world.payment(id)).toEqual({ ...ended(), kind: 'invoice', invoice, paymentHash, preimage, ...its })
  })

  it('has two entries in the book: the hold and the outcome', async () => {
    const { id } = await pay(world.node.foreignInvoice({ amount: sats(100) }).invoice)
    const where = { operation: `payment:${id}` }
    const entries = await world.service.parts.database.read.entry.findMany({ where, orderBy: { id: 'asc' } })
    expect(entries.map(({ step }) => step)).toEqual(['reserve', 'post'])
  })

  it('contains the receiver and the TLV records of a keysend', async () => {
    const body = { amount: `${sats(100)}`, pubkey: `02${'AB'.repeat(32)}` }
    const { data } = (await world.call(project, 'sendKeysendPayment', { body })).body
    const { paymentHash = '', ...asked } = world.node.calls[0] ?? {}
    const preimage = world.node.preimageOf(paymentHash)
    const its = { destination: body.pubkey.toLowerCase(), metadata: '{}', tlvRecords: '[]', keysendId: data.keysendId }
    expect(await world.payment(data.paymentId)).toEqual({
      ...{ ...ended(), kind: 'keysend', invoice: '', paymentHash, preimage, ...its },
    })
    expect(asked).toMatchObject({ pubkey: its.destination, preimage, timeoutMs: 300_000 })
  })

  it('contains the reason for a failure, which the project can read too', async () => {
    world.node.answer = async () => failed('nobody was there')
    const { id, failure } = await pay(world.node.foreignInvoice({ amount: sats(100) }).invoice)
    expect(failure).toEqual({ code: 'no_route', message: 'nobody was there' })
    expect(await world.payment(id)).toMatchObject({ failure: 'nobody was there', failureCode: 'no_route' })
  })

  it('adds to the totals of the fees charged to payers and borne by the operator', async () => {
    await pay(world.node.foreignInvoice({ amount: sats(100) }).invoice)
    world.node.answer = async ({ paymentHash }) => world.node.paid(paymentHash, sats(25))
    await pay(world.node.foreignInvoice({ amount: sats(100) }).invoice)
    const fees = await world.service.parts.database.read.routingFee.findMany({ orderBy: { kind: 'asc' } })
    expect(fees).toEqual([
      { kind: 'absorbed', total: sats(15), payments: 1 },
      { kind: 'charged', total: sats(11), payments: 2 },
      { kind: 'untold', total: 0n, payments: 0 },
    ])
  })
})

describe('a user’s payment', () => {
  it('causes no callback to a project that has the same id as the user', () => {
    const about = { kind: 'invoice', paymentHash: '00', amount: sats(1), maxFee: sats(0) } as const
    const callbackUrl = 'https://example.com/paid'
    const tellsOf = (kind: 'user' | 'project') => {
      const payment = newPayment(world.service.parts, { ...about, payer: { kind, id: project.id }, callbackUrl })
      return paymentCallback(world.service.parts, payment)
    }
    expect([tellsOf('user').length, tellsOf('project').length]).toEqual([0, 1])
  })

  it('is not refused as a self-payment if the payee is a project with the same id', async () => {
    const body = { minAmount: '1000', maxAmount: '100000', description: 'mine' }
    const { id } = (await world.call(project, 'createStaticCharge', { body })).body.data
    await world.fetch(`/v0/request-static-charges/${id}/callback?amount=5000`)
    const own = await world.service.parts.database.read.invoice.findFirstOrThrow()
    expect(() => refuseSelfPayment({ kind: 'project', id: project.id }, own)).toThrow(/your own/)
    expect(() => refuseSelfPayment({ kind: 'user', id: project.id }, own)).not.toThrow()
  })
})

describe('a node that cannot send an amount together with its fee limit', () => {
  it('is asked to pay neither an invoice nor a keysend', async () => {
    world.node.holds = { spendable: sats(109) }
    await world.service.parts.nodeWatch.look()
    const { invoice } = world.node.foreignInvoice({ amount: sats(100) })
    const refused = { status: 503, body: { code: 'nothing_sent', message: expect.stringMatching(/at most 109 sats/) } }
    expect(await world.call(project, 'sendPayment', { body: { invoice } })).toMatchObject(refused)
    const body = { amount: `${sats(100)}`, pubkey: `02${'ab'.repeat(32)}` }
    expect(await world.call(project, 'sendKeysendPayment', { body })).toMatchObject(refused)
    expect(world.node.calls).toEqual([])
    world.node.holds = { spendable: sats(110) }
    await world.pass(6_000)
    expect((await world.call(project, 'sendPayment', { body: { invoice } })).status).toBe(200)
  })
})

describe('a keysend to our own node', () => {
  it.each([
    ['the caller', (key: string) => key.toUpperCase(), (key: string) => key],
    ['the node', (key: string) => key, (key: string) => key.toUpperCase()],
  ])('is refused even if %s writes the key in upper case', async (_who, asTyped, asSaid) => {
    const info = await world.node.info()
    const other = new SendingWorld()
    other.node.become(world.node)
    other.node.info = async () => ({ ...info, pubkey: asSaid(info.pubkey) })
    await other.start()
    const payer = await other.project()
    const body = { amount: '100000', pubkey: asTyped(info.pubkey) }
    const { body: said } = await other.call(payer, 'sendKeysendPayment', { body })
    expect(said.code).toBe('self_payment')
    await other.close()
  })
})
