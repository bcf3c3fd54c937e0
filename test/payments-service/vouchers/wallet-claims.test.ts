import { beforeEach, describe, expect, it } from 'vitest'
import { decodeLnurl } from '../../../src/lib/lightning/lnurl.ts'
import { type Msats, msats, sats } from '../../../src/lib/money/amount.ts'
import { FEE_INCOME, voucherEscrow } from '../../../src/payments-service/core/chart-of-accounts.ts'
import { claimVoucher } from '../../../src/payments-service/vouchers/claim-voucher.ts'
import { failed } from '../scripted-node.ts'
import { type Project, SendingWorld } from '../sending-world.ts'

let world: SendingWorld
let project: Project

beforeEach(async () => {
  world = await new SendingWorld({ publicRequestsPerSecond: 0 }).start()
  project = await world.project(sats(10_000))
})

interface Made {
  readonly id: string
  readonly code: string
  readonly secret: string
}

/** Creates a voucher of 1,000 sats, of which 990 arrive in an outside wallet. */
async function create(amount = '1000000'): Promise<Made> {
  const { data } = (await world.call(project, 'createVoucher', { body: { amount, description: 'a gift' } })).body
  const url = decodeLnurl(data.withdraw.request, { allowLoopbackHttp: true })
  return { id: data.id, code: data.code, secret: url.searchParams.get('secret') ?? '' }
}

const ask = async (secret: string) => (await world.fetch(`/v0/payload-voucher?secret=${secret}`)).body
const claim = async ({ secret }: Pick<Made, 'secret'>, pr: string) =>
  (await world.fetch(`/v0/claim-voucher?${new URLSearchParams({ k1: secret, pr })}`)).body as {
    status: string
    reason?: string
  }
const invoice = (amount: Msats = sats(990)) => world.node.foreignInvoice({ amount }).invoice
const stateOf = async ({ id }: Made) =>
  (await world.call(project, 'retrieveVoucher', { params: { voucherId: id } })).body.data
const redeem = (by: Project, { code }: Made) => world.call(by, 'redeemVoucher', { body: { code } })
const revoke = ({ code }: Made) => world.call(project, 'revokeVoucher', { body: { code } })
const escrow = ({ id }: Made) => world.service.parts.ledger.balance(voucherEscrow(id))
const feeIncome = () => world.service.parts.ledger.balance(FEE_INCOME)
/** The fee for creating the voucher. */
const MADE = sats(10)

describe('a voucher’s offer to any wallet', () => {
  it('is exactly the voucher’s amount minus the maximum cost of the payment', async () => {
    const voucher = await create()
    expect(await ask(voucher.secret)).toEqual({
      tag: 'withdrawRequest',
      callback: `${world.service.url}/v0/claim-voucher`,
      k1: voucher.secret,
      defaultDescription: 'a gift',
      minWithdrawable: 990_000,
      maxWithdrawable: 990_000,
    })
    expect(await stateOf(voucher)).toMatchObject({ withdraw: { amount: '990000' } })
  })

  it('has a default text if the voucher has no description', async () => {
    const { data } = (await world.call(project, 'createVoucher', { body: { amount: '1000000' } })).body
    const url = decodeLnurl(data.withdraw.request, { allowLoopbackHttp: true })
    const secret = url.searchParams.get('secret') ?? ''
    expect(await ask(secret)).toMatchObject({ k1: secret, defaultDescription: 'A voucher' })
  })

  it('is not made if less than half of the amount would arrive', async () => {
    const offer = async (amount: string) =>
      (await world.call(project, 'createVoucher', { body: { amount } })).body.data.withdraw
    expect(await offer('19000')).toBeUndefined()
    expect(await offer('20000')).toMatchObject({ amount: '10000' })
  })

  it('ends when the voucher is redeemed or revoked, and the refusal says which', async () => {
    const [redeemed, revoked] = [await create(), await create()]
    await redeem(project, redeemed)
    await revoke(revoked)
    expect(await ask(redeemed.secret)).toEqual({ status: 'ERROR', reason: expect.stringMatching(/redeemed already/) })
    expect(await claim(redeemed, invoice())).toEqual({ status: 'ERROR', reason: expect.stringMatching(/redeemed/) })
    expect(await ask(revoked.secret)).toEqual({ status: 'ERROR', reason: expect.stringMatching(/taken back/) })
    expect(await claim(revoked, invoice())).toEqual({ status: 'ERROR', reason: expect.stringMatching(/taken back/) })
    for (const voucher of [redeemed, revoked]) expect(await stateOf(voucher)).not.toHaveProperty('withdraw')
    expect(world.node.calls).toEqual([])
  })

  it('is hidden from an IP address after 300 wrong secrets, unless the secret is right', async () => {
    const { code, secret } = await create()
    for (const odd of ['', '%00', 'a'.repeat(2_000)]) {
      expect(await ask(odd)).toMatchObject({ status: 'ERROR', reason: expect.stringMatching(/not known/) })
    }
    expect(await ask(code)).toMatchObject({ status: 'ERROR', reason: expect.stringMatching(/not known/) })
    const knocks = Array.from({ length: 296 }, (_, at) =>
      at % 2 === 0 ? ask('x') : claim({ secret: code }, invoice()),
    )
    await Promise.all(knocks)
    const locked = { status: 'ERROR', reason: expect.stringMatching(/Too many wrong voucher codes/) }
    expect(await ask('x')).toEqual(locked)
    expect(await claim({ secret: code }, invoice())).toEqual(locked)
    expect(await ask(secret)).toMatchObject({ tag: 'withdrawRequest' })
    const { wrongCodes } = world.service.parts
    for (let wrong = 0; wrong < 300; wrong += 1) await wrongCodes.count({ address: '2001:db8::1' })
    await expect(wrongCodes.refuse({ address: '2001:db8::2' })).rejects.toMatchObject({ code: 'too_many_wrong_codes' })
    await wrongCodes.refuse({ address: '2001:db8:0:1::1' })
    await world.clock.advance(600_000)
    expect(await ask('x')).toMatchObject({ reason: expect.stringMatching(/not known/) })
  })
})

