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
const CODE = /^[2346789ACDEFGHJKMNPQRTVWXY]{8}$/
const WHOLE = 10_000_000n
const vouchers = () => world.service.parts.database.read.voucher.count()
/** Checks that nothing was created. */
async function expectNothing(): Promise<void> {
  expect([await calls.balanceOf(project), await vouchers()]).toEqual([WHOLE, 0])
}

describe('Create Vouchers', () => {
  it('200: answers with every field and with working codes', async () => {
    const body = { count: 3, amount: '250000', description: 'a prize', expiresAt: '2030-02-01T01:00:00+01:00' }
    const { status, json } = await calls.batch(body)
    expect([status, Object.keys(json)]).toEqual([200, ['success', 'message', 'data']])
    const withdraw = {
      amount: '240000',
      request: expect.stringMatching(/^lnurl1/),
      uri: expect.stringMatching(/^lightning:lnurl1/),
    }
    expect(json.data).toEqual({
      createTransactionId: expect.any(String),
      walletId: project.projectId,
      unit: 'msats',
      count: 3,
      amount: '250000',
      fee: '7500',
      total: '757500',
      description: 'a prize',
      createdAt: '2030-01-01T00:00:00.000Z',
      expiresAt: '2030-02-01T00:00:00.000Z',
      vouchers: Array(3).fill({ id: expect.any(String), code: expect.stringMatching(CODE), withdraw }),
    })
    const [first, second, third] = json.data.vouchers
    expect(new Set([first, second, third].flatMap((each) => [each.id, each.code, each.withdraw.request])).size).toBe(9)
    expect((await calls.retrieve(first.id)).json.data).toMatchObject({
      ...first,
      ...{ amount: '250000', description: 'a prize', expiresAt: '2030-02-01T00:00:00.000Z' },
      createTransactionId: json.data.createTransactionId,
    })
    const other = await world.project(sats(0))
    expect((await calls.redeem(first.code, other)).status).toBe(200)
    expect((await calls.revoke(second.code)).status).toBe(200)
    expect([await calls.balanceOf(project), await calls.balanceOf(other)]).toEqual([
      WHOLE - 757_500n + 250_000n,
      250_000n,
    ])
    expect(await world.service.parts.ledger.balance(FEE_INCOME)).toBe(7_500n)
  })

  it('a batch debits the wallet once for its amount and once for its fee', async () => {
    const { data } = (await calls.batch({ count: 1_000, amount: '1000' })).json
    expect(new Set(data.vouchers.map(({ code }: { code: string }) => code)).size).toBe(1_000)
    expect(data).toMatchObject({ count: 1_000, total: '2000000', description: '', expiresAt: null })
    const { transactions } = (await project.client.listTransactions({ type: 'voucher' })).data
    expect(transactions.map(({ direction, amount, fee }) => `${direction} ${amount} ${fee}`)).toEqual([
      'out 1000000 1000000',
      'out 1000000 0',
    ])
    expect(transactions.map(({ resourceId }) => resourceId)).toEqual(Array(2).fill(data.createTransactionId))
  })

  it('400: refuses a count other than 1 to 1,000 and creates no vouchers', async () => {
    for (const count of [1_001, 0, -1, 1.5, '3', null, 1e21])
      expectRefusal(await calls.batch({ count, amount: '1000' }), 400, 'invalid_field')
    expect((await calls.batch({ count: 1_001, amount: '1000' })).json.message).toContain('from 1 to 1000')
    await expectNothing()
  })

  it('400 insufficient_funds: refuses a batch that costs more than the balance', async () => {
    expectRefusal(await calls.batch({ count: 10, amount: '990100' }), 400, 'insufficient_funds')
    expectRefusal(await calls.batch({ count: 1_000, amount: '10000000000' }), 400, 'insufficient_funds')
    await expectNothing()
    expect((await calls.batch({ count: 10, amount: '990099' })).status).toBe(200)
  })

  it('400, 422: refuses invalid amounts, times and fields and creates no vouchers', async () => {
    const three = { count: 3, amount: '1000' }
    for (const amount of ['0', '-1', '1.5', '', 1000, '1e3', '01'])
      expectRefusal(await calls.batch({ ...three, amount }), 400, 'invalid_amount')
    expectRefusal(await calls.batch({ ...three, amount: '10000000001' }), 400, 'amount_too_high')
    for (const expiresAt of [
      'tomorrow',
      '2030-02-01',
      '2030-02-01T00:00',
      '2030-13-01T00:00:00Z',
      '',
      null,
      1_893_456_000,
    ])
      expectRefusal(await calls.batch({ ...three, expiresAt }), 400, 'invalid_field')
    for (const expiresAt of ['2029-12-31T23:59:59Z', '2030-01-01T00:00:00Z']) {
      const past = await calls.batch({ ...three, expiresAt })
      expectRefusal(past, 400, 'invalid_field')
      expect(past.json.message).toMatch(/^expiresAt is in the past\. /)
    }
    expectRefusal(await calls.batch({ ...three, codes: [] }), 400, 'unknown_field')
    expectRefusal(await calls.batch({ amount: '1000' }), 422, 'missing_field')
    expectRefusal(await calls.batch({ count: 3 }), 422, 'missing_field')
    await expectNothing()
  })

  it('403: requires a key that may send', async () => {
    const { apiKey } = await world.administration.createKey(project.projectId, { scopes: ['read', 'receive'] })
    const refused = await new VoucherCalls(world, { ...project, apiKey }).batch({ count: 1, amount: '1000' })
    expectRefusal(refused, 403, 'missing_scope')
  })

  it('100 requests with one Idempotency-Key create only one batch of vouchers', async () => {
    const headers = { 'idempotency-key': 'prizes' }
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => calls.batch({ count: 2, amount: '1000' }, headers)),
    )
    const made = answers.filter(({ status }) => status === 200)
    expect(new Set(made.map(({ text }) => text)).size).toBe(1)
    expect(answers.filter(({ json }) => json.code === 'still_running').length + made.length).toBe(100)
    await world.restart()
    expect((await calls.batch({ amount: '1000', count: 2 }, headers)).text).toBe(made[0]?.text)
    expectRefusal(await calls.batch({ count: 3, amount: '1000' }, headers), 409, 'idempotency_key_reused')
    expect([await calls.balanceOf(project), await vouchers()]).toEqual([WHOLE - 4_000n, 2])
  })

  it('100 simultaneous requests create as many whole batches as the wallet can pay', async () => {
    const batch = () => calls.batch({ count: 5, amount: '99000' })
    const answers = await Promise.all(Array.from({ length: 100 }, batch))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
    for (const answer of answers.filter(({ status }) => status !== 200))
      expectRefusal(answer, 400, 'insufficient_funds')
    expect([await calls.balanceOf(project), await vouchers()]).toEqual([0n, 100])
  })
})

itKeepsEveryPromise(operations.createVoucherBatch)
