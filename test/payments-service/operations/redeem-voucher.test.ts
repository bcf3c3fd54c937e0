import { beforeEach, describe, expect, it } from 'vitest'
import { msats, sats } from '../../../src/lib/money/amount.ts'
import { operations } from '../../../src/payments-api/payments-api.ts'
import { expectRefusal, ServiceWorld, type TestProject } from '../harness.ts'
import { itKeepsEveryPromise } from '../promises.ts'
import { SendingWorld } from '../sending-world.ts'
import { VoucherCalls, voucherBeingClaimed } from '../voucher-calls.ts'

let world: ServiceWorld
let project: TestProject
let calls: VoucherCalls

beforeEach(async () => {
  world = await ServiceWorld.open()
  project = await world.project(sats(10_000))
  calls = new VoucherCalls(world, project)
})

describe('Redeem Voucher', () => {
  it('credits another project and accepts the code in any letter case', async () => {
    const { data } = (await calls.create()).json
    const other = await world.project(msats(0))
    const { status, json } = await calls.redeem(data.code.toLowerCase(), other)
    expect([status, json.data]).toMatchObject([
      200,
      {
        ...{ redeemedAt: '2030-01-01T00:00:00.000Z', redeemedById: other.projectId, revokedAt: null, code: data.code },
        redeemedTransactionId: expect.any(String),
      },
    ])
    expect(await calls.balanceOf(other)).toBe(250_000n)
  })

  it('credits a user on the wallet page', async () => {
    const id = await world.user('alice')
    const { data } = (await calls.create()).json
    await calls.redeemAsUser(id, data.code)
    expect(await world.balance({ kind: 'user', id })).toBe(250_000n)
    const updatedAt = '2030-01-01T00:00:00.000Z'
    expect((await calls.retrieve(data.id)).json.data).toMatchObject({ redeemedById: id, updatedAt })
  })

  it('works once for each voucher', async () => {
    const { data } = (await calls.create()).json
    await calls.redeem(data.code)
    expectRefusal(await calls.redeem(data.code), 409, 'voucher_redeemed')
    expectRefusal(await calls.revoke(data.code), 409, 'voucher_redeemed')
  })

  it('credits only one of 100 simultaneous redemptions (fault 13)', async () => {
    const { data } = (await calls.create()).json
    const other = await world.project(msats(0))
    const answers = await Promise.all(Array.from({ length: 100 }, () => calls.redeem(data.code, other)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ json }) => json.code === 'voucher_redeemed')).toHaveLength(99)
    expect(await calls.balanceOf(other)).toBe(250_000n)
  })

  it.each([
    ['no code', { code: undefined }, 422, 'missing_field'],
    ['a code that is too short', { code: 'ABC' }, 400, 'invalid_field'],
    ['a code that is not text', { code: 12_345_678 }, 400, 'invalid_field'],
    ['an unknown code', { code: 'AAAAAAAA' }, 404, 'voucher_not_found'],
  ])('refuses %s', async (_what, body, status, code) => {
    expectRefusal(await calls.redeem(body.code), status, code)
  })

  it('409 voucher_revoked: refuses a voucher that was revoked', async () => {
    const code = await calls.code()
    await calls.revoke(code)
    expectRefusal(await calls.redeem(code), 409, 'voucher_revoked')
  })

  it('locks out only the key that made 300 guesses, even if they were simultaneous', async () => {
    const other = await world.project(msats(0))
    const guesses = await Promise.all(Array.from({ length: 320 }, () => calls.redeem('AAAAAAAA', other)))
    expect(guesses.filter(({ status }) => status === 404)).toHaveLength(300)
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(20)
    const locked = await calls.revoke('AAAAAAAA', other)
    expectRefusal(locked, 429, 'too_many_wrong_codes')
    expect(locked.headers.get('retry-after')).toBe('600')
    expectRefusal(await calls.redeem('AAAAAAAA'), 404, 'voucher_not_found')
  })
})

it('409 voucher_expired: refuses an expired voucher whose sats were returned', async () => {
  const { data } = (await calls.create({ amount: '1000', expiresAt: '2030-01-01T00:01:00Z' })).json
  await world.clock.advance(90_000)
  await world.until(async () => (await calls.retrieve(data.id)).json.data.revokedAt !== null)
  expectRefusal(await calls.redeem(data.code), 409, 'voucher_expired')
})

it('409 voucher_being_claimed: refuses a voucher while a wallet claims it', async () => {
  const sending = await new SendingWorld().start()
  const [payer, code] = await voucherBeingClaimed(sending)
  const { status, body } = await sending.call(payer, 'redeemVoucher', { body: { code } })
  expect([status, body.code]).toEqual([409, 'voucher_being_claimed'])
  await sending.close()
})

itKeepsEveryPromise(operations.redeemVoucher)
