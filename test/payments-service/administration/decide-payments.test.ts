import { beforeEach, describe, expect, it } from 'vitest'
import { systemEntropy } from '../../../src/lib/entropy.ts'
import { sats } from '../../../src/lib/money/amount.ts'
import { createAdministration } from '../../../src/payments-service/administration/administration.ts'
import type { PaymentLookUp } from '../../../src/payments-service/backends/backend.ts'
import { NODE, OPERATOR } from '../../../src/payments-service/core/chart-of-accounts.ts'
import { compareHistories } from '../../../src/payments-service/node-audit/compare-histories.ts'
import { type Project, SendingWorld } from '../sending-world.ts'
import { refusalOf } from './administration-world.ts'

let world: SendingWorld
let project: Project
let payment: { id: string; preimage: string }

/** Begins each test with a payment of 1,000 sats that the node reports as paid, with a preimage that proves nothing. */
beforeEach(async () => {
  world = await new SendingWorld().start()
  project = await world.project()
  const unproven = async (): Promise<PaymentLookUp> => ({ state: 'paid', preimage: 'a-uuid', fee: undefined })
  world.node.answer = unproven as typeof world.node.answer
  world.node.found = unproven
  const { invoice, preimage } = world.node.foreignInvoice({ amount: sats(1_000) })
  const { body } = await world.call(project, 'sendPayment', { body: { invoice } })
  payment = { id: body.data.id, preimage }
})
const administration = () => {
  const { database, ledger, settings } = world.service.parts
  return createAdministration({
    database,
    ledger,
    settings,
    clock: world.clock,
    entropy: systemEntropy,
    sandbox: false,
  })
}
const decide = (outcome: string, by: string, more: object = {}) =>
  administration().decidePayment({ paymentId: payment.id, outcome, evidence: `${by} looked`, by, ...more })
const TEN_MINUTES = 600_000
const status = async () => (await world.payment(payment.id)).status
/** Lets the service poll again, which it does at least once a minute. */
const nextLook = () => world.pass(61_000, 15_000)

describe('a payment that the node reports as paid but cannot prove', () => {
  it('keeps its sats reserved; an alert tells operators at once how to end the payment', async () => {
    expect(await status()).toBe('unknown')
    expect(await world.held(project.holder)).toBe(sats(1_010))
    expect(world.heard).toMatchObject([
      { alert: 'wrong_preimage', text: expect.stringContaining(`payment decide ${payment.id} paid|failed`) },
    ])
    expect(await administration().listOpenPayments()).toMatchObject([
      { paymentId: payment.id, status: 'unknown', amount: '1000000', payer: `project:${project.id}`, decision: null },
    ])
  })

  it('counts as paid by decision of two operators, with its fee limit as the fee', async () => {
    await world.pass(TEN_MINUTES, 60_000)
    expect(await decide('paid', 'ann')).toMatchObject({ state: 'proposed', by: 'ann', secondBy: null })
    await nextLook()
    expect(await status()).toBe('unknown')
    expect(await decide('paid', 'ben')).toMatchObject({ state: 'done', by: 'ann', secondBy: 'ben' })
    await nextLook()
    expect(await world.payment(payment.id)).toMatchObject({ status: 'completed', fee: sats(10), preimage: null })
    expect(await world.balance(project.holder)).toBe(sats(8_990))
    expect(await world.service.parts.ledger.balance(OPERATOR)).toBe(sats(10))
    expect(await world.callbacks(`payment:${payment.id}`)).toMatchObject([{ id: payment.id, status: 'completed' }])
    expect(world.heard.filter(({ alert }) => alert === 'payment_decided')).toMatchObject([
      { text: expect.stringMatching(/was paid \(ann and ben\): ann looked; ben looked/) },
    ])
    expect(await administration().listOpenPayments()).toEqual([])
    expect(await refusalOf(decide('paid', 'ann'))).toContain('already decided')
  })

  it('counts as failed by decision of two operators, and its payer gets all sats back', async () => {
    world.node.found = async () => ({ state: 'unknown', evidence: 'nobody knows' })
    await world.pass(TEN_MINUTES, 60_000)
    await decide('failed', 'ann')
    await decide('failed', 'ben')
    await nextLook()
    expect(await status()).toBe('failed')
    expect(await world.balance(project.holder)).toBe(sats(10_000))
  })

  it('counts as paid as soon as one operator enters its preimage', async () => {
    expect(await refusalOf(decide('paid', 'ann', { preimage: 'ab'.repeat(32) }))).toContain('does not belong')
    expect(await refusalOf(decide('failed', 'ann', { preimage: payment.preimage }))).toContain('was paid')
    await decide('paid', 'ann', { preimage: payment.preimage.toUpperCase() })
    await nextLook()
    expect(await world.payment(payment.id)).toMatchObject({ status: 'completed', preimage: payment.preimage })
  })

  it('is not ended by one operator or by two who disagree', async () => {
    await world.pass(TEN_MINUTES, 60_000)
    await decide('paid', 'ann')
    expect(await refusalOf(decide('paid', 'ann'))).toContain('different person')
    expect(await decide('failed', 'ben')).toMatchObject({ state: 'proposed', by: 'ben' })
    await nextLook()
    expect(await status()).toBe('unknown')
    await decide('failed', 'ann')
    expect(await refusalOf(decide('paid', 'ben'))).toContain('already been decided')
  })

  it('cannot be decided during its first 10 minutes', async () => {
    await world.pass(TEN_MINUTES - 60_000, 60_000)
    expect(await refusalOf(decide('failed', 'ann'))).toContain('Try again in 1 min')
  })

  it('does not count as failed by decision of two operators while it is in flight', async () => {
    world.node.found = async () => ({ state: 'pending', evidence: 'an HTLC is out' })
    await world.pass(TEN_MINUTES, 60_000)
    await decide('failed', 'ann')
    await decide('failed', 'ben')
    await nextLook()
    expect(await status()).toBe('unknown')
    world.node.found = async (hash) => world.node.paid(hash)
    await world.pass(3_600_000, 600_000)
    // The node's own proof counts for more than what people said.
    expect(await world.payment(payment.id)).toMatchObject({ status: 'completed', fee: sats(1) })
  })

  it.each([
    ['an unknown outcome', 'maybe', 'ann', {}, '"paid" or "failed"'],
    ['no evidence', 'paid', 'ann', { evidence: ' ' }, '--evidence'],
    ['two lines of evidence', 'paid', 'ann', { evidence: 'a\nb' }, 'in one line'],
    ['no operator', 'paid', ' ', {}, '--by'],
    ['an unknown payment', 'paid', 'ann', { paymentId: 'none' }, 'There is no payment none'],
  ])('is not ended by a decision with %s', async (_, outcome, by, more, words) => {
    await world.pass(TEN_MINUTES, 60_000)
    expect(await refusalOf(decide(outcome, by, more))).toContain(words)
  })
})

