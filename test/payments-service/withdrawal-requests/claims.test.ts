import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { decodeInvoice } from '../../../src/lib/lightning/bolt11.ts'
import { type Msats, sats } from '../../../src/lib/money/amount.ts'
import { finishPayment, type ProvenOutcome } from '../../../src/payments-service/engine/sending/finish-payment.ts'
import { claimWithdrawalRequest } from '../../../src/payments-service/withdrawal-requests/claim-withdrawal-request.ts'
import { failed } from '../scripted-node.ts'
import { type Project, SendingWorld } from '../sending-world.ts'
import { type Request, WithdrawalRequests } from './withdrawal-requests.ts'

let world: WithdrawalRequests
let project: Project

beforeEach(async () => {
  world = await WithdrawalRequests.open()
  project = world.owner
})

afterEach(() => world.close())

const create = (body: object = {}) => world.request(body)
const claim = (request: Pick<Request, 'secret'>, pr: string) => world.claim(request, pr)
const invoice = (amount?: Msats) => world.invoice(amount)
const stateOf = (request: Request) => world.stateOf(request)
const told = (request: Request) => world.told(request)

describe('a claim of a withdrawal request', () => {
  it('is refused if it is a HEAD request', async () => {
    const { secret, id } = await create()
    const query = new URLSearchParams({ k1: secret, pr: invoice().invoice })
    expect((await world.fetch(`/v0/claim-withdrawal-request?${query}`, { method: 'HEAD' })).status).toBe(405)
    expect(await stateOf({ id, secret })).toMatchObject({ status: 'pending' })
  })

  it('is paid, costs the amount and the actual fee, and triggers the callback', async () => {
    const request = await create()
    expect(await world.held(project.holder)).toBe(sats(1_010))
    expect(await claim(request, invoice().invoice)).toEqual({ status: 'OK' })
    expect(await stateOf(request)).toMatchObject({ status: 'completed', fee: '1000' })
    expect(await world.balance(project.holder)).toBe(sats(8_999))
    expect(await world.held(project.holder)).toBe(0n)
    expect(await told(request)).toEqual(['processing', 'completed'])
  })

  it('costs the wallet no more than the amount and the fee limit', async () => {
    world.node.answer = async ({ paymentHash }) => world.node.paid(paymentHash, sats(30))
    const request = await create({ maxFee: '2000' })
    await claim(request, invoice().invoice)
    expect(await stateOf(request)).toMatchObject({ status: 'completed', fee: '2000' })
    expect(await world.balance(project.holder)).toBe(sats(8_998))
    expect(world.alerts()).toEqual(['fee_over_limit'])
  })

  it.each([
    ['less', '999000', () => invoice(sats(999)).invoice],
    ['more', '1001000', () => invoice(sats(1_001)).invoice],
    ['a msat more', '1000001', () => invoice((sats(1_000) + 1n) as Msats).invoice],
    ['no amount', 'no fixed amount', () => world.node.foreignInvoice().invoice],
  ])('is refused if its invoice is for another amount: %s (fault 23)', async (_what, asked, pr) => {
    const request = await create()
    const reason = `This withdrawal is for exactly 1000000 msats, but the invoice asks for ${asked}. Make an invoice for exactly 1000000 msats.`
    expect(await claim(request, pr())).toEqual({ status: 'ERROR', reason })
    expect(await stateOf(request)).toMatchObject({ status: 'pending' })
    expect(world.node.calls).toEqual([])
  })

  it.each([
    ['no secret', { k1: '' }],
    ['a wrong secret', { k1: 'a'.repeat(43) }],
    ['no invoice', { pr: '' }],
    ['an invalid invoice', { pr: 'lnbcrt1\u0000' }],
  ])('is refused with an explanation if it has %s', async (_what, wrong) => {
    const request = await create()
    const query = new URLSearchParams({ k1: request.secret, pr: invoice().invoice, ...wrong })
    const { status, body } = await world.fetch(`/v0/claim-withdrawal-request?${query}`)
    expect([status, body]).toEqual([200, { status: 'ERROR', reason: expect.stringMatching(/\w/) }])
    expect(await stateOf(request)).toMatchObject({ status: 'pending' })
  })

  it('is refused with an explanation if it has two invoices', async () => {
    const request = await create()
    const pr = invoice().invoice
    const query = new URLSearchParams([...Object.entries({ k1: request.secret, pr }), ['pr', pr]])
    const { status, body } = await world.fetch(`/v0/claim-withdrawal-request?${query}`)
    expect([status, body]).toEqual([200, { status: 'ERROR', reason: expect.stringMatching(/invoice/) }])
    expect(await stateOf(request)).toMatchObject({ status: 'pending' })
  })

  it('is refused, and nothing happens, if the process may have lost its lease', async () => {
    const request = await create()
    const isLive = vi.spyOn(world.service.parts.ownership, 'isLive').mockReturnValue(false)
    expect(await claim(request, invoice().invoice)).toMatchObject({ reason: expect.stringMatching(/nothing happened/) })
    isLive.mockRestore()
    expect(await stateOf(request)).toMatchObject({ status: 'pending' })
    expect(await told(request)).toEqual([])
  })

  it.each([
    ['a msat less than its amount and fee limit', 1_009_999n, 'ERROR', 'pending'],
    ['just its amount and fee limit', 1_010_000n, 'OK', 'completed'],
  ])(
    'is paid only if the node can send the amount and the fee limit (it can send %s)',
    async (_what, spendable, status, state) => {
      const request = await create()
      world.node.holds = { spendable: spendable as Msats }
      await world.pass(120_000, 10_000)
      expect(await claim(request, invoice().invoice)).toMatchObject({ status })
      expect(await stateOf(request)).toMatchObject({ status: state })
    },
  )

  it('is refused if its invoice belongs to another network', async () => {
    const pr = world.node.foreignInvoice({ amount: sats(1_000), network: 'bitcoin' }).invoice
    expect(await claim(await create(), pr)).toMatchObject({ status: 'ERROR', reason: expect.stringMatching(/network/) })
  })
})

