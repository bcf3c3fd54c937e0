import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { operations } from '../../../src/payments-api/payments-api.ts'
import { expectRefusal, ServiceWorld, type TestProject } from '../harness.ts'
import { itKeepsEveryPromise } from '../promises.ts'
import { WithdrawalCalls } from '../withdrawal-calls.ts'

let world: ServiceWorld
let project: TestProject
let calls: WithdrawalCalls

beforeEach(async () => {
  world = await ServiceWorld.open()
  project = await world.project(sats(10_000))
  calls = new WithdrawalCalls(world, project)
})

describe('Create Withdrawal Request', () => {
  it('reserves the amount and the fee limit and answers with a normal and a fast code', async () => {
    const body = {
      amount: '2000000',
      description: 'for Zoë & co',
      internalId: 'i',
      callbackUrl: 'https://example.com/c',
    }
    const { status, json } = await calls.create(body)
    expect(status).toBe(200)
    expect(json).toEqual({
      success: true,
      message: expect.stringMatching(/\w/),
      data: {
        id: expect.any(String),
        unit: 'msats',
        ...body,
        createdAt: '2030-01-01T00:00:00.000Z',
        expiresAt: '2030-01-01T01:00:00.000Z',
        status: 'pending',
        fee: null,
        invoice: {
          request: expect.stringMatching(/^lnurl1/),
          fastRequest: expect.stringMatching(/^lnurl1/),
          uri: `lightning:${json.data.invoice.request}`,
          fastUri: `lightning:${json.data.invoice.fastRequest}`,
        },
      },
    })
    expect(await calls.balance()).toBe(sats(10_000 - 2_000 - 20))
  })

  it('uses the given expiresIn and maxFee and needs neither description nor callback', async () => {
    const { json } = await calls.create({ amount: '1000', expiresIn: 1, maxFee: '5' })
    expect(json.data).toMatchObject({
      expiresAt: '2030-01-01T00:00:01.000Z',
      description: '',
      internalId: '',
      callbackUrl: '',
    })
    expect(await calls.balance()).toBe(10_000_000n - 1_005n)
  })

  it.each([
    [
      'an amount that exceeds the balance once the fee limit is added',
      { amount: '9900991' },
      400,
      'insufficient_funds',
    ],
    ['more than the operator permits', { amount: '10000000001' }, 400, 'amount_too_high'],
    [
      'a fee limit above what the operator permits (fault 12)',
      { amount: '1000', maxFee: '2100000000000000000' },
      400,
      'amount_too_high',
    ],
    ['less than a sat', { amount: '999' }, 400, 'amount_too_low'],
    ['an amount that is a number', { amount: 1_000 }, 400, 'invalid_amount'],
    ['an expiry of zero seconds', { amount: '1000', expiresIn: 0 }, 400, 'invalid_field'],
    ['an expiry beyond 30 days', { amount: '1000', expiresIn: 2_592_001 }, 400, 'invalid_field'],
    ['no amount', {}, 422, 'missing_field'],
  ])('refuses %s and reserves no sats', async (_what, body, status, code) => {
    expectRefusal(await calls.create(body), status, code)
    expect(await calls.balance()).toBe(sats(10_000))
  })

  it('repeats its answer byte for byte for the same Idempotency-Key and reserves once', async () => {
    const headers = { 'idempotency-key': 'w' }
    const first = await calls.create({ amount: '1000000' }, headers)
    expect((await calls.create({ amount: '1000000' }, headers)).text).toBe(first.text)
    expect(await calls.balance()).toBe(sats(8_990))
  })
})

itKeepsEveryPromise(operations.createWithdrawalRequest)
