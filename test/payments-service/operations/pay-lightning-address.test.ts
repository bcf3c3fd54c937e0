import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { operations } from '../../../src/payments-api/payments-api.ts'
import { CallbackReceiver } from '../callback-receiver.ts'
import { expectRefusal, ServiceWorld, type TestProject } from '../harness.ts'
import { itKeepsEveryPromise } from '../promises.ts'
import { LnurlReceiver } from '../wallet-page/lnurl-receiver.ts'

let world: ServiceWorld
let receiver: CallbackReceiver
let shop: LnurlReceiver
let project: TestProject

beforeEach(async () => {
  world = await ServiceWorld.open()
  receiver = await CallbackReceiver.open()
  shop = await LnurlReceiver.open(world.sandbox)
  project = await world.project(sats(10_000))
})
afterEach(() => Promise.all([receiver.close(), shop.close()]))

const PATH = '/v0/ln-address/send-payment'
const pay = (body: object = {}, headers: Record<string, string> = {}) => {
  const asked = { lnAddress: shop.address, amount: '500000', ...body }
  return world.raw('POST', PATH, { apiKey: project.apiKey, body: asked, headers })
}
const read = async (id: string) => (await world.raw('GET', `/v0/payments/${id}`, { apiKey: project.apiKey })).json.data
const has = ({ projectId } = project) => world.balance({ kind: 'project', id: projectId })
const next = (fault: string) => world.raw('POST', '/sandbox/faults', { body: { next: fault } })
const addressHere = (name: string) => `${name}@${new URL(world.service.parts.publicUrl).host}`
/** Checks that the payment was refused before anything was reserved. */
async function expectNothingPaid() {
  expect(await has()).toBe(10_000_000n)
  expect(await world.service.parts.database.read.payment.count()).toBe(0)
}

