import { beforeEach, expect, it } from 'vitest'
import { decodeLnurl } from '../../../src/lib/lightning/lnurl.ts'
import { sats } from '../../../src/lib/money/amount.ts'
import { closeToWallets } from '../../../src/payments-service/administration/after-restore.ts'
import { failed } from '../scripted-node.ts'
import { type Project, SendingWorld } from '../sending-world.ts'

let world: SendingWorld
let project: Project

beforeEach(async () => {
  world = await new SendingWorld({ publicRequestsPerSecond: 0 }).start()
  project = await world.project(sats(10_000))
})
const secretOf = (request: string) => decodeLnurl(request, { allowLoopbackHttp: true }).searchParams.get('secret') ?? ''
const invoice = (amount = sats(990)) => world.node.foreignInvoice({ amount }).invoice
const claim = async (what: string, secret: string, pr: string) =>
  (await world.fetch(`/v0/${what}?${new URLSearchParams({ k1: secret, pr })}`)).body
const asIfRestored = () => closeToWallets(world.service.parts.database, new Date(world.clock.now()))
const voucher = async () => (await world.call(project, 'createVoucher', { body: { amount: '1000000' } })).body.data

it('a voucher that may have been paid after the backup is redeemable only by code', async () => {
  const { code, withdraw } = await voucher()
  expect(await asIfRestored()).toEqual({ vouchers: 1, withdrawalRequests: 0, logIns: 0 })
  const refused = { status: 'ERROR', reason: expect.stringMatching(/not known here/) }
  expect(await claim('claim-voucher', secretOf(withdraw.request), invoice())).toEqual(refused)
  expect(world.node.calls).toEqual([])
  const redeemed = await world.call(project, 'redeemVoucher', { body: { code } })
  expect(redeemed.status).toBe(200)
  expect(await world.balance(project.holder)).toBe(sats(9_990))
})

it('after a restore, open claims end as the node reports, and their codes stay valid', async () => {
  world.node.answer = () => Promise.reject(new Error('connection lost'))
  world.node.found = async () => ({ state: 'unknown', evidence: 'in flight' })
  const { code, withdraw } = await voucher()
  const secret = secretOf(withdraw.request)
  await claim('claim-voucher', secret, invoice())
  await asIfRestored()
  world.node.found = async () => failed('no route')
  await world.pass(30_000)
  expect(await claim('claim-voucher', secret, invoice())).toMatchObject({ status: 'ERROR' })
  expect(world.node.calls).toHaveLength(1)
  expect((await world.call(project, 'redeemVoucher', { body: { code } })).status).toBe(200)
})

it('a withdrawal code that may have been paid after the backup returns its sats', async () => {
  const body = { amount: '1000000', expiresIn: 3_600, description: 'out', internalId: 'w-1' }
  const made = await world.call(project, 'createWithdrawalRequest', { body })
  const secret = secretOf(made.body.data.invoice.request)
  expect(await asIfRestored()).toEqual({ vouchers: 0, withdrawalRequests: 1, logIns: 0 })
  expect(await claim('claim-withdrawal-request', secret, invoice(sats(1_000)))).toMatchObject({ status: 'ERROR' })
  expect(world.node.calls).toEqual([])
  await world.pass(20_000)
  expect(await world.balance(project.holder)).toBe(sats(10_000))
})
