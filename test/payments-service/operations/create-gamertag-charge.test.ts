import { afterEach, beforeEach, expect, it } from 'vitest'
import { decodeInvoice } from '../../../src/lib/lightning/bolt11.ts'
import { sats } from '../../../src/lib/money/amount.ts'
import { operations, verifyCallback } from '../../../src/payments-api/payments-api.ts'
import { CallbackReceiver } from '../callback-receiver.ts'
import { expectRefusal, ServiceWorld, type TestProject } from '../harness.ts'
import { itKeepsEveryPromise } from '../promises.ts'

let world: ServiceWorld
let receiver: CallbackReceiver
let project: TestProject
let alice: string

beforeEach(async () => {
  world = await ServiceWorld.open()
  receiver = await CallbackReceiver.open()
  project = await world.project()
  alice = await world.user('alice')
})
afterEach(async () => {
  await world.close()
  await receiver.close()
})

const PATH = '/v0/gamertag/charges'
const create = (body: object = {}) =>
  world.raw('POST', PATH, { apiKey: project.apiKey, body: { amount: '1000000', gamertag: 'alice', ...body } })
const aliceHas = () => world.balance({ kind: 'user', id: alice })

it('200: makes an invoice of exactly the amount, with the description, that lives ten minutes', async () => {
  const answer = await create({ description: 'for the coffee', internalId: 'order 7' })
  expect(answer.status).toBe(200)
  expect(Object.keys(answer.json)).toEqual(['success', 'data'])
  const now = world.clock.now()
  expect(answer.json.data).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    unit: 'msats',
    status: 'CHARGE_PENDING',
    amount: '1000000',
    createdAt: new Date(now).toISOString(),
    internalId: 'order 7',
    callbackUrl: '',
    description: 'for the coffee',
    invoiceRequest: expect.stringMatching(/^lnbcrt/),
    invoiceExpiresAt: new Date(now + 600_000).toISOString(),
    invoiceDescriptionHash: null,
  })
  const invoice = decodeInvoice(answer.json.data.invoiceRequest)
  expect(invoice).toMatchObject({ amount: 1_000_000n, description: 'for the coffee' })
})

it('keeps no words of a payer, and no zap, with the invoice: nobody can leave any', async () => {
  await create({ description: 'for the coffee' })
  const said = { comment: '', payerData: '', zapRequest: '' }
  expect(await world.service.parts.database.read.invoice.findFirst()).toMatchObject(said)
})

it('credits the owner of the gamertag when it is paid, and tells the caller once', async () => {
  const { json } = await create({ callbackUrl: receiver.url() })
  await world.sandbox.outside.pay(json.data.invoiceRequest)
  await world.until(() => receiver.received.length > 0)
  expect(await aliceHas()).toBe(1_000_000n)
  const read = await world.raw('GET', `${PATH}/${json.data.id}`, { apiKey: project.apiKey })
  expect(read.json.data).toMatchObject({ status: 'CHARGE_COMPLETED', confirmedAt: expect.stringMatching(/Z$/) })
  expect(receiver.received[0]?.json).toEqual(read.json.data)
  expect(receiver.received).toHaveLength(1)
})

it('signs its callbacks with the secret of the project', async () => {
  const { json } = await create({ callbackUrl: receiver.url() })
  await world.sandbox.outside.pay(json.data.invoiceRequest)
  await world.until(() => receiver.received.length > 0)
  const [callback] = receiver.received
  if (callback === undefined) throw new Error('no callback')
  const verdict = (secret: string) =>
    verifyCallback({ headers: callback.headers, body: callback.text, secrets: [secret], clock: world.clock })
  expect(verdict(project.callbackSecret)).toEqual({ genuine: true, id: expect.stringMatching(/^msg_/) })
  expect(verdict((await world.project()).callbackSecret)).toMatchObject({ genuine: false })
})

it('credits the user, whatever the gamertag is by then', async () => {
  const { json } = await create()
  await world.administration.renameUser(alice, 'alicia')
  await world.sandbox.outside.pay(json.data.invoiceRequest)
  await world.until(async () => (await aliceHas()) === 1_000_000n)
})

it('credits what a payer sends beyond the amount too', async () => {
  const { json } = await create()
  await world.sandbox.outside.pay(json.data.invoiceRequest, sats(1_500))
  await world.until(async () => (await aliceHas()) === 1_500_000n)
})

it('expires when the node proves that it can no longer be paid, and tells the caller', async () => {
  const { json } = await create({ callbackUrl: receiver.url(), expiresIn: 60 })
  await world.clock.advance(59_000)
  expect(receiver.received).toHaveLength(0)
  await world.clock.advance(10_000)
  await world.until(() => receiver.received.length > 0)
  expect(receiver.received[0]?.json).toMatchObject({ id: json.data.id, status: 'CHARGE_EXPIRED', confirmedAt: null })
  await expect(world.sandbox.outside.pay(json.data.invoiceRequest)).rejects.toThrow()
})

it('is credited exactly once, across restarts', async () => {
  const { json } = await create()
  await world.service.close()
  await world.sandbox.outside.pay(json.data.invoiceRequest)
  await world.restart()
  await world.until(async () => (await aliceHas()) === 1_000_000n)
  await world.restart()
  expect(await aliceHas()).toBe(1_000_000n)
})

it('404 gamertag_not_found: for a gamertag that nobody has', async () => {
  expectRefusal(await create({ gamertag: 'nobody' }), 404, 'gamertag_not_found')
})

it('400: refuses amounts below a satoshi, above the maximum, and expiries out of range', async () => {
  expectRefusal(await create({ amount: 'much' }), 400, 'invalid_amount')
  expectRefusal(await create({ amount: '999' }), 400, 'amount_too_low')
  const tooHigh = await create({ amount: '10000000001' })
  expectRefusal(tooHigh, 400, 'amount_too_high')
  expect(tooHigh.headers.get('x-amount-limit')).toBe('10000000000')
  for (const expiresIn of [0, -1, 1.5, 2_592_001, '60'])
    expectRefusal(await create({ expiresIn }), 400, 'invalid_field')
})

it('400: refuses descriptions that no invoice can carry and addresses that are none', async () => {
  expectRefusal(await create({ description: 'é'.repeat(320) }), 400, 'invalid_field')
  expectRefusal(await create({ description: 'a\0b' }), 400, 'invalid_field')
  expectRefusal(await create({ callbackUrl: 'javascript:alert(1)' }), 400, 'invalid_field')
  expect((await create({ description: '🚀'.repeat(100) })).status).toBe(200)
})

it('401, 403: needs a key that may receive', async () => {
  expectRefusal(await world.raw('POST', PATH, { body: {} }), 401, 'missing_api_key')
  const { apiKey } = await world.administration.createKey(project.projectId, { scopes: ['read'] })
  expectRefusal(await world.raw('POST', PATH, { apiKey, body: {} }), 403, 'missing_scope')
})

itKeepsEveryPromise(operations.createGamertagCharge)