describe('Pay Lightning Address', () => {
  it('200: pays exactly the amount with the comment and shows every field', async () => {
    const answer = await pay({ comment: 'for tea', internalId: 'order 7', callbackUrl: receiver.url() })
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.json)).toEqual(['success', 'message', 'data'])
    const { data } = answer.json
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      fee: expect.stringMatching(/^\d+$/),
      unit: 'msats',
      amount: '500000',
      invoice: expect.stringMatching(/^lnbcrt/),
      preimage: expect.stringMatching(/^[0-9a-f]{64}$/),
      walletId: project.projectId,
      transactionId: data.id,
      callbackUrl: receiver.url(),
      internalId: 'order 7',
      comment: 'for tea',
      processedAt: expect.stringMatching(/Z$/),
      createdAt: data.processedAt,
      status: 'completed',
    })
    expect(shop.asked).toEqual([{ amount: '500000', comment: 'for tea' }])
    expect(await has()).toBe(10_000_000n - 500_000n - BigInt(data.fee))
    const shown = await read(data.id)
    expect(shown).toMatchObject({ status: 'completed', preimage: data.preimage, fee: data.fee })
    await world.until(() => receiver.received.length > 0)
    expect(receiver.received.map(({ json }) => json)).toEqual([shown])
  })

  it('a failed payment returns the whole amount and calls back', async () => {
    await next('fail')
    const { data } = (await pay({ callbackUrl: receiver.url() })).json
    expect([data.status, data.preimage, await has()]).toEqual(['failed', null, 10_000_000n])
    await world.until(() => receiver.received.length > 0)
    expect(receiver.received[0]?.json).toMatchObject({ id: data.id, status: 'failed' })
  })

  it('a payment with an unknown outcome stays processing until the outcome is proven', async () => {
    await next('hang')
    const paying = pay({ callbackUrl: receiver.url() })
    // The address is asked first, while the clock stands still.
    await world.until(async () => (await world.service.parts.database.read.payment.count()) === 1)
    const { data } = (await world.clock.advanceUntil(paying)).json
    expect([data.status, await has()]).toEqual(['processing', 10_000_000n - 510_000n])
    expect([(await read(data.id)).status, receiver.received.length]).toEqual(['processing', 0])
    await world.raw('POST', '/sandbox/release', { body: { outcome: 'settle' } })
    await world.until(async () => (await read(data.id)).status === 'completed')
    expect(await has()).toBe(10_000_000n - 500_000n - BigInt((await read(data.id)).fee))
    await world.until(() => receiver.received.length === 1)
  })

  it('requests with one Idempotency-Key pay once and ask the address only once', async () => {
    const headers = { 'idempotency-key': 'rent' }
    const first = await pay({}, headers)
    const again = await pay({}, headers)
    expect(again.json.data).toEqual(first.json.data)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expectRefusal(await pay({ amount: '1000' }, headers), 409, 'idempotency_key_reused')
    expect(shop.asked).toHaveLength(1)
    await world.restart()
    expect((await pay({}, headers)).json.data).toEqual(first.json.data)
    expect(await world.service.parts.database.read.payment.count()).toBe(1)
  })

  it('100 requests with one Idempotency-Key pay once', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => pay({}, { 'idempotency-key': 'rent' })))
    const ids = answers.flatMap(({ status, json }) => (status === 200 ? [json.data.id] : []))
    expect(new Set(ids).size).toBe(1)
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
    expect(await world.service.parts.database.read.payment.count()).toBe(1)
  })

  it('100 requests without an Idempotency-Key never spend more than the balance', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => pay({ amount: '900000' })))
    const paid = answers.filter(({ status }) => status === 200)
    expect(paid.length).toBeGreaterThan(0)
    expect(paid.length).toBeLessThanOrEqual(11)
    const refused = answers.filter(({ status }) => status !== 200).map(({ json }) => json.code)
    expect([...new Set(refused)].filter((code) => code !== 'rate_limited')).toEqual(['insufficient_funds'])
  })

  it('the service pays an address on this host inside the books without a fee', async () => {
    const alice = await world.user('alice')
    const { data } = (await pay({ lnAddress: addressHere('alice') })).json
    expect(data).toMatchObject({ status: 'completed', fee: '0' })
    expect([await has(), await world.balance({ kind: 'user', id: alice })]).toEqual([9_500_000n, 500_000n])
  })

  it('400 self_payment: refuses an address of the paying wallet', async () => {
    const body = { minAmount: sats(1), maxAmount: sats(1_000), description: 'tea', identifier: 'tea' }
    await project.client.createStaticCharge(body)
    expectRefusal(await pay({ lnAddress: addressHere('tea') }), 400, 'self_payment')
    await expectNothingPaid()
  })

  it('400 address_unanswered: refuses an answer without an invoice for the amount', async () => {
    shop.misbehave = { amount: sats(5_000) }
    expectRefusal(await pay(), 400, 'address_unanswered')
    shop.misbehave = { hash: 'ab'.repeat(32) }
    expectRefusal(await pay(), 400, 'address_unanswered')
    await expectNothingPaid()
  })

  it('400 address_unanswered: refuses a silent host and a host that wants payer data', async () => {
    expectRefusal(await pay({ lnAddress: 'nobody@127.0.0.1:1' }), 400, 'address_unanswered')
    expectRefusal(await pay({ lnAddress: addressHere('nobody') }), 400, 'address_unanswered')
    expectRefusal(await pay({ comment: 'x'.repeat(101) }), 400, 'address_unanswered')
    shop.payerData = { name: { mandatory: true } }
    expectRefusal(await pay(), 400, 'address_unanswered')
    shop.status = 500
    expectRefusal(await pay(), 400, 'address_unanswered')
    await expectNothingPaid()
  })

  it('400: refuses amounts that are invalid, out of range or beyond the balance', async () => {
    expectRefusal(await pay({ amount: '1.5' }), 400, 'invalid_amount')
    expectRefusal(await pay({ amount: '999' }), 400, 'amount_too_low')
    expectRefusal(await pay({ amount: '10000000001' }), 400, 'amount_too_high')
    const tooMuch = await pay({ amount: '1000000001' })
    expectRefusal(tooMuch, 400, 'amount_too_high')
    expect(tooMuch.headers.get('x-amount-limit')).toBe('1000000000')
    expectRefusal(await pay({ amount: '10000000' }), 400, 'insufficient_funds')
    await expectNothingPaid()
  })

  it('400 invalid_address: refuses a malformed address and a private host', async () => {
    for (const lnAddress of ['alice', 'alice@', '@example.com', 'a b@example.com', 'https://example.com'])
      expect([lnAddress, (await pay({ lnAddress })).status]).toEqual([lnAddress, 400])
    expectRefusal(await pay({ lnAddress: 'alice@@example.com' }), 400, 'invalid_address')
    const strict = await ServiceWorld.open({ settings: { outgoingAllowLoopback: false } })
    const { apiKey } = await strict.project()
    const body = { lnAddress: shop.address, amount: '1000' }
    expect((await strict.raw('POST', PATH, { apiKey, body })).status).toBe(400)
    expect(shop.asked).toEqual([])
    await strict.close()
  })

  it('after a lost answer, repeating the Idempotency-Key returns the payment’s state', async () => {
    const headers = { 'idempotency-key': 'rent' }
    await next('hang')
    const unanswered = pay({}, headers).catch(() => undefined)
    await world.until(async () => (await world.service.parts.database.read.payment.count()) === 1)
    await world.clock.advanceUntil(unanswered)
    await world.restart()
    const again = (await world.clock.advanceUntil(pay({}, headers))).json.data
    expect(again.status).toBe('processing')
    await world.raw('POST', '/sandbox/release', { body: { outcome: 'settle' } })
    // After a start it is looked up, at growing intervals.
    for (let minute = 0; minute < 20 && (await read(again.id)).status !== 'completed'; minute += 1)
      await world.clock.advance(60_000)
    expect((await pay({}, headers)).json.data).toMatchObject({ id: again.id, status: 'completed' })
    expect(shop.asked).toHaveLength(1)
    expect(await world.service.parts.database.read.payment.count()).toBe(1)
  })
})

itKeepsEveryPromise(operations.payLightningAddress)
