import { beforeEach, describe, expect, it } from 'vitest'
import { AlreadyWritten } from '../../../src/ledger/ledger.ts'
import { msats, sats } from '../../../src/lib/money/amount.ts'
import { OPERATOR, wallet } from '../../../src/payments-service/core/chart-of-accounts.ts'
import { finishPayment, type ProvenOutcome } from '../../../src/payments-service/engine/sending/finish-payment.ts'
import { failed, hashOf } from '../scripted-node.ts'
import { type Project, SendingWorld } from '../sending-world.ts'

let world: SendingWorld
let project: Project

beforeEach(async () => {
  world = await new SendingWorld().start()
  project = await world.project(sats(10_000))
})

const pay = (invoice: string, more: object = {}) =>
  world.call(project, 'sendPayment', { body: { invoice, callbackUrl: 'https://example.com/paid', ...more } })
const invoiceOf = (amount = sats(1_000)) => world.node.foreignInvoice({ amount })

describe('a payment that the node completes', () => {
  it('is reported as completed and costs the amount and the actual fee', async () => {
    const { invoice, preimage } = invoiceOf()
    const { status, body } = await pay(invoice, { description: 'lunch', internalId: 'order 7' })
    expect([status, body]).toMatchObject([200, {}])
    expect(body).toMatchObject({ success: true, message: expect.any(String) })
    expect(body.data).toEqual({
      id: expect.any(String),
      fee: '1000',
      unit: 'msats',
      amount: '1000000',
      invoice,
      preimage,
      internalId: 'order 7',
      status: 'completed',
      processedAt: '2030-01-01T00:00:00.000Z',
      confirmedAt: '2030-01-01T00:00:00.000Z',
      description: 'lunch',
    })
    expect(await world.balance(project.holder)).toBe(sats(8_999))
    expect(world.alerts()).toEqual([])
  })
})

describe('the fee limit of a payment (fault 2)', () => {
  it('is 1 % but at least 10 sats, or the caller’s own limit', async () => {
    await pay(invoiceOf(sats(5_000)).invoice)
    await pay(invoiceOf(sats(100)).invoice)
    await pay(invoiceOf(sats(100)).invoice, { maxFee: '1500' })
    expect(world.node.calls.map((call) => call.maxFee)).toEqual([sats(50), sats(10), 1_500n])
  })

  it('is reserved in full before the node is called', async () => {
    const end = world.node.hang()
    const { invoice, paymentHash } = invoiceOf(sats(5_000))
    const answer = pay(invoice)
    await world.until(() => world.node.calls.length === 1)
    expect(await world.held(project.holder)).toBe(sats(5_050))
    end(world.node.paid(paymentHash))
    expect((await answer).body.data.status).toBe('completed')
    expect(await world.held(project.holder)).toBe(0n)
  })
})

describe('a backend that exceeds the fee limit (fault 3)', () => {
  it('costs the wallet only the limit; the operator bears the rest and is alerted', async () => {
    world.node.answer = async ({ paymentHash }) => world.node.paid(paymentHash, sats(25))
    const { body } = await pay(invoiceOf().invoice)
    expect(body.data).toMatchObject({ status: 'completed', fee: '10000' })
    expect(await world.balance(project.holder)).toBe(sats(8_990))
    expect(await world.service.parts.ledger.balance(OPERATOR)).toBe(-sats(15))
    expect(world.alerts()).toEqual(['fee_over_limit'])
    const facts = { alert: 'fee_over_limit', payment: body.data.id, fee: '25000', maxFee: '10000' }
    expect(world.log).toContainEqual(expect.objectContaining(facts))
    const text = new RegExp(`payment ${body.data.id} the node took 15000 msats beyond .*npm run audit`)
    expect(world.heard).toMatchObject([{ alert: 'fee_over_limit', text: expect.stringMatching(text) }])
  })

  it('completes the payment even if the books hold no sats for the excess', async () => {
    const poor = await new SendingWorld().start()
    const payer = await poor.project(sats(1_010))
    poor.node.answer = async ({ paymentHash }) => poor.node.paid(paymentHash, sats(25))
    const { invoice } = poor.node.foreignInvoice({ amount: sats(1_000) })
    const { body } = await poor.call(payer, 'sendPayment', { body: { invoice } })
    expect(body.data).toMatchObject({ status: 'completed', fee: '10000' })
    expect(await poor.balance(payer.holder)).toBe(0n)
    expect(poor.alerts()).toEqual(['fee_over_limit'])
    await poor.close()
  })
})

