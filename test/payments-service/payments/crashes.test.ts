import { beforeEach, describe, expect, it } from 'vitest'
import { LedgerUnavailable } from '../../../src/ledger/ledger.ts'
import { sats } from '../../../src/lib/money/amount.ts'
import { voidUnsent } from '../../../src/payments-service/engine/sending/finish-payment.ts'
import { newPayment, reserve } from '../../../src/payments-service/payments/reserve-payment.ts'
import { failed } from '../scripted-node.ts'
import { type Project, SendingWorld } from '../sending-world.ts'

let world: SendingWorld
let project: Project

beforeEach(async () => {
  world = await new SendingWorld().start()
  project = await world.project(sats(10_000))
})

const invoiceOf = () => world.node.foreignInvoice({ amount: sats(1_000) })

/** Makes a payment of which only the hold is durable. */
async function hold() {
  const { invoice, paymentHash } = invoiceOf()
  const about = {
    kind: 'invoice',
    payer: project.holder,
    paymentHash,
    invoice,
    amount: sats(1_000),
    maxFee: sats(10),
  } as const
  const payment = newPayment(world.service.parts, about)
  await world.service.parts.ledger.commit(reserve(project.holder, payment))
  return payment
}

/** Begins a payment through a node that does not answer, and waits until the node has received it. */
async function beginToSend(key?: string) {
  world.node.hang()
  const { invoice, paymentHash } = invoiceOf()
  const answer = world.call(project, 'sendPayment', { body: { invoice }, ...(key && { key }) })
  answer.catch(() => undefined)
  await world.until(() => world.node.calls.length === 1)
  const { database } = world.service.parts
  const payment = await database.read.payment.findFirstOrThrow({ where: { paymentHash } })
  return { invoice, payment }
}

const fundsOf = async () => ({ wallet: await world.balance(project.holder), held: await world.held(project.holder) })
const ALL = { wallet: sats(10_000), held: 0n }
const HELD = { wallet: sats(8_990), held: sats(1_010) }
const PAID = { wallet: sats(8_999), held: 0n }

describe('after the process is killed (fault 21)', () => {
  it('a hold not yet marked as sending is returned at the next start; nothing is paid', async () => {
    const payment = await hold()
    expect(await fundsOf()).toEqual(HELD)
    await world.kill()
    const failure = expect.stringMatching(/before anything was sent/)
    expect(await world.payment(payment.id)).toMatchObject({ status: 'failed', failure, failureCode: '' })
    expect(await fundsOf()).toEqual(ALL)
    expect(world.node.calls).toEqual([])
    expect(world.node.lookUps).toEqual([])
  })

  it('a payment marked as sending fails only if the node has no record of it for 1 min', async () => {
    const { payment } = await beginToSend()
    await world.kill()
    expect(await world.payment(payment.id)).toMatchObject({ status: 'unknown' })
    await world.pass(50_000)
    expect(await fundsOf()).toEqual(HELD)
    expect(world.node.lookUps).toHaveLength(1)
    await world.pass(20_000)
    const failure = expect.stringMatching(/never received/)
    expect(await world.payment(payment.id)).toMatchObject({ status: 'failed', failure, failureCode: 'other' })
    expect(await fundsOf()).toEqual(ALL)
    const proof = { payment: payment.id, code: 'other', evidence: expect.stringMatching(/no record of it/) }
    expect(world.log).toContainEqual(expect.objectContaining(proof))
  })

  it('a payment that the node first reports as absent and then as paid ends as paid', async () => {
    const { payment } = await beginToSend()
    await world.kill()
    await world.pass(30_000)
    world.node.found = async (hash) => world.node.paid(hash)
    await world.pass(60_000)
    expect(await world.payment(payment.id)).toMatchObject({ status: 'completed' })
    expect(await fundsOf()).toEqual(PAID)
  })

  it('a payment that the node has paid is recorded as paid at the next start', async () => {
    const { payment } = await beginToSend()
    world.node.found = async (hash) => world.node.paid(hash)
    await world.kill()
    expect(await world.payment(payment.id)).toMatchObject({ status: 'completed', fee: 1_000n })
    expect(await fundsOf()).toEqual(PAID)
  })

  it('a payment ends only once even after several kills', async () => {
    const { payment } = await beginToSend()
    world.node.found = async () => ({ state: 'unknown', evidence: 'in flight' })
    for (let i = 0; i < 3; i += 1) await world.kill(10_000)
    expect(await fundsOf()).toEqual(HELD)
    world.node.found = async (hash) => world.node.paid(hash)
    await world.kill(10_000)
    await world.kill(10_000)
    expect(await fundsOf()).toEqual(PAID)
    expect(world.node.lookUps).toEqual([])
    expect(await world.callbacks(`payment:${payment.id}`)).toHaveLength(1)
  })

  it('a payment stays unknown if the node is away at the next start', async () => {
    const { payment } = await beginToSend()
    world.node.found = () => Promise.reject(new Error('connection refused'))
    await world.kill()
    await world.pass(600_000, 100_000)
    expect(await world.payment(payment.id)).toMatchObject({ status: 'unknown' })
    expect(await fundsOf()).toEqual(HELD)
  })

  it('the service starts even if the node does not answer look-ups', async () => {
    const { payment } = await beginToSend()
    world.node.found = () => new Promise(() => {})
    await world.kill(0, { timeToPass: true })
    expect(await world.payment(payment.id)).toMatchObject({ status: 'unknown' })
  })
})

