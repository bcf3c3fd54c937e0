import { beforeEach, expect, it } from 'vitest'
import { decodeLnurl } from '../../../src/lib/lightning/lnurl.ts'
import { sats } from '../../../src/lib/money/amount.ts'
import { failed } from '../scripted-node.ts'
import { type Project, SendingWorld } from '../sending-world.ts'

let world: SendingWorld
let project: Project
let other: Project

beforeEach(async () => {
  world = await new SendingWorld({ publicRequestsPerSecond: 0 }).start()
  project = await world.project(sats(10_000))
  other = await world.project(sats(0))
})
/** The time when the vouchers expire: a minute after the world begins, at the start of 2030. */
const END = '2030-01-01T00:01:00.000Z'
const LEFT = 8_990_000n
const make = async (expiresAt: string | undefined = END) =>
  (await world.call(project, 'createVoucher', { body: { amount: '1000000', expiresAt } })).body.data
const secretOf = (request: string) => decodeLnurl(request, { allowLoopbackHttp: true }).searchParams.get('secret') ?? ''
const redeem = (code: string) => world.call(other, 'redeemVoucher', { body: { code } })
const revoke = (code: string) => world.call(project, 'revokeVoucher', { body: { code } })
const stateOf = async (voucherId: string) =>
  (await world.call(project, 'retrieveVoucher', { params: { voucherId } })).body.data
const invoice = () => world.node.foreignInvoice({ amount: sats(990) }).invoice
const claim = async (request: string) =>
  (await world.fetch(`/v0/claim-voucher?${new URLSearchParams({ k1: secretOf(request), pr: invoice() })}`)).body
const offer = async (request: string) =>
  (await world.fetch(`/v0/payload-voucher?${new URLSearchParams({ secret: secretOf(request) })}`)).body
const held = () => world.balance(project.holder)

it('an unredeemed voucher returns its sats at its expiry, once and without the fee', async () => {
  const made = await make()
  expect(made).toMatchObject({ expiresAt: END, fee: '10000' })
  expect(await held()).toBe(LEFT)
  await world.pass(59_000)
  expect(await stateOf(made.id)).toMatchObject({ revokedAt: null, expiresAt: END })
  await world.pass(12_000)
  expect(await held()).toBe(LEFT + 1_000_000n)
  const ended = await stateOf(made.id)
  expect(ended).toMatchObject({ revokedById: 'expiry', redeemedAt: null, revokedTransactionId: expect.any(String) })
  expect(ended.revokedAt >= END).toBe(true)
  expect(ended).not.toHaveProperty('withdraw')
  await world.kill()
  await world.pass(30_000)
  expect(await held()).toBe(LEFT + 1_000_000n)
})

it('a voucher can be redeemed until the last millisecond before its expiry', async () => {
  const [early, late] = [await make(), await make()]
  world.clock.jump(59_999)
  expect((await redeem(early.code)).status).toBe(200)
  world.clock.jump(1)
  const refused = await redeem(late.code)
  expect([refused.status, refused.body.code]).toEqual([409, 'voucher_expired'])
  expect(refused.body.message).toContain(END)
  expect(await stateOf(late.id)).not.toHaveProperty('withdraw')
  expect([await claim(late.withdraw.request), await offer(late.withdraw.request)]).toEqual(
    Array(2).fill({ status: 'ERROR', reason: expect.stringMatching(/expired at 2030-01-01T00:01/) }),
  )
  expect(world.node.calls).toEqual([])
  expect(await world.balance(other.holder)).toBe(1_000_000n)
})

it('an expired voucher cannot be redeemed, but can be revoked until its sats return', async () => {
  const [taken, left] = [await make(), await make()]
  await world.pass(50_000, 10_000)
  world.clock.jump(10_000)
  expect((await revoke(taken.code)).status).toBe(200)
  await world.pass(12_000)
  for (const answer of [await redeem(left.code), await revoke(left.code)])
    expect([answer.status, answer.body.code]).toEqual([409, 'voucher_expired'])
  expect((await redeem(taken.code)).body.code).toBe('voucher_revoked')
  expect(await held()).toBe(sats(10_000) - 2n * 10_000n)
})

it('at its expiry, a voucher returns its sats or pays only one of 100 redemptions', async () => {
  const made = await make()
  await world.pass(55_000, 5_000)
  world.clock.jump(4_995)
  const asked = Array.from({ length: 100 }, () => redeem(made.code))
  await world.clock.advance(20_000)
  const answers = await Promise.all(asked)
  await world.pass(12_000)
  const redeemed = answers.filter(({ status }) => status === 200).length
  expect(redeemed).toBeLessThanOrEqual(1)
  expect([await held(), await world.balance(other.holder)]).toEqual(
    redeemed === 1 ? [LEFT, 1_000_000n] : [LEFT + 1_000_000n, 0n],
  )
})

it('an expired voucher keeps its sats until an open payment to a wallet has failed', async () => {
  world.node.answer = () => Promise.reject(new Error('connection lost'))
  world.node.found = async () => ({ state: 'unknown', evidence: 'in flight' })
  const made = await make()
  expect(await claim(made.withdraw.request)).toEqual({ status: 'OK' })
  await world.pass(90_000)
  expect([await held(), (await stateOf(made.id)).revokedAt]).toEqual([LEFT, null])
  expect((await redeem(made.code)).body.code).toBe('voucher_expired')
  world.node.found = async () => failed('no route')
  await world.pass(600_000, 5_000)
  expect([await held(), (await stateOf(made.id)).revokedById]).toEqual([LEFT + 1_000_000n, 'expiry'])
})

it('100 vouchers with open claims do not delay the expiry of a later voucher', async () => {
  world.node.answer = () => Promise.reject(new Error('connection lost'))
  world.node.found = async () => ({ state: 'unknown', evidence: 'in flight' })
  await world.fund(project.holder, sats(200_000))
  const made = (
    await world.call(project, 'createVoucherBatch', { body: { count: 101, amount: '1000000', expiresAt: END } })
  ).body.data
  for (const { withdraw } of made.vouchers.slice(0, 100)) await claim(withdraw.request)
  const before = await held()
  const last = await make('2030-01-01T00:01:01Z')
  await world.pass(80_000, 10_000)
  expect((await stateOf(last.id)).revokedById).toBe('expiry')
  expect(await held()).toBe(before + 1_000_000n - 10_000n)
})

it('an expired voucher neither pays nor returns its sats while the clock is in doubt', async () => {
  const made = await make()
  world.clock.jump(3_600_000)
  await world.pass(20_000)
  expect([await held(), (await redeem(made.code)).body.code]).toEqual([LEFT, 'voucher_expired'])
})

it('a voucher without an expiry never expires', async () => {
  const { id } = (await world.call(project, 'createVoucher', { body: { amount: '1000000' } })).body.data
  await world.pass(60_000, 20_000)
  expect(await stateOf(id)).toMatchObject({ expiresAt: null, revokedAt: null })
})
