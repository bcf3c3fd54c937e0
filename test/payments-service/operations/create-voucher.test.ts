import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { operations } from '../../../src/payments-api/payments-api.ts'
import { FEE_INCOME } from '../../../src/payments-service/core/chart-of-accounts.ts'
import { expectRefusal, ServiceWorld, type TestProject } from '../harness.ts'
import { itKeepsEveryPromise } from '../promises.ts'
import { VoucherCalls } from '../voucher-calls.ts'

let world: ServiceWorld
let project: TestProject
let calls: VoucherCalls

beforeEach(async () => {
  world = await ServiceWorld.open()
  project = await world.project(sats(10_000))
  calls = new VoucherCalls(world, project)
})

describe('Create Voucher', () => {
  it('debits the amount and the fee and answers with a code of 8 characters', async () => {
    const { status, json } = await calls.create()
    expect(status).toBe(200)
    expect(json).toEqual({
      success: true,
      data: {
        amount: '250000',
        code: expect.stringMatching(/^[2346789ACDEFGHJKMNPQRTVWXY]{8}$/),
        createdAt: '2030-01-01T00:00:00.000Z',
        createTransactionId: expect.any(String),
        description: 'a gift',
        expiresAt: null,
        fee: '2500',
        id: expect.any(String),
        unit: 'msats',
        walletId: project.projectId,
        withdraw: {
          amount: '240000',
          request: expect.stringMatching(/^lnurl1/),
          uri: expect.stringMatching(/^lightning:lnurl1/),
        },
      },
      message: expect.stringMatching(/\w/),
    })
    expect(await calls.balanceOf(project)).toBe(10_000_000n - 252_500n)
    expect(await world.service.parts.ledger.balance(FEE_INCOME)).toBe(2_500n)
  })

  it.each([
    ['1', '1000'],
    ['100000', '1000'],
    ['100001', '1001'],
    ['5000099', '50001'],
  ])('charges a 1 %% fee, rounded up to a msat, but at least 1 sat: %s msats cost %s', async (amount, fee) => {
    expect((await calls.create({ amount })).json.data).toMatchObject({ amount, fee, description: '' })
  })

  it.each([
    ['an amount that exceeds the balance once the fee is added', { amount: '9900991' }, 400, 'insufficient_funds'],
    ['more than the operator permits', { amount: '10000000001' }, 400, 'amount_too_high'],
    ['zero', { amount: '0' }, 400, 'invalid_amount'],
    ['an amount that is a number', { amount: 1_000 }, 400, 'invalid_amount'],
    ['no amount', {}, 422, 'missing_field'],
    ['an expiry in the past', { amount: '1000', expiresAt: '2029-12-31T00:00:00Z' }, 400, 'invalid_field'],
    ['an expiry that is not a time', { amount: '1000', expiresAt: '2030-02-01' }, 400, 'invalid_field'],
    ['an unknown field', { amount: '1000', code: 'MYCODE22' }, 400, 'unknown_field'],
  ])('refuses %s', async (_what, body, status, code) => {
    expectRefusal(await calls.create(body), status, code)
    expect(await calls.balanceOf(project)).toBe(sats(10_000))
  })

  it('can spend the wallet’s last msat on the amount and the fee', async () => {
    expect((await calls.create({ amount: '9900990' })).status).toBe(200)
    expect(await calls.balanceOf(project)).toBe(0n)
  })

  it('repeats its answer byte for byte for the same Idempotency-Key and debits once', async () => {
    const headers = { 'idempotency-key': 'voucher-1' }
    const first = await calls.create({ amount: '1000' }, headers)
    const second = await calls.create({ amount: '1000' }, headers)
    expect(second.text).toBe(first.text)
    expect(await calls.balanceOf(project)).toBe(10_000_000n - 2_000n)
  })
})

itKeepsEveryPromise(operations.createVoucher)
