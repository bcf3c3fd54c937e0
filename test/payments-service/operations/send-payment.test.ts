import { beforeEach, describe, expect, it } from 'vitest'
import { MAX_MSATS, msats, sats } from '../../../src/lib/money/amount.ts'
import { operations } from '../../../src/payments-api/payments-api.ts'
import { itKeepsEveryPromise } from '../promises.ts'
import { hashOf } from '../scripted-node.ts'
import { type Project, SendingWorld } from '../sending-world.ts'

let world: SendingWorld
let project: Project

beforeEach(async () => {
  world = await new SendingWorld().start()
  project = await world.project(sats(10_000))
})

const pay = (invoice: string, more: object = {}, who: Project = project) =>
  world.call(who, 'sendPayment', { body: { invoice, ...more } })

/** Checks that nothing was sent and nothing is held. */
async function expectUntouched() {
  expect(world.node.calls).toEqual([])
  expect(await world.balance(project.holder)).toBe(sats(10_000))
  expect(await world.held(project.holder)).toBe(0n)
}

/** Creates an invoice of ours: a user's charge, created by `maker`. */
async function chargeFor(gamertag: string, amount: string, maker: Project = project) {
  const { body } = await world.call(maker, 'createGamertagCharge', {
    body: { amount, gamertag, description: 'a debt' },
  })
  return body.data.invoiceRequest as string
}

describe('Send Payment', () => {
  it.each([
    ['an invalid invoice', () => 'lnbc1notaninvoice', {}, 400, 'invalid_invoice'],
    ['a BOLT12 offer', () => `lno1${'q'.repeat(90)}`, {}, 400, 'invalid_invoice'],
    [
      'an invoice of another network',
      () => world.node.foreignInvoice({ amount: sats(1), network: 'bitcoin' }).invoice,
      {},
      400,
      'wrong_network',
    ],
    [
      'an amount in addition to the invoice’s, even if they are equal (fault 23)',
      () => world.node.foreignInvoice({ amount: sats(1) }).invoice,
      { amount: '1000' },
      400,
      'amount_not_allowed',
    ],
    [
      'an invoice without an amount if the request has none either',
      () => world.node.foreignInvoice().invoice,
      {},
      400,
      'amount_required',
    ],
    [
      'more than the operator permits',
      () => world.node.foreignInvoice({ amount: msats(10_000_000_001n) }).invoice,
      {},
      400,
      'amount_too_high',
    ],
    [
      'more than permitted for an invoice without an amount',
      () => world.node.foreignInvoice().invoice,
      { amount: '10000000001' },
      400,
      'amount_too_high',
    ],
    [
      'more than the wallet can cover',
      () => world.node.foreignInvoice({ amount: sats(9_991) }).invoice,
      {},
      400,
      'insufficient_funds',
    ],
    [
      'a fee limit whose sum with the amount overflows (fault 12)',
      () => world.node.foreignInvoice({ amount: sats(1) }).invoice,
      { maxFee: `${MAX_MSATS}` },
      400,
      'amount_too_high',
    ],
    [
      'a fee limit beyond all bitcoin',
      () => world.node.foreignInvoice({ amount: sats(1) }).invoice,
      { maxFee: '9223372036854775807' },
      400,
      'amount_too_high',
    ],
    [
      'an invoice for less than a sat',
      () => world.node.foreignInvoice({ amount: msats(999) }).invoice,
      {},
      400,
      'amount_too_low',
    ],
    ['less than a sat', () => world.node.foreignInvoice().invoice, { amount: '999' }, 400, 'amount_too_low'],
    ['an amount that is a number', () => world.node.foreignInvoice().invoice, { amount: 1_000 }, 400, 'invalid_amount'],
    ['no invoice', () => undefined, {}, 422, 'missing_field'],
  ])('refuses %s', async (_what, invoice, more, status, code) => {
    const { status: got, body } = await pay(invoice() as string, more)
    expect([got, body]).toEqual([status, { success: false, message: expect.stringMatching(/\w/), code }])
    await expectUntouched()
  })

  it('refuses an invoice at the moment of its expiry', async () => {
    const { invoice } = world.node.foreignInvoice({ amount: sats(1), expiresInSeconds: 60 })
    world.clock.jump(60_000)
    const { status, body } = await pay(invoice)
    expect([status, body.code, body.message]).toEqual([400, 'invoice_expired', expect.stringMatching(/another/)])
    await expectUntouched()
  })

  it('refuses an offer and explains that offers cannot be paid', async () => {
    const { body } = await pay(`lno1${'q'.repeat(90)}`)
    expect(body.message).toMatch(/offers cannot be paid from here/)
  })

  it('refuses an invoice of a different network and names both networks', async () => {
    const { body } = await pay(world.node.foreignInvoice({ amount: sats(1), network: 'bitcoin' }).invoice)
    expect(body.message).toMatch(/bitcoin.*regtest/)
  })

  it('proves that nothing was sent if the node has not been reached since the start', async () => {
    const unreachable = new SendingWorld()
    unreachable.node.info = () => Promise.reject(new Error('ECONNREFUSED'))
    await unreachable.start()
    const payer = await unreachable.project()
    const { invoice } = unreachable.node.foreignInvoice({ amount: sats(1) })
    const { status, body } = await unreachable.call(payer, 'sendPayment', { body: { invoice } })
    expect([status, body.code, body.message]).toEqual([503, 'nothing_sent', expect.stringMatching(/node/)])
    await unreachable.close()
  })
})

