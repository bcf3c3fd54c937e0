import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { decodeInvoice } from '../../../src/lib/lightning/bolt11.ts'
import { sats } from '../../../src/lib/money/amount.ts'
import { operations } from '../../../src/payments-api/payments-api.ts'
import { expectRefusal, ServiceWorld, type TestProject } from '../harness.ts'
import { itKeepsEveryPromise } from '../promises.ts'
import { LnurlReceiver } from '../wallet-page/lnurl-receiver.ts'

let world: ServiceWorld
let shop: LnurlReceiver
let project: TestProject

beforeEach(async () => {
  world = await ServiceWorld.open()
  shop = await LnurlReceiver.open(world.sandbox)
  project = await world.project(sats(100))
})
afterEach(() => shop.close())

const PATH = '/v0/ln-address/fetch-charge'
const ask = (body: object = {}, { apiKey } = project) =>
  world.raw('POST', PATH, { apiKey, body: { lnaddress: shop.address, amount: '500000', ...body } })
const addressHere = (name: string) => `${name}@${new URL(world.service.parts.publicUrl).host}`

describe('Charge From Address', () => {
  it('200: returns an invoice for exactly the amount and moves no sats', async () => {
    const answer = await ask({ description: 'for tea' })
    expect(Object.keys(answer.json)).toEqual(['success', 'message', 'data'])
    const { request } = answer.json.data.invoice
    expect(answer.json.data).toEqual({
      lnaddress: shop.address,
      amount: '500000',
      invoice: { request: expect.stringMatching(/^lnbcrt/), uri: `lightning:${request}` },
    })
    expect(decodeInvoice(request).amount).toBe(500_000n)
    expect(shop.asked).toEqual([{ amount: '500000', comment: 'for tea' }])
    expect(await world.balance({ kind: 'project', id: project.projectId })).toBe(100_000n)
  })

  it('200: returns an invoice that credits the owner of an address on this host', async () => {
    const alice = await world.user('alice')
    const { data } = (await ask({ lnaddress: addressHere('alice') })).json
    await world.sandbox.outside.pay(data.invoice.request)
    await world.until(async () => (await world.balance({ kind: 'user', id: alice })) === 500_000n)
  })

  it('400 address_unanswered: refuses an answer without an invoice for the amount', async () => {
    shop.misbehave = { amount: sats(501) }
    expectRefusal(await ask(), 400, 'address_unanswered')
    shop.misbehave = { hash: 'ab'.repeat(32) }
    expectRefusal(await ask(), 400, 'address_unanswered')
    shop.status = 404
    expectRefusal(await ask(), 400, 'address_unanswered')
  })

  it('400 address_unanswered: refuses a static charge whose only slot has been paid', async () => {
    const body = { minAmount: sats(500), maxAmount: sats(500), description: '', identifier: 'tea', allowedSlots: 1 }
    await project.client.createStaticCharge(body)
    const { data } = (await ask({ lnaddress: addressHere('tea') })).json
    await world.sandbox.outside.pay(data.invoice.request)
    await world.until(async () => (await ask({ lnaddress: addressHere('tea') })).json.code === 'address_unanswered')
  })

  it('400: refuses invalid amounts and addresses', async () => {
    expectRefusal(await ask({ amount: 500 }), 400, 'invalid_amount')
    expectRefusal(await ask({ amount: '999' }), 400, 'amount_too_low')
    expectRefusal(await ask({ amount: '1000000001' }), 400, 'amount_too_high')
    expectRefusal(await ask({ lnaddress: 'alice@@example.com' }), 400, 'invalid_address')
    expectRefusal(await ask({ lnaddress: '' }), 400, 'invalid_field')
    expect(shop.asked).toEqual([])
  })

  it('403: needs a key that may receive', async () => {
    const { apiKey } = await world.administration.createKey(project.projectId, { scopes: ['read'] })
    expectRefusal(await ask({}, { ...project, apiKey }), 403, 'missing_scope')
  })
})

itKeepsEveryPromise(operations.chargeFromAddress)
