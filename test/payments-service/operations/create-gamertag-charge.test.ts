import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { decodeInvoice } from '../../../src/lib/lightning/bolt11.ts'
import { operations } from '../../../src/payments-api/payments-api.ts'
import { CallbackReceiver } from '../callback-receiver.ts'
import { itIsACharge } from '../charges.ts'
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
afterEach(() => receiver.close())

const PATH = '/v0/gamertag/charges'
const create = (body: object = {}) =>
  world.raw('POST', PATH, { apiKey: project.apiKey, body: { amount: '1000000', gamertag: 'alice', ...body } })
const aliceHas = () => world.balance({ kind: 'user', id: alice })

describe('Create Gamertag Charge', () => {
  it('200: makes a ten-minute invoice with the amount and the description', async () => {
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

  it('a gamertag charge’s invoice has no comment, payer data or zap request', async () => {
    await create({ description: 'for the coffee' })
    const said = { comment: '', payerData: '', zapRequest: '' }
    expect(await world.service.parts.database.read.invoice.findFirst()).toMatchObject(said)
  })

  it('a gamertag charge credits its user even if the user’s gamertag changes meanwhile', async () => {
    const { json } = await create()
    await world.administration.renameUser(alice, 'alicia')
    await world.sandbox.outside.pay(json.data.invoiceRequest)
    await world.until(async () => (await aliceHas()) === 1_000_000n)
  })

  it('404 gamertag_not_found: refuses an unknown gamertag', async () => {
    expectRefusal(await create({ gamertag: 'nobody' }), 404, 'gamertag_not_found')
  })

  itIsACharge({
    ...{ path: PATH, around: () => ({ world, receiver, project }), create, has: aliceHas },
    invoiceOf: ({ invoiceRequest }) => invoiceRequest,
    states: { completed: 'CHARGE_COMPLETED', expired: 'CHARGE_EXPIRED' },
  })
})

itKeepsEveryPromise(operations.createGamertagCharge)