describe('an invoice with or without an amount', () => {
  it('is paid with the request’s amount if it has none', async () => {
    const { body } = await pay(world.node.foreignInvoice().invoice, { amount: '50000' })
    expect(body.data).toMatchObject({ status: 'completed', amount: '50000', internalId: '', description: '' })
    expect(world.node.calls).toMatchObject([{ amount: 50_000n }])
  })

  it('is sent to the node without a separate amount if it has its own', async () => {
    await pay(world.node.foreignInvoice({ amount: sats(50) }).invoice)
    expect(world.node.calls).toMatchObject([{ amount: undefined }])
  })

  it('is paid to the msat by a whole-sat node only if it states the amount itself', async () => {
    world.node.capabilities = { ...world.node.capabilities, msats: false }
    const { status, body } = await pay(world.node.foreignInvoice().invoice, { amount: '1500' })
    expect([status, body.code]).toEqual([400, 'invalid_amount'])
    await expectUntouched()
    const { invoice } = world.node.foreignInvoice({ amount: msats(1_500) })
    expect((await pay(invoice)).body.data).toMatchObject({ status: 'completed', amount: '1500' })
  })

  it('leaves no timer behind once it is paid', async () => {
    await pay(world.node.foreignInvoice({ amount: sats(50) }).invoice)
    const { pending } = world.clock
    for (let count = 0; count < 20; count += 1) await pay(world.node.foreignInvoice({ amount: sats(50) }).invoice)
    // A worker in the middle of a round has no timer, so a few come and go.
    expect(world.clock.pending).toBeLessThan(pending + 10)
  })
})

describe('payments inside the books (fault 4)', () => {
  /** Creates an invoice that credits this project. */
  async function invoiceOf(payee: Project): Promise<string> {
    const created = await world.call(payee, 'createStaticCharge', {
      body: { minAmount: '1000', maxAmount: '100000', description: 'mine' },
    })
    const route = await world.fetch(`/v0/request-static-charges/${created.body.data.id}/callback?amount=5000`)
    return route.body.pr
  }

  it('an invoice that credits its payer is refused', async () => {
    const { status, body } = await pay(await invoiceOf(project))
    expect([status, body.code, body.message]).toEqual([400, 'self_payment', expect.stringMatching(/your own/)])
    await expectUntouched()
  })

  it('an invoice that credits another project is paid inside the books', async () => {
    const other = await world.project(msats(0))
    const { body } = await pay(await invoiceOf(other))
    expect(body.data).toMatchObject({ status: 'completed', fee: '0' })
    expect(await world.balance(other.holder)).toBe(sats(5))
  })

  it('are proven by the preimage in the answer and in the callback', async () => {
    await world.user('alice')
    const invoice = await chargeFor('alice', '70000')
    const { body } = await pay(invoice, { callbackUrl: 'https://example.com/p' })
    const decoded = await world.call(project, 'decodeCharge', { body: { invoice } })
    expect(hashOf(body.data.preimage)).toBe(decoded.body.data.paymentHash)
    expect(await world.callbacks(`payment:${body.data.id}`)).toEqual([body.data])
  })

  it('a payment inside the books has no preimage if the node does not reveal it', async () => {
    world.node.tellsPreimages = false
    await world.user('alice')
    const { body } = await pay(await chargeFor('alice', '70000'))
    expect(body.data).toMatchObject({ status: 'completed', preimage: null })
  })

  it('a payment inside the books debits the payer by exactly the payee’s credit', async () => {
    const alice = await world.user('alice')
    const { body } = await pay(await chargeFor('alice', '70000'))
    expect(body.data).toMatchObject({ status: 'completed', fee: '0', amount: '70000' })
    expect(await world.balance(alice)).toBe(sats(70))
    expect(await world.balance(project.holder)).toBe(sats(9_930))
    const where = { operation: `payment:${body.data.id}` }
    expect(await world.service.parts.database.read.entry.findMany({ where })).toMatchObject([{ step: 'post' }])
  })
})