describe('a payment whose outcome is unknown (fault 6)', () => {
  it('keeps its sats reserved until the node proves the outcome', async () => {
    world.node.answer = async () => Promise.reject(new Error('ETIMEDOUT'))
    world.node.found = async () => ({ state: 'unknown', evidence: 'in flight' })
    const { invoice, paymentHash } = invoiceOf()
    const { body } = await pay(invoice)
    expect(body.data).toMatchObject({ status: 'processing', preimage: null, confirmedAt: null, fee: '0' })
    const evidence = expect.stringContaining('ETIMEDOUT')
    const noted = { level: 'warn', payment: body.data.id, evidence, msg: expect.stringMatching(/will be looked up/) }
    expect(world.log).toContainEqual(expect.objectContaining(noted))
    await world.pass(120_000, 5_000)
    expect(await world.held(project.holder)).toBe(sats(1_010))
    world.node.found = async () => world.node.paid(paymentHash)
    await world.pass(3_600_000, 300_000)
    expect(await world.payment(body.data.id)).toMatchObject({ status: 'completed', fee: 1_000n })
    expect(await world.balance(project.holder)).toBe(sats(8_999))
  })

  it('fails if a late answer from the node proves the failure', async () => {
    const end = world.node.hang()
    const { invoice, paymentHash } = invoiceOf()
    const answer = pay(invoice)
    await world.until(() => world.node.calls.length === 1)
    await world.clock.advance(5_000)
    expect((await answer).body.data.status).toBe('processing')
    expect(world.node.lookUps).toEqual([])
    end(failed('no route'))
    const id = (await answer).body.data.id
    await world.until(async () => (await world.payment(id)).status === 'failed')
    const proof = { payment: id, code: 'no_route', evidence: 'a test says so', msg: expect.stringMatching(/proves/) }
    expect(world.log).toContainEqual(expect.objectContaining({ level: 'info', ...proof }))
    expect(await world.balance(project.holder)).toBe(sats(10_000))
    expect(await world.callbacks(`payment:${id}`)).toMatchObject([{ id, status: 'failed' }])
    expect(paymentHash).toBe((await world.payment(id)).paymentHash)
  })
})

describe('the resolver and the sender of one payment (fault 7)', () => {
  it('record the outcome once, move the sats once and send one callback', async () => {
    const end = world.node.hang()
    const { invoice, paymentHash } = invoiceOf()
    const answer = pay(invoice)
    await world.until(() => world.node.calls.length === 1)
    world.node.found = async () => {
      end(world.node.paid(paymentHash))
      return world.node.paid(paymentHash)
    }
    await world.pass(31_000)
    const { id } = (await answer).body.data
    expect(await world.payment(id)).toMatchObject({ status: 'completed' })
    expect(await world.balance(project.holder)).toBe(sats(8_999))
    expect(await world.callbacks(`payment:${id}`)).toHaveLength(1)
    expect(world.alerts()).toEqual([])
  })

  it('ignore a failure that a look-up reports while the call is under way', async () => {
    const end = world.node.hang()
    world.node.found = async () => failed('an earlier attempt')
    const { invoice, paymentHash } = invoiceOf()
    const answer = pay(invoice)
    await world.until(() => world.node.calls.length === 1)
    await world.pass(300_000, 5_000)
    expect(world.node.lookUps.length).toBeGreaterThan(2)
    expect(await world.held(project.holder)).toBe(sats(1_010))
    end(world.node.paid(paymentHash))
    const { id } = (await answer).body.data
    await world.until(async () => (await world.payment(id)).status === 'completed')
  })
})