describe('an Idempotency-Key after a crash', () => {
  it('makes a repeated request return the payment’s state without a second payment', async () => {
    const { invoice, payment } = await beginToSend('once')
    await world.kill()
    const repeat = () => world.call(project, 'sendPayment', { body: { invoice }, key: 'once' })
    expect((await repeat()).body.data).toMatchObject({ id: payment.id, status: 'processing' })
    world.node.found = async (hash) => world.node.paid(hash)
    await world.pass(90_000)
    const later = await repeat()
    expect(later.body.data).toMatchObject({ id: payment.id, status: 'completed' })
    expect(later.headers.get('idempotency-replayed')).toBe('true')
    expect(world.node.calls).toEqual([])
  })

  it('replays the answer even if the payment spent the last funds (fault 29)', async () => {
    const poor = await world.project(sats(1_010))
    const { invoice } = invoiceOf()
    const send = () => world.call(poor, 'sendPayment', { body: { invoice }, key: 'k' })
    const first = await send()
    expect(first.body.data.status).toBe('completed')
    expect(await send()).toMatchObject({ status: 200, body: first.body })
    expect(world.node.calls).toHaveLength(1)
  })

  it('is refused for another body', async () => {
    await world.call(project, 'sendPayment', { body: { invoice: invoiceOf().invoice }, key: 'k' })
    const other = await world.call(project, 'sendPayment', { body: { invoice: invoiceOf().invoice }, key: 'k' })
    expect(other).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } })
    expect(world.node.calls).toHaveLength(1)
  })
})

describe('several workers on one payment (fault 15)', () => {
  it('only the worker that marks the payment as sending calls the node', async () => {
    const payment = await hold()
    const { sender } = world.service.parts
    await Promise.all([sender.send(payment), sender.send(payment), sender.send(payment)])
    expect(world.node.calls).toHaveLength(1)
    expect(await fundsOf()).toEqual(PAID)
  })

  it('a worker that lost the race to mark the payment does not change the payment', async () => {
    world.node.hang()
    world.node.found = async () => failed('an earlier attempt')
    const payment = await hold()
    const { sender } = world.service.parts
    void sender.send(payment)
    await world.until(() => world.node.calls.length === 1)
    expect(await sender.send(payment)).toMatchObject({ status: 'sending' })
    await world.pass(62_000, 31_000)
    expect(world.node.lookUps.length).toBeGreaterThan(0)
    expect(await fundsOf()).toEqual(HELD)
  })

  it('another process’s payment is looked up, and its outcome is accepted', async () => {
    world.node.found = async () => failed('no route')
    const payment = await hold()
    const { database, sender } = world.service.parts
    await database.write.payment.update({ where: { id: payment.id }, data: { status: 'sending' } })
    expect(await sender.send(payment)).toMatchObject({ status: 'sending' })
    expect(world.node.calls).toEqual([])
    await world.pass(62_000, 31_000)
    expect(await fundsOf()).toEqual(ALL)
  })

  it('a hold that was marked as sending in the meantime is not returned', async () => {
    const { payment } = await beginToSend()
    expect(await voidUnsent(world.service.parts, payment.id, 'too late')).toMatchObject({ status: 'sending' })
    expect(await fundsOf()).toEqual(HELD)
  })

  it('a sender that comes after the hold was returned sends no payment', async () => {
    const payment = await hold()
    const old = world.service.parts.sender
    await world.kill()
    expect(await old.send(payment)).toMatchObject({ status: 'failed' })
    expect(world.node.calls).toEqual([])
    expect(await fundsOf()).toEqual(ALL)
  })
})

