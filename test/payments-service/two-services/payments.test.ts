import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { failed } from '../scripted-node.ts'
import { type Neighbour, Neighbours } from './neighbours.ts'

let world: Neighbours
let a: Neighbour
let b: Neighbour

beforeEach(async () => {
  world = await Neighbours.open()
  ;[a, b] = world.all as [Neighbour, Neighbour]
})

afterEach(() => world.close())

const ALL = { wallet: sats(10_000), held: 0n }
const HELD = { wallet: sats(8_990), held: sats(1_010) }
const PAID = { wallet: sats(8_999), held: 0n }

const MINUTE = 60_000

describe('a payment that another service handles', () => {
  it('stays with that service while the service lives, even if others start meanwhile', async () => {
    const { payment, end } = await world.beginToSend(a)
    const c = await world.join()
    await world.pass(4 * MINUTE, world.all, 5_000)
    expect(await world.payment(payment.id)).toMatchObject({ status: 'sending' })
    expect(await world.funds()).toEqual(HELD)
    end(world.node.paid(payment.paymentHash))
    await world.pass(5_000)
    expect(await world.payment(payment.id)).toMatchObject({ status: 'completed' })
    expect(await world.funds()).toEqual(PAID)
    expect([...b.log, ...c.log].filter(({ level }) => level === 'error')).toEqual([])
  })

  it('if not yet marked as sending, is returned only after that service has died', async () => {
    const payment = await world.hold(a)
    await world.join()
    await world.pass(2 * MINUTE, [b, world.all[2] as Neighbour])
    // Nothing was heard of the first for two minutes, so it is gone. Another hold of one that lives:
    expect(await world.payment(payment.id)).toMatchObject({ status: 'failed' })
    const next = await world.hold(b)
    await world.join()
    await world.pass(50_000, world.all.slice(1))
    expect(await world.payment(next.id)).toMatchObject({ status: 'held', sender: b.service.parts.ownership.me })
    expect(await b.service.parts.sender.send(next)).toMatchObject({ status: 'completed' })
  })

  it('is not taken over while that service lives, even if the clocks differ by minutes', async () => {
    const { payment, end } = await world.beginToSend(a)
    await world.join({ wallMs: 7 * MINUTE })
    await world.join({ wallMs: -7 * MINUTE })
    await world.pass(2 * MINUTE, world.all, 5_000)
    const { me: holder } = a.service.parts.ownership
    expect(await world.payment(payment.id)).toMatchObject({ status: 'sending', sender: holder })
    end(failed('no route'))
    await world.pass(5_000)
    expect(await world.funds()).toEqual(ALL)
  })
})

describe('a payment of a dead service', () => {
  it('is taken over after 30 s of silence, and ends with the node’s proven outcome', async () => {
    const { payment } = await world.beginToSend(a)
    await world.pass(25_000, [b])
    expect(await world.payment(payment.id)).toMatchObject({ sender: a.service.parts.ownership.me })
    world.node.found = async (hash) => world.node.paid(hash)
    await world.pass(20_000, [b])
    const { me: holder } = b.service.parts.ownership
    expect(await world.payment(payment.id)).toMatchObject({ status: 'completed', sender: holder })
    expect(await world.funds()).toEqual(PAID)
  })

  it('is returned only after the node has denied it for longer than a call can freeze', async () => {
    const { payment } = await world.beginToSend(a)
    await world.pass(10 * MINUTE, [b], 10_000)
    expect(await world.payment(payment.id)).toMatchObject({ status: 'unknown' })
    expect(await world.funds()).toEqual(HELD)
    await world.pass(3 * MINUTE, [b], 10_000)
    expect(await world.payment(payment.id)).toMatchObject({ status: 'failed' })
    expect(await world.funds()).toEqual(ALL)
  })

  it('is returned after 30 s of silence if it was never marked as sending', async () => {
    const payment = await world.hold(a)
    await world.pass(25_000, [b])
    expect(await world.funds()).toEqual(HELD)
    await world.pass(20_000, [b])
    expect(await world.payment(payment.id)).toMatchObject({ status: 'failed' })
    expect(await world.funds()).toEqual(ALL)
  })

  it('is taken over by only one of the remaining services', async () => {
    const c = await world.join()
    const { payment } = await world.beginToSend(a)
    world.node.found = async () => ({ state: 'pending', evidence: 'in flight' })
    await world.pass(MINUTE, [b, c], 5_000)
    const took = [b, c].filter(({ log }) => log.some(({ msg }) => /open payments .* taken over/.test(String(msg))))
    expect(took).toHaveLength(1)
    expect(await world.payment(payment.id)).toMatchObject({ sender: took[0]?.service.parts.ownership.me })
  })

  it('is taken over within 10 s if the service stopped cleanly', async () => {
    const { payment } = await world.beginToSend(a)
    await a.clock.advanceUntil(a.service.close())
    world.node.found = async (hash) => world.node.paid(hash)
    await world.pass(10_000, [b])
    expect(await world.payment(payment.id)).toMatchObject({ status: 'completed' })
  })
})

