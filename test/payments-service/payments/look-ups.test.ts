import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import type { PaymentLookUp } from '../../../src/payments-service/backends/backend.ts'
import { Resolver } from '../../../src/payments-service/engine/sending/resolver.ts'
import { createSender } from '../../../src/payments-service/engine/sending/sender.ts'
import { newPayment, reserve } from '../../../src/payments-service/payments/reserve-payment.ts'
import { failed } from '../scripted-node.ts'
import { type Project, SendingWorld } from '../sending-world.ts'

let world: SendingWorld
let project: Project

beforeEach(async () => {
  world = await new SendingWorld().start()
  project = await world.project(sats(10_000))
})

const LOOK_UPS_FAILED = 'payments could not be looked up'
const IN_FLIGHT: PaymentLookUp = { state: 'pending', evidence: 'in flight' }

/** Pays an invoice of 100 sats; returns its payment hash, and a promise of the service's answer. */
function pay() {
  const { invoice, paymentHash } = world.node.foreignInvoice({ amount: sats(100) })
  return { paymentHash, answer: world.call(project, 'sendPayment', { body: { invoice } }) }
}

/** Makes a payment whose call was lost, so that only look-ups can find its outcome. */
async function lost() {
  const { answer } = world.node
  world.node.answer = () => Promise.reject(new Error('connection lost'))
  const { paymentHash, answer: paying } = pay()
  const { id } = (await paying).body.data
  world.node.answer = answer
  return { id: id as string, paymentHash }
}

/** Makes a payment whose call does not return. */
async function slow() {
  const end = world.node.hang()
  const { paymentHash, answer } = pay()
  await world.until(() => world.node.calls.length === 1)
  return { paymentHash, end, payment: async () => (await answer).body.data }
}