describe('fault 13 (a withdrawal code is claimed more often than allowed)', () => {
  it('only one of 100 simultaneous claims is paid', async () => {
    const request = await create()
    const claims = Array.from({ length: 100 }, () => claim(request, invoice().invoice))
    const answers = await Promise.all(claims)
    expect(answers.filter(({ status }) => status === 'OK')).toHaveLength(1)
    const refused = { status: 'ERROR', reason: expect.stringMatching(/only once/) }
    expect(answers.filter(({ status }) => status !== 'OK')).toEqual(Array(99).fill(refused))
    expect(world.node.calls).toHaveLength(1)
    expect(await world.balance(project.holder)).toBe(sats(8_999))
  })

  it('all but one of 20 simultaneous claims are refused as already paid', async () => {
    const request = await create()
    const { parts } = world.service
    const claims = Array.from({ length: 20 }, () => claimWithdrawalRequest(parts, request.secret, invoice().invoice))
    const results = await Promise.allSettled(claims)
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    expect(refused.map(({ code }) => code)).toEqual(Array(19).fill('already_paid'))
    expect(world.node.calls).toHaveLength(1)
  })

  it('100 claims with one invoice lead to one payment', async () => {
    const request = await create()
    const { invoice: pr } = invoice()
    const answers = await Promise.all(Array.from({ length: 100 }, () => claim(request, pr)))
    expect(answers).toEqual(Array(100).fill({ status: 'OK' }))
    expect(world.node.calls).toHaveLength(1)
  })

  it('a repeated invoice in any letter case is accepted during and after its payment', async () => {
    const settle = world.node.hang()
    const request = await create()
    const { invoice: pr, paymentHash } = invoice()
    const first = claim(request, pr)
    await world.until(() => world.node.calls.length === 1)
    expect(await claim(request, pr)).toEqual({ status: 'OK' })
    settle(world.node.paid(paymentHash))
    expect(await first).toEqual({ status: 'OK' })
    await world.kill(86_400_000)
    expect([await claim(request, pr), await claim(request, pr.toUpperCase())]).toEqual([
      ...[{ status: 'OK' }, { status: 'OK' }],
    ])
    expect(await claim(request, invoice().invoice)).toMatchObject({ status: 'ERROR' })
    expect(await told(request)).toEqual(['processing', 'completed'])
    expect(await world.balance(project.holder)).toBe(sats(8_999))
  })

  it('a repeated invoice of this service is accepted, and is paid once', async () => {
    await world.user('alice')
    const body = { amount: '1000000', gamertag: 'alice' }
    const other = await world.project()
    const pr = (await world.call(other, 'createGamertagCharge', { body })).body.data.invoiceRequest
    const request = await create()
    expect([await claim(request, pr), await claim(request, pr)]).toEqual([{ status: 'OK' }, { status: 'OK' }])
    expect(await world.balance(project.holder)).toBe(sats(9_000))
  })

  it('an invoice whose payment failed is refused once another invoice is paid', async () => {
    world.node.answer = async () => failed('no route')
    const request = await create()
    const first = invoice().invoice
    expect(await claim(request, first)).toMatchObject({ status: 'ERROR' })
    world.node.answer = async ({ paymentHash }) => world.node.paid(paymentHash)
    expect(await claim(request, invoice().invoice)).toEqual({ status: 'OK' })
    expect(await claim(request, first)).toEqual({ status: 'ERROR', reason: expect.stringMatching(/used/) })
  })

  it('an invoice submitted to two requests is paid once', async () => {
    const [first, second] = [await create(), await create()]
    const { invoice: pr } = invoice()
    const answers = await Promise.all([claim(first, pr), claim(second, pr)])
    expect(answers.map(({ status }) => status).sort()).toEqual(['ERROR', 'OK'])
    expect(world.node.calls).toHaveLength(1)
    expect(await world.held(project.holder)).toBe(sats(1_010))
  })

  it('a claimed request cannot be claimed again', async () => {
    const request = await create()
    await claim(request, invoice().invoice)
    expect(await claim(request, invoice().invoice)).toEqual({ status: 'ERROR', reason: expect.stringMatching(/used/) })
  })
})