describe('a service that restarts after a kill', () => {
  it('resumes its own earlier payments immediately, but not those of another service', async () => {
    const { payment, end } = await world.beginToSend(a)
    const mine = await world.hold(a)
    const others = await world.hold(b)
    const noted: string[] = []
    const lastOwner = { id: a.service.parts.ownership.me, note: (id: string) => void noted.push(id) }
    const again = await world.join({ lastOwner })
    await world.until(async () => (await world.payment(mine.id)).status === 'failed')
    const { me: holder } = again.service.parts.ownership
    expect(noted).toEqual([holder])
    // What was never marked has gone back. What the node may have is asked for, and belongs to nobody else meanwhile.
    expect(await world.payment(payment.id)).toMatchObject({ status: 'unknown', sender: holder })
    expect(await world.payment(others.id)).toMatchObject({ status: 'held', sender: b.service.parts.ownership.me })
    end(world.node.paid(payment.paymentHash))
    await world.pass(MINUTE, [b, again])
    expect(await world.payment(payment.id)).toMatchObject({ status: 'completed' })
  })
})

describe('a service that resumes after a freeze', () => {
  /** Freezes the process for a quarter of an hour right after its next commit, while the other processes continue. */
  function freezeAfterCommit({ service, clock }: Neighbour): void {
    const { ledger } = service.parts
    const { commit } = ledger
    Object.assign(ledger, {
      commit: async (change: Parameters<typeof commit>[0]) => {
        Object.assign(ledger, { commit })
        const written = await commit.call(ledger, change)
        await world.pass(15 * MINUTE, [b], 10_000)
        clock.freeze(15 * MINUTE)
        return written
      },
    })
  }

  it('does not send a payment that was marked as sending but returned meanwhile', async () => {
    const payment = await world.hold(a)
    freezeAfterCommit(a)
    await a.service.parts.sender.send(payment)
    expect(world.node.calls).toEqual([])
    expect(await world.payment(payment.id)).toMatchObject({ status: 'failed' })
    expect(await world.funds()).toEqual(ALL)
  })

  it('does not send a held payment that another service has taken over', async () => {
    const payment = await world.hold(a)
    await world.pass(28_000, [b])
    await world.database.write.payment.update({
      where: { id: payment.id },
      data: { sender: b.service.parts.ownership.me },
    })
    expect(await a.service.parts.sender.send(payment)).toMatchObject({ status: 'held' })
    expect(world.node.calls).toEqual([])
  })

  it('does not send a held payment once its own lease is gone', async () => {
    const payment = await world.hold(a)
    const name = `process:${a.service.parts.ownership.me}`
    await world.database.write.lease.delete({ where: { name } })
    expect(await a.service.parts.sender.send(payment)).toMatchObject({ status: 'held' })
    expect(world.node.calls).toEqual([])
  })

  it('records no failure of a payment that another service has taken over', async () => {
    const first = await world.beginToSend(a)
    world.node.found = async () => ({ state: 'pending', evidence: 'in flight' })
    await world.pass(MINUTE, [b])
    first.end(failed('no route'))
    await world.idle()
    expect(await world.payment(first.payment.id)).toMatchObject({ status: 'unknown' })
    expect(await world.funds()).toEqual(HELD)
    world.node.found = async (hash) => world.node.paid(hash)
    await world.pass(MINUTE, [b])
    expect(await world.funds()).toEqual(PAID)
  })

  it('refuses to send until it has a new lease', async () => {
    const before = a.service.parts.ownership.me
    await world.pass(MINUTE, [b])
    a.clock.freeze(MINUTE)
    const body = { invoice: world.node.foreignInvoice({ amount: sats(1_000) }).invoice }
    const refused = await world.call(a, 'POST', '/v0/payments', body)
    expect(refused).toMatchObject({ status: 503, body: { code: 'nothing_sent' } })
    await world.pass(10_000)
    expect(a.service.parts.ownership.me).not.toBe(before)
    expect(a.log).toContainEqual(expect.objectContaining({ alert: 'lease_lost' }))
    expect(await world.call(a, 'POST', '/v0/payments', body)).toMatchObject({ status: 200 })
  })

  it('begins to wait again after “not found” if another service took over the payment', async () => {
    const { payment, end } = await world.beginToSend(a)
    end(new Error('connection lost'))
    await world.pass(20_000)
    expect(await world.payment(payment.id)).toMatchObject({ status: 'unknown', absentSince: expect.any(Date) })
    await world.database.write.payment.update({ where: { id: payment.id }, data: { absentSince: null } })
    await world.pass(50_000)
    expect(await world.payment(payment.id)).toMatchObject({ status: 'unknown' })
    await world.pass(70_000)
    expect(await world.payment(payment.id)).toMatchObject({ status: 'failed' })
  })
})

describe('a service that cannot reach its books', () => {
  it('sends no payment, since another service may have taken over its payments', async () => {
    const body = { invoice: world.node.foreignInvoice({ amount: sats(1_000) }).invoice }
    a.disk.full = true
    await world.pass(22_500)
    a.disk.full = false
    expect(await world.call(a, 'POST', '/v0/payments', body)).toMatchObject({ status: 503 })
    await world.pass(10_000)
    expect(await world.call(a, 'POST', '/v0/payments', body)).toMatchObject({ status: 200 })
  })
})

describe('the fencing number of a lease', () => {
  it('only grows, and the database refuses a lower number', async () => {
    const name = `process:${a.service.parts.ownership.me}`
    await world.pass(10_000)
    const lower = world.database.write.lease.update({ where: { name }, data: { fence: 1 } })
    await expect(lower).rejects.toThrow()
    expect(await world.database.read.lease.findUnique({ where: { name } })).toMatchObject({ fence: 3 })
  })
})