describe('a late report of a payment’s outcome', () => {
  it.each<[string, (hash: string) => Parameters<ReturnType<typeof world.node.hang>>[0], string[]]>([
    ['the same outcome', (hash) => world.node.paid(hash, sats(25)), []],
    ['the opposite outcome', () => failed('no route'), ['contradicting_outcome']],
    ['no outcome', () => new Error('connection lost'), []],
  ])('does not change the recorded outcome if it reports %s', async (_what, late, alerts) => {
    const end = world.node.hang()
    const { invoice, paymentHash } = invoiceOf()
    const answer = pay(invoice)
    await world.until(() => world.node.calls.length === 1)
    world.node.found = async () => world.node.paid(paymentHash, sats(25))
    await world.pass(31_000, 15_500)
    const { id } = (await answer).body.data
    const recorded = await world.payment(id)
    expect(recorded).toMatchObject({ status: 'completed', fee: sats(10), nextLookUpAt: null })
    end(late(paymentHash))
    await world.idle()
    expect(await world.payment(id)).toEqual(recorded)
    expect(world.alerts()).toEqual(['fee_over_limit', ...alerts])
    expect(await world.callbacks(`payment:${id}`)).toHaveLength(1)
  })

  it('raises an alert if it claims success after look-ups have proven a failure', async () => {
    const end = world.node.hang()
    world.node.found = async () => failed('no route')
    const { invoice, paymentHash } = invoiceOf()
    const answer = pay(invoice)
    await world.until(() => world.node.calls.length === 1)
    await world.pass(590_000, 59_000)
    expect(await world.held(project.holder)).toBe(sats(1_010))
    await world.pass(800_000, 50_000)
    const { id } = (await answer).body.data
    expect(await world.payment(id)).toMatchObject({ status: 'failed' })
    end(world.node.paid(paymentHash))
    await world.idle()
    expect(await world.balance(project.holder)).toBe(sats(10_000))
    expect(world.log).toContainEqual(
      expect.objectContaining({ alert: 'contradicting_outcome', payment: id, recorded: 'failed', said: 'paid' }),
    )
    const text = new RegExp(`says "paid" of payment ${id}, .*recorded as "failed"`)
    expect(world.heard.at(-1)).toMatchObject({ text: expect.stringMatching(text) })
  })

  it('causes no second callback, even among five simultaneous reports', async () => {
    world.node.answer = async () => Promise.reject(new Error('connection lost'))
    const { invoice, paymentHash } = invoiceOf()
    const { id } = (await pay(invoice)).body.data
    const paid = world.node.paid(paymentHash) as ProvenOutcome
    const all = await Promise.all(Array.from({ length: 5 }, () => finishPayment(world.service.parts, id, paid)))
    expect(all.map(({ status }) => status)).toEqual(Array(5).fill('completed'))
    expect(await world.callbacks(`payment:${id}`)).toHaveLength(1)
  })
})

describe('the journal of payments', () => {
  it.each<[string, () => ReturnType<typeof failed> | undefined, 'post' | 'void']>([
    ['failed', () => failed('no route'), 'post'],
    ['succeeded', () => undefined, 'void'],
  ])('accepts no second outcome for a payment that %s', async (_what, fails, step) => {
    const { invoice, paymentHash } = invoiceOf()
    world.node.answer = async () => fails() ?? world.node.paid(paymentHash)
    const { id } = (await pay(invoice)).body.data
    const moves = [{ from: wallet(project.holder), to: OPERATOR, amount: sats(1) }]
    const again = world.service.parts.ledger.commit({ entries: [{ operation: `payment:${id}`, step, moves }] })
    await expect(again).rejects.toThrow(AlreadyWritten)
  })
})