describe('fault 14 (a claim ends in an error, a second wallet claims, the first settles)', () => {
  it('an error that proves nothing keeps the request closed until the payment settles', async () => {
    world.node.answer = () => Promise.reject(new Error('connection lost'))
    world.node.found = async () => ({ state: 'unknown', evidence: 'in flight' })
    const request = await create()
    const first = invoice()
    expect(await claim(request, first.invoice)).toEqual({ status: 'OK' })
    expect(await claim(request, invoice().invoice)).toMatchObject({ status: 'ERROR' })
    expect(await stateOf(request)).toMatchObject({ status: 'processing', fee: null })
    world.node.found = async (hash) => world.node.paid(hash)
    await world.pass(30_000)
    expect(await stateOf(request)).toMatchObject({ status: 'completed' })
    expect(world.node.calls).toHaveLength(1)
    expect(await told(request)).toEqual(['processing', 'completed'])
  })

  it('a proven failure reopens the request, and a second wallet is paid', async () => {
    world.node.answer = async () => failed('no route')
    const request = await create()
    expect(await claim(request, invoice().invoice)).toEqual({ status: 'ERROR', reason: expect.stringMatching(/again/) })
    expect(await stateOf(request)).toMatchObject({ status: 'pending' })
    expect(await world.held(project.holder)).toBe(sats(1_010))
    world.node.answer = async ({ paymentHash }) => world.node.paid(paymentHash)
    expect(await claim(request, invoice().invoice)).toEqual({ status: 'OK' })
    expect(await told(request)).toEqual(['processing', 'pending', 'processing', 'completed'])
  })

  it('five callers that learn of a failure at the same time reopen the request once', async () => {
    world.node.answer = () => Promise.reject(new Error('connection lost'))
    const request = await create()
    await claim(request, invoice().invoice)
    const { parts } = world.service
    const { id } = await parts.database.read.payment.findFirstOrThrow()
    const failure = failed('no route')
    const all = await Promise.all(Array.from({ length: 5 }, () => finishPayment(parts, id, failure)))
    expect(all.map(({ status }) => status)).toEqual(Array(5).fill('failed'))
    expect(await told(request)).toEqual(['processing', 'pending'])
  })

  it('a claim with a slow payment is answered with OK before the wallet stops waiting', async () => {
    const end = world.node.hang()
    const request = await create()
    const answer = claim(request, invoice().invoice)
    await world.until(() => world.node.calls.length === 1)
    await world.clock.advance(2_000)
    expect(await answer).toEqual({ status: 'OK' })
    expect(await stateOf(request)).toMatchObject({ status: 'processing' })
    end(failed('no route'))
    await world.until(async () => (await stateOf(request)).status === 'pending')
  })

  it('a node that revokes a proven failure causes an alert, and no sats move twice', async () => {
    const end = world.node.hang()
    const request = await create()
    const first = claim(request, invoice().invoice)
    await world.until(() => world.node.calls.length === 1)
    const { parts } = world.service
    const payment = await parts.database.read.payment.findFirstOrThrow()
    end(failed('no route'))
    await first
    world.node.answer = async ({ paymentHash }) => world.node.paid(paymentHash)
    await claim(request, invoice().invoice)
    expect(await parts.sender.send(payment)).toMatchObject({ status: 'failed' })
    expect(world.node.calls).toHaveLength(2)
    const paid = world.node.paid(payment.paymentHash) as ProvenOutcome
    expect(await finishPayment(parts, payment.id, paid)).toMatchObject({ status: 'failed' })
    expect(world.alerts()).toEqual(['contradicting_outcome'])
    expect(await world.balance(project.holder)).toBe(sats(8_999))
    expect(await told(request)).toEqual(['processing', 'pending', 'processing', 'completed'])
  })
})