describe('look-ups of payments', () => {
  it('check each open payment when it is due and count payments without an outcome', async () => {
    world.node.found = async () => IN_FLIGHT
    const { sender } = world.service.parts
    expect(await sender.unresolved()).toEqual({ count: 0, oldestMs: 0 })
    const first = await slow()
    expect(await sender.unresolved()).toEqual({ count: 0, oldestMs: 0 })
    const second = await lost()
    await world.clock.advance(500)
    const third = await lost()
    world.node.answer = async ({ paymentHash }) => world.node.paid(paymentHash)
    await pay().answer
    expect(await sender.unresolved()).toEqual({ count: 2, oldestMs: 500 })
    expect(world.node.lookUps).toEqual([])
    world.node.found = async (hash) => (hash === second.paymentHash ? world.node.paid(hash) : IN_FLIGHT)
    await world.pass(500, 500)
    expect(world.node.lookUps).toEqual([second.paymentHash])
    await world.pass(1_500, 500)
    expect(world.node.lookUps).toEqual([second, third].map(({ paymentHash }) => paymentHash))
    await world.pass(28_000)
    expect(world.node.lookUps).toContain(first.paymentHash)
    expect(await sender.unresolved()).toEqual({ count: 2, oldestMs: 30_500 })
    first.end(world.node.paid(first.paymentHash))
    const { id } = await first.payment()
    await world.until(async () => (await world.payment(id)).status === 'completed')
    expect(await world.payment(third.id)).toMatchObject({ status: 'unknown' })
  })

  it('prove that nothing was sent if they find nothing for a whole minute', async () => {
    world.node.found = async () => ({ state: 'absent' })
    const { id } = await lost()
    await world.pass(60_000, 10_000)
    expect(world.node.lookUps).toHaveLength(1)
    world.node.found = async () => IN_FLIGHT
    expect(await world.payment(id)).toMatchObject({ absentSince: expect.any(Date) })
    await world.pass(1_000)
    expect(await world.payment(id)).toMatchObject({ absentSince: null })
    world.node.found = async () => ({ state: 'absent' })
    await world.pass(30_000, 10_000)
    expect(world.node.lookUps).toHaveLength(3)
    expect(await world.payment(id)).toMatchObject({ status: 'unknown' })
    await world.pass(60_000, 10_000)
    expect(await world.payment(id)).toMatchObject({ status: 'failed' })
  })

  it('change nothing if the sender has recorded an outcome in the meantime', async () => {
    const { payment, end, paymentHash } = await slow()
    world.node.found = async () => {
      end(world.node.paid(paymentHash))
      const { id } = await payment()
      await world.until(async () => (await world.payment(id)).status === 'completed')
      return IN_FLIGHT
    }
    await world.pass(31_000, 15_500)
    const { id } = await payment()
    expect(await world.payment(id)).toMatchObject({ status: 'completed', attempts: 0, nextLookUpAt: null })
  })

  it('include payments from before the start of the service', async () => {
    const { id, paymentHash } = await lost()
    const { parts } = world.service
    await parts.sender.close()
    world.node.found = async () => IN_FLIGHT
    const resolver = new Resolver(parts, () => false)
    await resolver.start()
    world.node.found = async () => world.node.paid(paymentHash)
    await world.pass(10_000)
    expect(await world.payment(id)).toMatchObject({ status: 'completed' })
    await resolver.close()
  })

  it('include payments that belong to no process, as in a single-process book', async () => {
    const { id, paymentHash } = await lost()
    const { parts } = world.service
    await parts.sender.close()
    await parts.ledger.commit({ write: (tx) => tx.payment.updateMany({ where: { id }, data: { sender: null } }) })
    world.node.found = async () => world.node.paid(paymentHash)
    const resolver = new Resolver(parts, () => false)
    await resolver.start()
    await world.pass(10_000)
    expect(await world.payment(id)).toMatchObject({ status: 'completed' })
    await resolver.close()
  })

  it('do not record an outcome that arrives while the sender is closing', async () => {
    const { id, paymentHash } = await lost()
    const found = Promise.withResolvers<PaymentLookUp>()
    world.node.found = () => found.promise
    await world.clock.advance(1_000)
    await world.until(() => world.node.lookUps.length === 1)
    const closing = world.service.parts.sender.close()
    found.resolve(world.node.paid(paymentHash))
    await closing
    expect(await world.payment(id)).toMatchObject({ status: 'unknown' })
  })

  it('continue a minute after a failure to read the database', async () => {
    const { id } = await lost()
    const { database } = world.service.parts
    const { read } = database
    const payment = { findMany: () => Promise.reject(new Error('disk I/O error')) }
    Object.assign(database, { read: { payment } })
    await world.clock.advance(1_000)
    Object.assign(database, { read })
    const why = expect.objectContaining({ message: 'disk I/O error' })
    expect(world.log).toContainEqual(expect.objectContaining({ level: 'error', err: why, msg: LOOK_UPS_FAILED }))
    world.node.found = async (hash) => world.node.paid(hash)
    await world.pass(59_000, 59_000)
    expect(world.node.lookUps).toEqual([])
    await world.pass(2_000)
    expect(await world.payment(id)).toMatchObject({ status: 'completed' })
  })

  it('do not release the hold of a payment that is about to be marked as sending', async () => {
    const { ledger } = world.service.parts
    const { commit } = ledger
    const disk = Promise.withResolvers<void>()
    let commits = 0
    const slowSecond = async (change: Parameters<typeof commit>[0]) => {
      commits += 1
      if (commits === 2) await disk.promise
      return commit.call(ledger, change)
    }
    Object.assign(ledger, { commit: slowSecond })
    const { answer } = pay()
    await world.until(() => commits === 2)
    await world.pass(62_000, 31_000)
    expect(await world.held(project.holder)).toBe(sats(110))
    disk.resolve()
    expect((await answer).body.data.status).toBe('completed')
  })

  it('accept the failure of a second payment with the same hash only after a minute', async () => {
    world.node.answer = async () => failed('no route')
    const { invoice } = world.node.foreignInvoice({ amount: sats(100) })
    const send = async () => (await world.call(project, 'sendPayment', { body: { invoice } })).body.data.id
    await send()
    world.node.answer = () => Promise.reject(new Error('connection lost'))
    world.node.found = async () => failed('the way was too long', 'timed_out')
    const id = await send()
    await world.pass(60_000, 10_000)
    expect(await world.payment(id)).toMatchObject({ status: 'unknown' })
    await world.pass(10_000)
    const why = { failure: 'the way was too long', failureCode: 'timed_out' }
    expect(await world.payment(id)).toMatchObject({ status: 'failed', ...why })
  })

  it('are logged with the known facts if they fail or take more than 10 seconds', async () => {
    const { id } = await lost()
    world.node.found = () => Promise.reject(new Error('connection refused'))
    await world.pass(1_000)
    world.node.found = () => new Promise(() => undefined)
    await world.pass(13_000)
    const noted = (evidence: RegExp) => {
      const found = { state: 'unknown', evidence: expect.stringMatching(evidence) }
      return expect.objectContaining({ payment: id, found, msg: 'a payment has no end yet' })
    }
    expect(world.log).toContainEqual(noted(/connection refused/))
    expect(world.log).toContainEqual(noted(/did not answer the look-up/))
  })

  it('begin with the payments that have been due longest, 16 at a time', async () => {
    world.node.found = async () => IN_FLIGHT
    const payments: Awaited<ReturnType<typeof lost>>[] = []
    for (let i = 0; i < 20; i += 1) payments.push(await lost())
    await world.service.parts.sender.close()
    const { write } = world.service.parts.database
    // The last ones are due first.
    for (const [at, { id }] of payments.entries()) {
      const nextLookUpAt = new Date(world.clock.now() - at * 1_000)
      await write.payment.update({ where: { id }, data: { nextLookUpAt } })
    }
    const resolver = new Resolver(world.service.parts, () => false)
    resolver.expect(world.clock.now())
    await world.clock.advance(0)
    await world.until(() => world.node.lookUps.length >= 16)
    await resolver.close()
    const longest = payments.slice(4).toReversed()
    expect(world.node.lookUps).toEqual(longest.map(({ paymentHash }) => paymentHash))
  })

  it('continue on schedule after a look-up that finds no outcome', async () => {
    world.node.found = async () => IN_FLIGHT
    await lost()
    const asked: number[] = []
    for (let second = 1; second <= 24; second += 1) {
      await world.pass(1_000)
      asked.push(world.node.lookUps.length)
    }
    // Pauses of 1, 1, 2, 5 and 15 seconds.
    const changed = asked.flatMap((count, at) => (count === (asked[at - 1] ?? 0) ? [] : [at + 1]))
    expect(changed).toEqual([1, 2, 4, 9, 24])
  })

  it('do not start once the sender is closed', async () => {
    await lost()
    const sender = createSender(world.service.parts)
    await sender.close()
    await sender.start()
    expect(world.node.lookUps).toEqual([])
  })

  it('check each open payment once at the start, 16 at a time', async () => {
    const { parts } = world.service
    const payments = Array.from({ length: 20 }, () => {
      const { invoice, paymentHash } = world.node.foreignInvoice({ amount: sats(100) })
      const about = { kind: 'invoice', payer: project.holder, paymentHash, invoice } as const
      return { ...newPayment(parts, { ...about, amount: sats(100), maxFee: sats(10) }), status: 'sending' }
    })
    await Promise.all(payments.map((payment) => parts.ledger.commit(reserve(project.holder, payment))))
    let asking = 0
    let most = 0
    world.node.found = async (hash) => {
      asking += 1
      most = Math.max(most, asking)
      await new Promise((resolve) => setImmediate(resolve))
      asking -= 1
      return world.node.paid(hash)
    }
    await world.kill()
    expect(most).toBe(16)
    expect(world.node.lookUps.toSorted()).toEqual(payments.map(({ paymentHash }) => paymentHash).toSorted())
    expect(await world.balance(project.holder)).toBe(sats(10_000 - 20 * 101))
  })
})