describe('a hold without a sender (fault 9)', () => {
  it('is returned if its payment is not marked as sending in time', async () => {
    const payment = await hold()
    world.node.hang()
    const other = world.call(project, 'sendPayment', { body: { invoice: invoiceOf().invoice } })
    await world.pass(58_000, 29_000)
    expect(await world.payment(payment.id)).toMatchObject({ status: 'held' })
    await world.pass(4_000)
    expect((await other).status).toBe(200)
    expect(await world.payment(payment.id)).toMatchObject({ status: 'failed' })
    expect(await world.held(project.holder)).toBe(sats(1_010))
  })
})

describe('a paid payment whose look-up fails (fault 16)', () => {
  it('keeps its hold until a look-up succeeds and records the payment', async () => {
    const { payment } = await beginToSend()
    let asked = 0
    world.node.found = async (hash) => {
      asked += 1
      if (asked < 4) throw new Error('the node is busy')
      return world.node.paid(hash)
    }
    await world.kill()
    expect(await fundsOf()).toEqual(HELD)
    await world.pass(30_000)
    expect(await world.payment(payment.id)).toMatchObject({ status: 'completed' })
    expect(await fundsOf()).toEqual(PAID)
  })
})

describe('a payment that stays pending (fault 17)', () => {
  it('is reported to operators after 10 minutes and again later, and its age is known', async () => {
    const { payment } = await beginToSend()
    world.node.found = async () => ({ state: 'unknown', evidence: 'in flight' })
    await world.kill()
    await world.pass(9 * 60_000, 30_000)
    expect(world.alerts()).toEqual([])
    await world.pass(5_400_000, 1_800_000)
    const alerts = world.log.filter(({ alert }) => alert === 'payment_unknown')
    expect(alerts.length).toBeGreaterThanOrEqual(2)
    const found = { state: 'unknown', evidence: 'in flight' }
    expect(alerts.at(-1)).toMatchObject({ payment: payment.id, found, lookUps: world.node.lookUps.length })
    const { count, oldestMs } = await world.service.parts.sender.unresolved()
    expect(count).toBe(1)
    expect(oldestMs).toBe(world.clock.now() - payment.createdAt.getTime())
  })
})

describe('an HTLC that hangs for two weeks (fault 33)', () => {
  it('keeps its sats held and ends when the node reports its outcome', async () => {
    const { payment } = await beginToSend()
    world.node.found = async () => ({ state: 'unknown', evidence: 'in flight' })
    const day = 24 * 3_600_000
    for (let days = 0; days < 14; days += 7) {
      await world.pass(300_000, 100_000)
      expect(await fundsOf()).toEqual(HELD)
      await world.kill(7 * day)
    }
    const asked = world.node.lookUps.length
    world.node.found = async () => failed('timed out on chain')
    await world.pass(3_660_000, 1_220_000)
    expect(world.node.lookUps.length).toBeGreaterThan(asked)
    expect(await world.payment(payment.id)).toMatchObject({ status: 'failed', failure: 'timed out on chain' })
    expect(await fundsOf()).toEqual(ALL)
  })
})

describe('a service that stops', () => {
  it('refuses new payments with proof that nothing happened', async () => {
    const closing = world.service.parts.sender.close()
    const keysend = { amount: '1000', pubkey: `02${'ab'.repeat(32)}` }
    for (const { status, body } of [
      await world.call(project, 'sendPayment', { body: { invoice: invoiceOf().invoice } }),
      await world.call(project, 'sendKeysendPayment', { body: keysend }),
    ]) {
      expect([status, body.code, body.message]).toEqual([503, 'nothing_sent', expect.stringMatching(/stopping/)])
    }
    await closing
    expect(await fundsOf()).toEqual(ALL)
  })

  it('leaves the recording of a later outcome to the next start', async () => {
    const end = world.node.hang()
    const { invoice, paymentHash } = invoiceOf()
    const answer = world.call(project, 'sendPayment', { body: { invoice } })
    await world.until(() => world.node.calls.length === 1)
    await world.service.parts.sender.close()
    end(world.node.paid(paymentHash))
    const { id } = (await answer).body.data
    expect(await world.payment(id)).toMatchObject({ status: 'sending' })
    world.node.found = async (hash) => world.node.paid(hash)
    await world.kill()
    expect(await world.payment(id)).toMatchObject({ status: 'completed' })
    expect(await fundsOf()).toEqual(PAID)
  })
})

