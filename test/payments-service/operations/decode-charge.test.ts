import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { msats, sats } from '../../../src/lib/money/amount.ts'
import { operations } from '../../../src/payments-api/payments-api.ts'
import vectors from '../../vectors/bolt11.json' with { type: 'json' }
import { expectRefusal, ServiceWorld, type TestProject } from '../harness.ts'
import { itKeepsEveryPromise } from '../promises.ts'

let world: ServiceWorld
let project: TestProject

beforeAll(async () => {
  world = await ServiceWorld.open()
  project = await world.project(msats(0))
})

afterAll(() => world.close())

const decode = (body: object) => world.raw('POST', '/v0/decode-invoice', { apiKey: project.apiKey, body })

describe('Decode Charge', () => {
  it.each(vectors.valid)('reads the valid BOLT11 example “$name”', async ({ invoice, expect: wanted }) => {
    const { status, json } = await decode({ invoice })
    expect([status, json.success]).toEqual([200, true])
    const { network, paymentHash, paymentSecret } = wanted
    expect(json.data).toMatchObject({ network, paymentHash, paymentSecret, lnRequest: invoice.toLowerCase() })
    const amount = 'amount' in wanted ? String(wanted.amount) : '0'
    expect(json.data).toMatchObject({ amount, description: 'description' in wanted ? wanted.description : '' })
    expect(Object.keys(json.data)).toHaveLength(10)
  })

  it.each(vectors.invalid)('refuses the invalid BOLT11 example “$name”', async ({ invoice }) => {
    const { status, json } = await decode({ invoice })
    expect([status, json.success]).toEqual([400, false])
    expect(['invalid_invoice', 'invalid_field']).toContain(json.code)
  })

  it('reads an invoice of the outside wallet and names its network', async () => {
    const { invoice, paymentHash } = world.sandbox.outside.createInvoice({
      amount: sats(21),
      description: { text: 'tea' },
      expiresInSeconds: 60,
    })
    expect((await decode({ invoice })).json).toEqual({
      success: true,
      data: {
        amount: '21000',
        lnRequest: invoice,
        lnExpiresAt: '2030-01-01T00:01:00.000Z',
        network: 'regtest',
        description: 'tea',
        descriptionHash: '',
        paymentHash,
        paymentSecret: expect.stringMatching(/^[0-9a-f]{64}$/),
        payee: world.sandbox.outside.wallet().pubkey,
        signature: expect.stringMatching(/^[0-9a-f]{128}$/),
      },
    })
  })

  it.each([
    ['no invoice', {}, 422, 'missing_field'],
    ['a number', { invoice: 7 }, 400, 'invalid_field'],
    ['prose', { invoice: 'pay me' }, 400, 'invalid_field'],
    ['a text with a NUL character', { invoice: 'lnbc1\0' }, 400, 'invalid_field'],
    ['a Lightning Address', { invoice: 'satoshi@example.com' }, 400, 'invalid_invoice'],
    ['an unknown field', { invoice: 'lnbc1', network: 'bitcoin' }, 400, 'unknown_field'],
  ])('refuses %s', async (_what, body, status, code) => {
    expectRefusal(await decode(body), status, code)
  })
})

itKeepsEveryPromise(operations.decodeCharge)