describe('a claim by a wallet', () => {
  it('is paid from the voucher, which bears the fee, and the service keeps the rest', async () => {
    const voucher = await create()
    expect(await claim(voucher, invoice())).toEqual({ status: 'OK' })
    const [payment] = await world.service.parts.database.read.payment.findMany()
    expect(await stateOf(voucher)).toMatchObject({
      redeemedAt: expect.any(String),
      redeemedById: 'lightning',
      redeemedTransactionId: payment?.id,
      revokedAt: null,
    })
    expect(await world.balance(project.holder)).toBe(sats(10_000) - sats(1_000) - MADE)
    expect(await feeIncome()).toBe(MADE + sats(9))
    expect(await world.held(project.holder)).toBe(0n)
    expect(await escrow(voucher)).toBe(0n)
    expect(await world.callbacks(`payment:${payment?.id}`)).toEqual([])
    const seen = await world.call(project, 'retrievePayment', { params: { id: payment?.id ?? '' } })
    expect(seen.status).toBe(404)
    const ended = { payment: payment?.id, voucher: voucher.id, msg: 'a payment has ended' }
    expect(world.log).toContainEqual(expect.objectContaining(ended))
  })

  it('costs the operator whatever exceeds the fee limit', async () => {
    world.node.answer = async ({ paymentHash }) => world.node.paid(paymentHash, sats(30))
    expect(await claim(await create(), invoice())).toEqual({ status: 'OK' })
    expect(await feeIncome()).toBe(MADE)
    expect(await world.balance(project.holder)).toBe(sats(10_000) - sats(1_000) - MADE)
    expect(world.alerts()).toEqual(['fee_over_limit'])
  })

  it('is refused if it is a HEAD request', async () => {
    const { secret } = await create()
    const query = new URLSearchParams({ k1: secret, pr: invoice() })
    expect((await world.fetch(`/v0/claim-voucher?${query}`, { method: 'HEAD' })).status).toBe(405)
    expect(world.node.calls).toEqual([])
  })

  it.each([
    ['an invoice for the whole amount of the voucher', () => invoice(sats(1_000)), /990000 msats/],
    ['an invoice for too little', () => invoice(sats(989)), /exactly 990000 msats .* asks for 989000/],
    ['an invoice for a msat too much', () => invoice((sats(990) + 1n) as Msats), /990000 msats/],
    [
      'an invoice without an amount',
      () => world.node.foreignInvoice().invoice,
      /990000 msats .* asks for no fixed amount/,
    ],
    ['an invalid invoice', () => 'lnbcrt1\u0000', /\w/],
    [
      'an invoice of a different network',
      () => world.node.foreignInvoice({ amount: sats(990), network: 'bitcoin' }).invoice,
      /network/,
    ],
  ])('is refused with an explanation and leaves the voucher open: %s', async (_what, pr, words) => {
    const voucher = await create()
    expect(await claim(voucher, pr())).toEqual({ status: 'ERROR', reason: expect.stringMatching(words) })
    expect(world.node.calls).toEqual([])
    expect(await escrow(voucher)).toBe(sats(1_000))
  })

  it('is refused with advice to use the free code if the wallet is at this service', async () => {
    await world.user('alice')
    const body = { amount: '990000', gamertag: 'alice' }
    const own = (await world.call(project, 'createGamertagCharge', { body })).body.data.invoiceRequest
    const voucher = await create()
    expect(await claim(voucher, own)).toEqual({
      status: 'ERROR',
      reason: expect.stringMatching(/To receive the full amount/),
    })
    expect(await escrow(voucher)).toBe(sats(1_000))
  })

  it('is refused if the node’s fixed tariff is more than the voucher can pay', async () => {
    const [voucher, other] = [await create(), await create()]
    Object.assign(world.node, { tariff: () => msats(10_001) })
    // A node that keeps to any limit is told this one.
    expect(await claim(other, invoice())).toEqual({ status: 'OK' })
    Object.assign(world.node.capabilities, { feeLimit: 'tariff' })
    expect(await claim(voucher, invoice())).toEqual({
      status: 'ERROR',
      reason: expect.stringMatching(/Redeem the voucher's code/),
    })
    Object.assign(world.node, { tariff: () => msats(10_000) })
    expect(await claim(voucher, invoice())).toEqual({ status: 'OK' })
  })

  it('can be repeated with the same invoice without a second payment', async () => {
    const voucher = await create()
    const pr = invoice()
    for (let times = 0; times < 3; times += 1) expect(await claim(voucher, pr)).toEqual({ status: 'OK' })
    expect(world.node.calls).toHaveLength(1)
    expect(await claim(voucher, invoice())).toEqual({ status: 'ERROR', reason: expect.stringMatching(/redeemed/) })
  })
})

describe('a race for a voucher', () => {
  it('between many wallets has one winner, and the others are refused with the reason', async () => {
    const voucher = await create()
    const caller = { secret: voucher.secret, address: '203.0.113.1' }
    const { parts } = world.service
    const claims = await Promise.allSettled(Array.from({ length: 40 }, () => claimVoucher(parts, caller, invoice())))
    const refused = claims.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []))
    expect(refused).toHaveLength(39)
    expect(new Set(refused).isSubsetOf(new Set(['voucher_being_claimed', 'voucher_redeemed']))).toBe(true)
    expect(world.node.calls).toHaveLength(1)
  })

  it('between claims with one invoice leads to one payment, and all claims succeed', async () => {
    const voucher = await create()
    const pr = invoice()
    const answers = await Promise.all(Array.from({ length: 40 }, () => claim(voucher, pr)))
    expect(answers).toEqual(Array(40).fill({ status: 'OK' }))
    expect(world.node.calls).toHaveLength(1)
  })

  it('between claims of two vouchers with one invoice uses up only one voucher', async () => {
    const [first, second] = [await create(), await create()]
    const pr = invoice()
    const answers = await Promise.all([claim(first, pr), claim(second, pr)])
    expect(answers.map(({ status }) => status).sort()).toEqual(['ERROR', 'OK'])
    expect((await escrow(first)) + (await escrow(second))).toBe(sats(1_000))
  })

  it('between a claim, a redemption and a revocation has one winner and pays once', async () => {
    const other = await world.project(msats(0))
    for (let round = 0; round < 8; round += 1) {
      const voucher = await create()
      const [before, calls] = [await world.balance(other.holder), world.node.calls.length]
      const [paid, redeemed, revoked] = await Promise.all([
        claim(voucher, invoice()),
        redeem(other, voucher),
        revoke(voucher),
      ])
      const won = [paid.status === 'OK', redeemed.status === 200, revoked.status === 200]
      expect(won.filter(Boolean)).toHaveLength(1)
      expect(world.node.calls.length - calls).toBe(won[0] ? 1 : 0)
      expect((await world.balance(other.holder)) - before).toBe(won[1] ? sats(1_000) : 0n)
      expect(await escrow(voucher)).toBe(0n)
    }
  })
})