describe('while the database cannot be written (fault 26)', () => {
  /** Makes `times` commits fail, as a full disk would, after `after` successful ones. */
  function breakLedger(times: number, after = 0) {
    const { ledger } = world.service.parts
    const { commit } = ledger
    let commits = 0
    const broken = (change: Parameters<typeof commit>[0]) => {
      commits += 1
      const fails = commits > after && commits <= after + times
      return fails ? Promise.reject(new LedgerUnavailable('disk full')) : commit.call(ledger, change)
    }
    Object.assign(ledger, { commit: broken })
    return () => Object.assign(ledger, { commit })
  }

  it('if a hold is not written, no payment is sent, and the answer proves that', async () => {
    const mend = breakLedger(1)
    const { status, body } = await world.call(project, 'sendPayment', { body: { invoice: invoiceOf().invoice } })
    mend()
    expect([status, body.code]).toEqual([503, 'nothing_sent'])
    expect(world.node.calls).toEqual([])
    expect(await fundsOf()).toEqual(ALL)
  })

  it('if the mark as sending is not written, nothing is sent, and the hold is voided', async () => {
    const mend = breakLedger(1, 1)
    const answer = await world.call(project, 'sendPayment', { body: { invoice: invoiceOf().invoice } })
    mend()
    const message = expect.stringMatching(/could not be recorded as being sent; nothing happened/)
    expect(answer).toMatchObject({ status: 503, body: { code: 'nothing_sent', message } })
    expect(world.node.calls).toEqual([])
    expect(await fundsOf()).toEqual(HELD)
    await world.pass(90_000, 5_000)
    expect(await fundsOf()).toEqual(ALL)
  })

  it('if the return of a hold is not written, the error is reported; a retry succeeds', async () => {
    const payment = await hold()
    const mend = breakLedger(1)
    await expect(voidUnsent(world.service.parts, payment.id, 'nothing was sent')).rejects.toThrow(LedgerUnavailable)
    mend()
    expect(await fundsOf()).toEqual(HELD)
    expect(await voidUnsent(world.service.parts, payment.id, 'nothing was sent')).toMatchObject({ status: 'failed' })
    expect(await fundsOf()).toEqual(ALL)
  })

  it('if an outcome is not written, the hold stays until the resolver records it', async () => {
    const mend = breakLedger(1, 2)
    const { body } = await world.call(project, 'sendPayment', { body: { invoice: invoiceOf().invoice } })
    mend()
    expect(body.data.status).toBe('processing')
    const noted = { payment: body.data.id, msg: expect.stringMatching(/outcome of a payment could not be recorded/) }
    expect(world.log).toContainEqual(expect.objectContaining({ level: 'error', ...noted }))
    expect(await fundsOf()).toEqual(HELD)
    world.node.found = async (hash) => world.node.paid(hash)
    await world.pass(60_000, 5_000)
    expect(await fundsOf()).toEqual(PAID)
    expect(world.alerts()).toEqual([])
  })

  it('if the time of the next look-up is not written, the resolver continues', async () => {
    world.node.answer = () => Promise.reject(new Error('connection lost'))
    world.node.found = async () => ({ state: 'unknown', evidence: 'in flight' })
    const { body } = await world.call(project, 'sendPayment', { body: { invoice: invoiceOf().invoice } })
    const mend = breakLedger(1_000)
    await world.clock.advance(3_000)
    await world.pass(60_000).then(mend)
    expect(world.node.lookUps.length, 'less and less often').toBeLessThanOrEqual(10)
    const noted = { level: 'error', payment: body.data.id, msg: expect.stringMatching(/could not be resolved/) }
    expect(world.log).toContainEqual(expect.objectContaining(noted))
    world.node.found = async (hash) => world.node.paid(hash)
    await world.pass(60_000)
    expect(await world.payment(body.data.id)).toMatchObject({ status: 'completed' })
  })
})

describe('a wall clock', () => {
  it.each([
    ['back', -365],
    ['forward', 365],
  ])('that is set %s by a year neither ends a payment nor stops its look-ups', async (_where, days) => {
    world.node.answer = () => Promise.reject(new Error('connection lost'))
    world.node.found = async () => ({ state: 'absent' })
    const { body } = await world.call(project, 'sendPayment', { body: { invoice: invoiceOf().invoice } })
    await world.pass(3_000)
    world.clock.jump(days * 24 * 3_600_000)
    await world.pass(30_000)
    expect(await fundsOf()).toEqual(HELD)
    world.node.found = async (hash) => world.node.paid(hash)
    await world.pass(130_000, 10_000)
    expect(await world.payment(body.data.id)).toMatchObject({ status: 'completed' })
  })
})