describe('a payment that is reported as processing (fault 8)', () => {
  it('can still be read after the service is killed', async () => {
    world.node.hang()
    const answer = pay(invoiceOf().invoice)
    await world.until(() => world.node.calls.length === 1)
    await world.clock.advance(5_000)
    const { id } = (await answer).body.data
    await world.kill()
    const read = await world.call(project, 'retrievePayment', { params: { id } })
    expect(read.body.data).toMatchObject({ id, status: 'processing' })
  })
})

describe('a retry with the payment hash of a failed payment (fault 10)', () => {
  it('is a separate payment and leaves the failed payment unchanged', async () => {
    world.node.answer = async () => failed('no route')
    const { invoice } = invoiceOf()
    const first = (await pay(invoice)).body.data
    expect(first).toMatchObject({ status: 'failed', preimage: null, fee: '0' })
    world.node.answer = async ({ paymentHash }) => world.node.paid(paymentHash)
    const second = (await pay(invoice)).body.data
    expect(second).toMatchObject({ status: 'completed' })
    expect(second.id).not.toBe(first.id)
    expect(await world.payment(first.id)).toMatchObject({ status: 'failed', confirmedAt: null })
    expect(await world.balance(project.holder)).toBe(sats(8_999))
  })

  it('does not end when the node reports the failure of the first payment', async () => {
    world.node.answer = async () => failed('no route')
    const { invoice, paymentHash } = invoiceOf()
    await pay(invoice)
    world.node.answer = async () => Promise.reject(new Error('connection lost'))
    world.node.found = async () => failed('no route')
    const { id } = (await pay(invoice)).body.data
    await world.pass(30_000)
    expect(await world.payment(id)).toMatchObject({ status: 'unknown' })
    world.node.found = async () => world.node.paid(paymentHash)
    await world.pass(90_000)
    expect(await world.payment(id)).toMatchObject({ status: 'completed' })
  })
})

describe('an invalid preimage', () => {
  it('proves nothing, so the hold stays and operators are alerted', async () => {
    const wrong = async () => ({ state: 'paid', preimage: '00'.repeat(32), fee: msats(0) }) as const
    world.node.answer = wrong
    const { invoice, paymentHash } = invoiceOf()
    const { body } = await pay(invoice)
    expect(body.data.status).toBe('processing')
    const alert = { alert: 'wrong_preimage', payment: body.data.id }
    expect(world.log.filter((line) => line.alert)).toEqual([expect.objectContaining(alert)])
    const text = new RegExp(`payment ${body.data.id} was paid, without a preimage that matches`)
    expect(world.heard).toMatchObject([{ text: expect.stringMatching(text) }])
    const noted = { payment: body.data.id, evidence: expect.stringMatching(/does not match/) }
    expect(world.log).toContainEqual(expect.objectContaining({ level: 'warn', ...noted }))
    world.node.found = wrong
    await world.pass(1_000)
    expect(world.log.filter((line) => line.alert)).toEqual(Array(2).fill(expect.objectContaining(alert)))
    expect(await world.held(project.holder)).toBe(sats(1_010))
    world.node.found = async () => world.node.paid(paymentHash)
    await world.pass(10_000)
    expect(await world.payment(body.data.id)).toMatchObject({ status: 'completed' })
  })

  it('proves nothing if it is empty, even for the payment hash of the empty text', async () => {
    world.node.answer = async () => ({ state: 'paid', preimage: '', fee: msats(0) })
    const { invoice } = world.node.foreignInvoice({ amount: sats(1_000), paymentHash: hashOf('') })
    expect((await pay(invoice)).body.data.status).toBe('processing')
    expect(world.alerts()).toEqual(['wrong_preimage'])
  })
})
