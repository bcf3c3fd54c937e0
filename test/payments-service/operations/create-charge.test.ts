import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { decodeInvoice } from '../../../src/lib/lightning/bolt11.ts'
import { msats, sats } from '../../../src/lib/money/amount.ts'
import { operations } from '../../../src/payments-api/payments-api.ts'
import { OPERATOR, SUSPENSE } from '../../../src/payments-service/core/chart-of-accounts.ts'
import { creditSettlement } from '../../../src/payments-service/receiving/settlement-consumer.ts'
import { CallbackReceiver } from '../callback-receiver.ts'
import { itIsACharge } from '../charges.ts'
import { expectRefusal, ServiceWorld, type TestProject } from '../harness.ts'
import { itKeepsEveryPromise } from '../promises.ts'

let world: ServiceWorld
let receiver: CallbackReceiver
let project: TestProject

beforeEach(async () => {
  world = await ServiceWorld.open()
  receiver = await CallbackReceiver.open()
  project = await world.project(sats(0))
})
afterEach(() => receiver.close())

const PATH = '/v0/charges'
const create = (body: object = {}, headers: Record<string, string> = {}) =>
  world.raw('POST', PATH, { apiKey: project.apiKey, body: { amount: '1000000', description: 'tea', ...body }, headers })
const made = async (body: object = {}) => (await create(body)).json.data
const read = async (id: string) => (await world.raw('GET', `${PATH}/${id}`, { apiKey: project.apiKey })).json.data
const has = ({ projectId }: TestProject = project) => world.balance({ kind: 'project', id: projectId })
/** Reports that an invoice of ours was settled, as the node does. */
const settle = (request: string, cursor: string, received: number) =>
  creditSettlement(world.service.parts, {
    cursor,
    paymentHash: decodeInvoice(request).paymentHash,
    received: msats(received),
    preimage: '00'.repeat(32),
    settledAt: new Date(world.clock.now()),
    keysend: false,
  })

describe('Create Charge', () => {
  it('200: makes a ten-minute invoice with the amount and the description', async () => {
    const answer = await create({ description: 'for the coffee', internalId: 'order 7' })
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.json)).toEqual(['success', 'message', 'data'])
    expect(answer.json.message).toBe('Charge created.')
    const now = world.clock.now()
    const { request } = answer.json.data.invoice
    expect(answer.json.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      unit: 'msats',
      amount: '1000000',
      status: 'pending',
      description: 'for the coffee',
      createdAt: new Date(now).toISOString(),
      expiresAt: new Date(now + 600_000).toISOString(),
      confirmedAt: null,
      internalId: 'order 7',
      callbackUrl: '',
      invoice: { request: expect.stringMatching(/^lnbcrt/), uri: `lightning:${request}` },
    })
    expect(decodeInvoice(request)).toMatchObject({ amount: 1_000_000n, description: 'for the coffee' })
  })

  it('another project can pay a charge inside the books at once and without a fee', async () => {
    const payer = await world.project(sats(2_000))
    const { id, invoice } = await made({ callbackUrl: receiver.url() })
    const { data } = await payer.client.sendPayment({ invoice: invoice.request })
    expect(data).toMatchObject({ status: 'completed', fee: 0n })
    expect([await has(), await has(payer)]).toEqual([1_000_000n, 1_000_000n])
    await world.until(() => receiver.received.length > 0)
    expect(receiver.received.map(({ json }) => json)).toEqual([await read(id)])
    expect((await read(id)).status).toBe('completed')
  })

  it('a charge is paid only once if 100 payments are made at the same time', async () => {
    const payers = [await world.project(sats(100_000)), await world.project(sats(100_000))]
    const { invoice } = await made()
    const pay = (n: number) => (payers[n % 2] as TestProject).client.sendPayment({ invoice: invoice.request })
    const outcomes = await Promise.allSettled(Array.from({ length: 100 }, (_, n) => pay(n)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []))
    expect(new Set(refused)).toEqual(new Set(['already_paid']))
    expect(await has()).toBe(1_000_000n)
  })

  it('a charge cannot be paid by the project that made it', async () => {
    await world.administration.fundProject(project.projectId, sats(2_000))
    const { id, invoice } = await made()
    const paid = project.client.sendPayment({ invoice: invoice.request })
    await expect(paid).rejects.toMatchObject({ code: 'self_payment' })
    expect([await has(), (await read(id)).status]).toEqual([2_000_000n, 'pending'])
  })

  it('a charge credits its full face value at the operator’s expense if less arrived', async () => {
    const { id, invoice } = await made()
    await settle(invoice.request, 'c1', 999_000)
    expect([await has(), await world.service.parts.ledger.balance(OPERATOR)]).toEqual([1_000_000n, -1_000n])
    expect((await read(id)).status).toBe('completed')
  })

  it('a second settlement of a charge goes to suspense', async () => {
    const payer = await world.project(sats(2_000))
    const { invoice } = await made()
    await payer.client.sendPayment({ invoice: invoice.request })
    await settle(invoice.request, 'c1', 1_000_000)
    expect([await has(), await world.service.parts.ledger.balance(SUSPENSE)]).toEqual([1_000_000n, 1_000_000n])
  })

  it('a charge is credited and completed even if it is paid after its expiry', async () => {
    const { id, invoice } = await made({ expiresIn: 60 })
    await world.clock.advance(70_000)
    await world.until(async () => (await read(id)).status === 'expired')
    await settle(invoice.request, 'c1', 1_000_000)
    expect([await has(), (await read(id)).status]).toEqual([1_000_000n, 'completed'])
  })

  it('a charge credits and notifies its project even if the key used for it is revoked', async () => {
    const { keyId, apiKey } = await world.administration.createKey(project.projectId, { scopes: ['receive'] })
    const body = { amount: '5000', description: '', callbackUrl: receiver.url() }
    const { json } = await world.raw('POST', PATH, { apiKey, body })
    await world.administration.revokeKey(keyId)
    await world.sandbox.outside.pay(json.data.invoice.request)
    await world.until(() => receiver.received.length > 0)
    expect([await has(), receiver.received[0]?.json.status]).toEqual([5_000n, 'completed'])
  })

  it('only one charge is made for 100 simultaneous requests with one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'order-7' }
    const answers = await Promise.all(Array.from({ length: 100 }, () => create({}, headers)))
    const ids = answers.flatMap(({ status, json }) => (status === 200 ? [json.data.id] : []))
    expect(new Set(ids).size).toBe(1)
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
    expect((await create({}, headers)).json.data.id).toBe(ids[0])
    expectRefusal(await create({ amount: '2000' }, headers), 409, 'idempotency_key_reused')
    expect(await world.service.parts.database.read.charge.count()).toBe(1)
  })

  it('400 unknown_field: refuses a gamertag, which needs a gamertag charge', async () => {
    expectRefusal(await create({ gamertag: 'alice' }), 400, 'unknown_field')
  })

  itIsACharge({
    ...{ path: PATH, around: () => ({ world, receiver, project }), create, has },
    invoiceOf: ({ invoice }) => invoice.request,
    states: { completed: 'completed', expired: 'expired' },
  })
})

itKeepsEveryPromise(operations.createCharge)