describe('a wrong decision', () => {
  const decided = async (outcome: string) => {
    world.node.found = async () => ({ state: 'unknown', evidence: 'nobody knows' })
    await world.pass(TEN_MINUTES, 60_000)
    await decide(outcome, 'ann')
    await decide(outcome, 'ben')
    await nextLook()
  }
  const booked = async () => {
    const { ledger } = world.service.parts
    return [await world.balance(project.holder), await ledger.balance(OPERATOR), -(await ledger.balance(NODE))]
  }
  const correct = async (outcome: string) => {
    expect(await decide(outcome, 'ann')).toMatchObject({ state: 'proposed', isCorrection: true })
    return await decide(outcome, 'ben')
  }
  const disagreements = async () => {
    const { backend, database } = world.service.parts
    return await compareHistories({ read: (look) => look(database.read as never), backend })
  }
  const fees = () => administration().showFees()

  it('that a payment was paid is corrected by refunding the amount and the fee', async () => {
    const before = await fees()
    await decided('paid')
    expect(await booked()).toEqual([sats(8_990), sats(10), sats(9_000)])
    world.node.found = async () => ({ state: 'failed', code: 'other', reason: 'no route', evidence: 'none' })
    expect(await disagreements()).toMatchObject([{ id: payment.id }])
    expect(await correct('failed')).toMatchObject({ state: 'done', outcome: 'failed', secondBy: 'ben' })
    expect(await booked()).toEqual([sats(10_000), 0n, sats(10_000)])
    expect(await status()).toBe('completed')
    expect(await disagreements()).toEqual([])
    expect(await fees()).toEqual(before)
  })

  it('that a payment failed is corrected at the operator’s expense', async () => {
    await decided('failed')
    world.node.found = async (hash) => world.node.paid(hash)
    expect(await disagreements()).toMatchObject([{ id: payment.id }])
    await correct('paid')
    expect(await booked()).toEqual([sats(10_000), -sats(1_000), sats(9_000)])
    expect(await disagreements()).toEqual([])
  })

  it('can be corrected again and again, always at the operator’s expense', async () => {
    await decided('paid')
    await correct('failed')
    await correct('paid')
    expect(await booked()).toEqual([sats(10_000), -sats(1_000), sats(9_000)])
    expect(await refusalOf(decide('paid', 'ann'))).toContain('already decided')
    await correct('failed')
    expect(await booked()).toEqual([sats(10_000), 0n, sats(10_000)])
  })

  it('can be corrected by one operator who enters the preimage, and this is final', async () => {
    await decided('failed')
    await decide('paid', 'ann', { preimage: payment.preimage })
    expect(await booked()).toEqual([sats(10_000), -sats(1_000), sats(9_000)])
    expect(await refusalOf(decide('failed', 'ben'))).toContain('has a proven outcome')
  })

  it('is not corrected by one operator or by two who disagree', async () => {
    await decided('paid')
    await decide('failed', 'ann')
    expect(await refusalOf(decide('failed', 'ann'))).toContain('different person')
    expect(await refusalOf(decide('paid', 'ben'))).toContain('already decided')
    expect(await booked()).toEqual([sats(8_990), sats(10), sats(9_000)])
    expect(await administration().listOpenPayments()).toMatchObject([
      { paymentId: payment.id, status: 'completed', decision: { outcome: 'failed', state: 'proposed', by: 'ann' } },
    ])
  })

  it.each(['paid', 'failed'])('cannot be made about a payment with a proven outcome (%s)', async (outcome) => {
    const other = world.node.foreignInvoice({ amount: sats(1_000) })
    world.node.answer = async () => world.node.paid(other.paymentHash)
    world.node.found = async (hash) => world.node.paid(hash)
    const { body } = await world.call(project, 'sendPayment', { body: { invoice: other.invoice } })
    expect(body.data.status).toBe('completed')
    const verdict = { paymentId: body.data.id, outcome, evidence: 'I looked', by: 'ann' }
    expect(await refusalOf(administration().decidePayment(verdict))).toContain('has a proven outcome')
  })
})