describe('a voucher during a claim', () => {
  /** Creates a claimed voucher for which the node does not report an outcome. */
  async function beingClaimed() {
    world.node.answer = () => Promise.reject(new Error('connection lost'))
    world.node.found = async () => ({ state: 'unknown', evidence: 'in flight' })
    const voucher = await create()
    const pr = invoice()
    expect(await claim(voucher, pr)).toEqual({ status: 'OK' })
    return { voucher, pr }
  }

  it('cannot be redeemed, revoked or claimed by another wallet', async () => {
    const { voucher, pr } = await beingClaimed()
    for (let hour = 0; hour < 2; hour += 1) {
      expect((await redeem(project, voucher)).body).toMatchObject({ code: 'voucher_being_claimed' })
      expect((await revoke(voucher)).body).toMatchObject({ code: 'voucher_being_claimed' })
      const refused = { status: 'ERROR', reason: expect.stringMatching(/is claiming this voucher/) }
      expect(await claim(voucher, invoice())).toEqual(refused)
      expect(await ask(voucher.secret)).toEqual(refused)
      expect(await claim(voucher, pr)).toEqual({ status: 'OK' })
      await world.pass(3_600_000, 600_000)
    }
    expect(await stateOf(voucher)).toMatchObject({ redeemedAt: null, revokedAt: null })
    expect(await world.held(project.holder)).toBe(sats(1_000))
    expect(await escrow(voucher)).toBe(0n)
  })

  it('counts as redeemed as soon as the payment is proven', async () => {
    const { voucher } = await beingClaimed()
    world.node.found = async (hash) => world.node.paid(hash)
    await world.pass(30_000)
    expect(await stateOf(voucher)).toMatchObject({ redeemedById: 'lightning' })
    expect((await redeem(project, voucher)).body).toMatchObject({ code: 'voucher_redeemed' })
  })

  it('can be claimed again once its payment is proven to have failed', async () => {
    const first = await beingClaimed()
    world.node.found = async () => failed('no route')
    await world.pass(30_000)
    expect(await escrow(first.voucher)).toBe(sats(1_000))
    world.node.answer = async ({ paymentHash }) => world.node.paid(paymentHash)
    expect(await claim(first.voucher, first.pr)).toEqual({ status: 'OK' })
    expect(await stateOf(first.voucher)).toMatchObject({ redeemedById: 'lightning' })
  })

  it('is open again immediately after a failed payment, and can then be revoked', async () => {
    world.node.answer = async () => failed('no route')
    const voucher = await create()
    expect(await claim(voucher, invoice())).toEqual({
      status: 'ERROR',
      reason: expect.stringMatching(/nothing was paid/),
    })
    expect(await claim(voucher, invoice())).toMatchObject({ status: 'ERROR' })
    expect(await escrow(voucher)).toBe(sats(1_000))
    expect((await revoke(voucher)).status).toBe(200)
    expect(await world.balance(project.holder)).toBe(sats(10_000) - MADE)
  })
})

describe('fault 21 (the process is killed)', () => {
  it('a claimed voucher is open again at the next start if nothing had been sent', async () => {
    const voucher = await create()
    world.service.parts.sender.send = () => new Promise(() => undefined)
    claim(voucher, invoice()).catch(() => undefined)
    await world.until(async () => (await escrow(voucher)) === 0n)
    await world.kill()
    expect(await escrow(voucher)).toBe(sats(1_000))
    expect(world.node.calls).toEqual([])
    expect(await claim(voucher, invoice())).toEqual({ status: 'OK' })
  })

  it('a voucher stays claimed until the node reports the payment sent before the kill', async () => {
    const voucher = await create()
    world.node.hang()
    claim(voucher, invoice()).catch(() => undefined)
    await world.until(async () => (await escrow(voucher)) === 0n && world.node.calls.length === 1)
    await world.kill()
    expect((await redeem(project, voucher)).body).toMatchObject({ code: 'voucher_being_claimed' })
    world.node.found = async (hash) => world.node.paid(hash)
    await world.pass(70_000)
    expect(await stateOf(voucher)).toMatchObject({ redeemedById: 'lightning' })
    expect(await world.held(project.holder)).toBe(0n)
  })
})