describe('a claim with an invoice of this service', () => {
  async function chargeOf(gamertag: string): Promise<string> {
    const { body } = await world.call(project, 'createGamertagCharge', { body: { amount: '1000000', gamertag } })
    return body.data.invoiceRequest
  }

  it('is settled inside the books, without a fee and without a payment by the node', async () => {
    const alice = await world.user('alice')
    const request = await create()
    const charge = await chargeOf('alice')
    expect(await claim(request, charge)).toEqual({ status: 'OK' })
    expect(await stateOf(request)).toMatchObject({ status: 'completed', fee: '0' })
    const payments = await world.service.parts.database.read.payment.findMany()
    expect(payments).toMatchObject([{ status: 'completed', withdrawalRequestId: request.id, nextLookUpAt: null }])
    const told = { msg: 'a payment has ended', payment: payments[0]?.id }
    expect(world.log).toContainEqual(expect.objectContaining(told))
    // Nobody pays it from outside as well.
    expect(world.node.canceled).toEqual([decodeInvoice(charge).paymentHash])
    expect(await world.balance(alice)).toBe(sats(1_000))
    expect(await world.balance(project.holder)).toBe(sats(9_000))
    expect(await world.held(project.holder)).toBe(0n)
    expect(world.node.calls).toEqual([])
  })

  it('is not paid in addition to a simultaneous claim from outside', async () => {
    const alice = await world.user('alice')
    const request = await create()
    const own = await chargeOf('alice')
    const answers = await Promise.all([claim(request, own), claim(request, invoice().invoice), claim(request, own)])
    const inside = await world.balance(alice)
    // The same invoice twice is one claim, and both hear so.
    const isOk = answers.map(({ status }) => status === 'OK')
    expect(isOk).toEqual(inside === 0n ? [false, true, false] : [true, false, true])
    expect(world.node.calls).toHaveLength(inside === 0n ? 1 : 0)
  })

  it('is paid once if there are 60 at once, and the rest are refused as already paid', async () => {
    const alice = await world.user('alice')
    const request = await create()
    const charges = await Promise.all(Array.from({ length: 60 }, () => chargeOf('alice')))
    const { parts } = world.service
    const claims = await Promise.allSettled(charges.map((pr) => claimWithdrawalRequest(parts, request.secret, pr)))
    const refused = claims.flatMap((claim) => (claim.status === 'rejected' ? [claim.reason] : []))
    expect(refused.map(({ code }) => code)).toEqual(Array(59).fill('already_paid'))
    expect(await world.balance(alice)).toBe(sats(1_000))
  })

  it('is refused if it would pay the withdrawing project itself', async () => {
    const { body } = await world.call(project, 'createStaticCharge', {
      body: { minAmount: '1000000', maxAmount: '1000000', description: 'mine' },
    })
    const route = await world.fetch(`/v0/request-static-charges/${body.data.id}/callback?amount=1000000`)
    const request = await create()
    expect(await claim(request, route.body.pr)).toMatchObject({ status: 'ERROR', reason: expect.stringMatching(/own/) })
    expect(await stateOf(request)).toMatchObject({ status: 'pending' })
  })

  it('is refused if the invoice is a forgery with the same hash (fault 28)', async () => {
    await world.user('alice')
    const { body } = await world.call(project, 'decodeCharge', { body: { invoice: await chargeOf('alice') } })
    const forged = world.node.foreignInvoice({ amount: sats(1_000), paymentHash: body.data.paymentHash })
    expect(await claim(await create(), forged.invoice)).toMatchObject({ status: 'ERROR' })
    expect(world.node.calls).toEqual([])
  })
})

