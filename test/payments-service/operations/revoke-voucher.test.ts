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

describe('Revoke Voucher', () => {
  it('returns the amount but not the fee', async () => {
    const { data } = (await calls.create()).json
    const { status, json } = await calls.revoke(data.code)
    expect(status).toBe(200)
    expect(Object.keys(json.data).sort()).toEqual(
      [
        'amount code createdAt description expiresAt id redeemedAt redeemedById redeemedTransactionId',
        'revokedAt revokedById revokedTransactionId unit',
      ]
        .join(' ')
        .split(' '),
    )
    expect(json.data).toMatchObject({ revokedAt: '2030-01-01T00:00:00.000Z', revokedById: project.projectId })
    expect(await calls.balanceOf(project)).toBe(10_000_000n - 2_500n)
    expectRefusal(await calls.revoke(data.code), 409, 'voucher_revoked')
    expectRefusal(await calls.redeem(data.code), 409, 'voucher_revoked')
  })

  it('works only for the project that made the voucher', async () => {
    const { data } = (await calls.create()).json
    expectRefusal(await calls.revoke(data.code, await world.project(msats(0))), 404, 'voucher_not_found')
    expect((await calls.redeem(data.code)).status).toBe(200)
  })

  it('leaves the sats in exactly one place when it races with redemptions', async () => {
    const other = await world.project(msats(0))
    for (let round = 0; round < 10; round += 1) {
      const { data } = (await calls.create({ amount: '1000' })).json
      const answers = await Promise.all([
        calls.redeem(data.code, other),
        calls.revoke(data.code),
        calls.redeem(data.code, other),
      ])
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(2)
    }
    expect((await calls.balanceOf(project)) + (await calls.balanceOf(other))).toBe(10_000_000n - 10n * 1_000n)
  })

  it('409 voucher_redeemed: refuses a voucher that was redeemed', async () => {
    const code = await calls.code()
    await calls.redeem(code)
    expectRefusal(await calls.revoke(code), 409, 'voucher_redeemed')
  })

  it('429 too_many_wrong_codes: refuses any code from a key after 300 guesses', async () => {
    const code = await calls.code()
    await Promise.all(Array.from({ length: 300 }, () => calls.revoke('AAAAAAAA')))
    expectRefusal(await calls.revoke(code), 429, 'too_many_wrong_codes')
    await world.clock.advance(600_000)
    expect((await calls.revoke(code)).status).toBe(200)
  })
})

it('409 voucher_expired: refuses an expired voucher whose sats were returned', async () => {
  const { data } = (await calls.create({ amount: '1000', expiresAt: '2030-01-01T00:01:00Z' })).json
  await world.clock.advance(90_000)
  await world.until(async () => (await calls.retrieve(data.id)).json.data.revokedAt !== null)
  expectRefusal(await calls.revoke(data.code), 409, 'voucher_expired')
})

it('409 voucher_being_claimed: refuses a voucher while a wallet claims it', async () => {
  const sending = await new SendingWorld().start()
  const [payer, code] = await voucherBeingClaimed(sending)
  const { status, body } = await sending.call(payer, 'revokeVoucher', { body: { code } })
  expect([status, body.code]).toEqual([409, 'voucher_being_claimed'])
  await sending.close()
})

itKeepsEveryPromise(operations.revokeVoucher)