describe('payments of our own invoices (fault 5)', () => {
  it('our own invoice is paid inside the books and canceled at the node', async () => {
    await world.user('alice')
    const invoice = await chargeFor('alice', '70000')
    await pay(invoice)
    await world.until(() => world.node.canceled.length === 1)
    expect(world.node.calls).toEqual([])
  })

  it('only one of many simultaneous payments of the same invoice succeeds', async () => {
    const alice = await world.user('alice')
    const invoice = await chargeFor('alice', '70000')
    const answers = await Promise.all(Array.from({ length: 20 }, () => pay(invoice)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
    expect(await world.balance(alice)).toBe(sats(70))
    expect(await world.balance(project.holder)).toBe(sats(9_930))
  })

  it('our own invoice is recognized in upper case, as in a QR code', async () => {
    await world.user('alice')
    const { body } = await pay((await chargeFor('alice', '70000')).toUpperCase())
    expect(body.data).toMatchObject({ status: 'completed', fee: '0' })
    expect(world.node.calls).toEqual([])
  })
})

describe('a 1-sat invoice with the payment hash of a large open deposit (fault 28)', () => {
  it('is paid neither inside nor outside the books', async () => {
    const alice = await world.user('alice')
    const charge = await chargeFor('alice', '5000000')
    const decoded = await world.call(project, 'decodeCharge', { body: { invoice: charge } })
    const forged = world.node.foreignInvoice({ amount: sats(1), paymentHash: decoded.body.data.paymentHash })
    const { status, body } = await pay(forged.invoice)
    expect([status, body.code, body.message]).toEqual([400, 'foreign_invoice', expect.stringMatching(/not paid/)])
    await expectUntouched()
    expect(await world.balance(alice)).toBe(0n)
  })
})

describe('a second payment of a payment hash (fault 32)', () => {
  it('is refused without a call to the node while the first payment is in progress', async () => {
    const other = await world.project()
    const end = world.node.hang()
    const { invoice, paymentHash } = world.node.foreignInvoice({ amount: sats(100) })
    const answers = Array.from({ length: 20 }, (_, i) => pay(invoice, {}, i % 2 === 0 ? project : other))
    await world.until(() => world.node.calls.length === 1)
    const refused = await Promise.all(
      answers.map((answer) => Promise.race([answer, world.idle().then(() => world.idle())])),
    )
    end(world.node.paid(paymentHash))
    const all = await Promise.all(answers)
    expect(all.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
    expect(
      refused.filter((answer) => answer?.body.code === 'already_paid').every((a) => /progress/.test(a?.body.message)),
    ).toBe(true)
    expect(world.node.calls).toHaveLength(1)
    expect(await world.held(project.holder)).toBe(0n)
    expect(await world.held(other.holder)).toBe(0n)
  })

  it('is refused as already paid, even for another payer', async () => {
    const { invoice } = world.node.foreignInvoice({ amount: sats(100) })
    await pay(invoice)
    const { status, body, headers } = await pay(invoice, {}, await world.project())
    expect([status, body.code, body.message]).toEqual([409, 'already_paid', expect.stringMatching(/already/)])
    expect(headers.get('x-should-retry')).toBe('false')
  })

  it('is refused as already paid if its invoice differs but has the same hash', async () => {
    const { invoice, paymentHash } = world.node.foreignInvoice({ amount: sats(100) })
    await pay(invoice)
    const again = await pay(world.node.foreignInvoice({ amount: sats(200), paymentHash }).invoice)
    expect(again.body.code).toBe('already_paid')
    expect(world.node.calls).toHaveLength(1)
  })
})

itKeepsEveryPromise(operations.sendPayment)