describe('fault 21 (the process is killed during a claim)', () => {
  it('a request is open again once the node reports that it knows no such payment', async () => {
    const request = await create()
    world.node.hang()
    claim(request, invoice().invoice).catch(() => undefined)
    await world.until(() => world.node.calls.length === 1)
    world.node.found = async () => ({ state: 'absent' })
    await world.kill()
    expect(await stateOf(request)).toMatchObject({ status: 'processing' })
    await world.pass(70_000)
    expect(await stateOf(request)).toMatchObject({ status: 'pending' })
    expect(await claim(request, invoice().invoice)).toEqual({ status: 'OK' })
    expect(await told(request)).toEqual(['processing', 'pending', 'processing', 'completed'])
  })

  it('a request is completed at the next start if the node paid before the kill', async () => {
    const request = await create()
    world.node.hang()
    claim(request, invoice().invoice).catch(() => undefined)
    await world.until(() => world.node.calls.length === 1)
    world.node.found = async (hash) => world.node.paid(hash)
    await world.kill()
    expect(await stateOf(request)).toMatchObject({ status: 'completed' })
    expect(await world.balance(project.holder)).toBe(sats(8_999))
  })
})

describe('the routes of withdrawal codes', () => {
  it('refuse a used code', async () => {
    const request = await create()
    await claim(request, invoice().invoice)
    const { body } = await world.fetch(`/v0/payload-withdrawal-request?secret=${request.secret}`)
    expect(body).toEqual({ status: 'ERROR', reason: expect.stringMatching(/has been used/) })
  })

  it('answer a flood with 429 and Retry-After, and accept requests again later', async () => {
    const strict = await new SendingWorld({ publicRequestsPerSecond: 1 }).start()
    const knock = () => strict.fetch('/v0/payload-withdrawal-request?secret=x')
    const answers = await Promise.all(Array.from({ length: 15 }, knock))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    const refused = await knock()
    expect([refused.status, refused.body.status, refused.headers.get('retry-after')]).toEqual([429, 'ERROR', '1'])
    await strict.clock.advance(1_000)
    expect((await knock()).status).toBe(200)
    await strict.close()
  })
})

it.each(['%00', '', 'a'.repeat(2_000), `%00${'a'.repeat(30)}`, `${'a'.repeat(30)}%00`])(
  'the secret %j is refused as unknown',
  async (secret) => {
    const { body } = await world.fetch(`/v0/payload-withdrawal-request?secret=${secret}`)
    expect(body).toEqual({ status: 'ERROR', reason: expect.stringMatching(/not known here/) })
  },
)
