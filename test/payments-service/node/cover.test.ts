import { beforeEach, describe, expect, it } from 'vitest'
import { msats, sats } from '../../../src/lib/money/amount.ts'
import { compareHistories } from '../../../src/payments-service/node-audit/compare-histories.ts'
import { compareWithNode, type ReadBook } from '../../../src/payments-service/node-audit/compare-with-node.ts'
import { failed } from '../scripted-node.ts'
import { type Project, SendingWorld } from '../sending-world.ts'

let world: SendingWorld
let project: Project

beforeEach(async () => {
  world = await new SendingWorld().start()
  project = await world.project(sats(10_000))
})
const read: ReadBook = (look) => look(world.service.parts.database.read)
const parts = () => ({ read, backend: world.service.parts.backend })
const compare = () => compareWithNode(parts())
const histories = () => compareHistories(parts())
const pay = (amount = sats(100)) => {
  const { invoice, paymentHash } = world.node.foreignInvoice({ amount })
  return world.call(project, 'sendPayment', { body: { invoice } }).then(({ body }) => ({ paymentHash, ...body.data }))
}
const alerts = () => world.alerts().filter((alert) => alert !== 'payment_unknown')

describe('a comparison of the book with the node', () => {
  it('finds nothing if both sides match, and counts a surplus as the operator’s', async () => {
    world.node.holds = { settled: sats(10_000), inFlight: msats(0) }
    expect(await compare()).toMatchObject({ booked: 10_000_000n, holds: 10_000_000n, short: 0n, beyond: 0n })
    world.node.holds = { settled: sats(12_000) }
    expect(await compare()).toMatchObject({ short: 0n, beyond: 2_000_000n })
  })

  it('returns the number of missing sats', async () => {
    world.node.holds = { settled: sats(9_000) }
    expect(await compare()).toMatchObject({ short: 1_000_000n, withdrawable: 10_000_000n })
  })

  it('allows exactly for the node’s reserve for closing channels', async () => {
    world.node.holds = { settled: sats(9_990), commitFees: sats(10) }
    expect((await compare()).short).toBe(0n)
    world.node.holds = { settled: msats(sats(9_990) - 1n), commitFees: sats(10) }
    expect((await compare()).short).toBe(1n)
  })

  it('counts a payment in flight once, before and after the node lists its outcome', async () => {
    const land = world.node.hang()
    const paying = pay()
    await world.until(() => world.node.calls.length === 1)
    // 100 sats and at most 10 of fee: under way at the node, …
    world.node.holds = { settled: sats(9_899), inFlight: sats(101) }
    expect(await compare()).toMatchObject({ short: 0n, beyond: 0n })
    // … which explains nothing else that is missing: amount and fee limit are 110, of which the node tells 101.
    world.node.holds = { settled: sats(9_880), inFlight: sats(101) }
    expect((await compare()).short).toBe(10_000n)
    // … or over there, and not recorded here …
    world.node.holds = { settled: sats(9_899), inFlight: msats(0) }
    expect((await compare()).short).toBe(0n)
    // … which explains no more than amount and fee limit.
    world.node.holds = { settled: sats(9_889), inFlight: msats(0) }
    expect((await compare()).short).toBe(1_000n)
    land(world.node.paid(world.node.calls[0]?.paymentHash ?? ''))
    await paying
  })

  it('allows for fees that the node did not report, up to what the payers were charged', async () => {
    world.node.answer = async ({ paymentHash }) => ({ ...world.node.paid(paymentHash), fee: undefined }) as never
    await pay()
    world.node.holds = { settled: sats(9_890) }
    expect(await compare()).toMatchObject({ booked: 9_900_000n, untoldFees: 10_000n, short: 0n })
    world.node.holds = { settled: sats(9_889) }
    expect((await compare()).short).toBe(1_000n)
  })
})

describe('a comparison of payments and invoices', () => {
  beforeEach(() => {
    world.node.found = async (hash) => world.node.paid(hash)
  })

  it('finds no difference if both sides report the same', async () => {
    await pay()
    expect(await histories()).toEqual([])
  })

  it('finds a payment that the book records as paid but the node does not', async () => {
    const { id } = await pay()
    world.node.found = async () => ({ state: 'absent' })
    expect(await histories()).toEqual([
      { what: 'payment', id, text: expect.stringMatching(/was paid; the node has no record of it/) },
    ])
  })

  it('finds a payment whose sats the book returned although the node paid it', async () => {
    world.node.answer = async () => failed('no route')
    const { id } = await pay()
    expect(await histories()).toEqual([
      {
        what: 'payment',
        id,
        text: expect.stringMatching(/failed, and gave the sats back; the node says that it was paid/),
      },
    ])
  })

  it('finds an invoice that was credited but not paid at the node', async () => {
    await world.user('alice')
    const made = await world.call(project, 'createGamertagCharge', { body: { amount: '5000', gamertag: 'alice' } })
    const { invoiceRequest } = made.body.data
    const { database, ledger } = world.service.parts
    const where = { request: invoiceRequest }
    await ledger.commit({
      write: (tx) =>
        tx.invoice.updateMany({
          where,
          data: { status: 'settled', receivedAmount: 5_000n, settledBy: '1', nextLookUpAt: null },
        }),
    })
    const { paymentHash } = await database.read.invoice.findFirstOrThrow({ where })
    expect(await histories()).toEqual([
      {
        what: 'invoice',
        id: paymentHash,
        text: expect.stringMatching(/credited 5000 msats .*; the node says that it is open/),
      },
    ])
  })

  it.each([
    ['more', 4_999n],
    ['less', 5_001n],
  ])('finds an invoice credited with %s than the node received', async (_, received) => {
    await world.user('alice')
    const made = await world.call(project, 'createGamertagCharge', { body: { amount: '5000', gamertag: 'alice' } })
    const where = { request: made.body.data.invoiceRequest }
    const data = { status: 'settled', receivedAmount: 5_000n, settledBy: '1', nextLookUpAt: null }
    await world.service.parts.ledger.commit({ write: (tx) => tx.invoice.updateMany({ where, data }) })
    const settledAt = new Date(world.clock.now())
    world.node.lookUpInvoice = async () => ({ state: 'settled', received: msats(received), settledAt })
    expect(await histories()).toMatchObject([{ what: 'invoice', text: expect.stringContaining(`credited 5000 msats`) }])
    expect((await histories())[0]?.text).toContain(`the node says ${received} msats`)
  })

  it('finds and names a payment that the node sent outside the book', async () => {
    const own = await pay()
    const at = new Date(world.clock.now())
    const before = new Date(at.getTime() - 1)
    const sent = (paymentHash: string, when = at) => ({ paymentHash, amount: sats(7), at: when })
    world.node.sentPayments = async () => [sent(own.paymentHash), sent('ab'.repeat(32)), sent('cd'.repeat(32), before)]
    await world.kill()
    world.node.sentPayments = async () => [sent(own.paymentHash), sent('ab'.repeat(32)), sent('cd'.repeat(32), before)]
    const found = await compareHistories({ ...parts(), backend: world.node })
    expect(found.filter(({ onlyNode }) => onlyNode)).toMatchObject([{ id: 'ab'.repeat(32), onlyNode: true }])
  })
})

describe('an alert to operators', () => {
  it('is raised if two checks find sats missing, and is not repeated within an hour', async () => {
    world.node.holds = { settled: sats(9_000), spendable: sats(20_000) }
    await world.pass(660_000, 60_000)
    expect(alerts()).toEqual([])
    await world.pass(600_000, 60_000)
    expect(alerts()).toEqual(['node_short'])
    await world.pass(3_600_000, 300_000)
    expect(alerts()).toEqual(['node_short'])
    expect(JSON.stringify(world.log)).toContain('1,000 sats are missing that nothing explains')
  })

  it('is raised if wallets hold more than the node can send', async () => {
    world.node.holds = { settled: sats(10_000), spendable: sats(9_999) }
    await world.pass(660_000, 60_000)
    expect(alerts()).toEqual(['low_liquidity'])
    expect(JSON.stringify(world.log)).toContain('can send 9,999 sats, and wallets hold 10,000')
  })

  it('is raised for a payment that ended differently at the node', async () => {
    world.node.holds = { settled: sats(20_000), spendable: sats(20_000) }
    await pay()
    world.node.found = async () => ({ state: 'absent' })
    await world.pass(1_260_000, 60_000)
    expect(alerts()).toEqual(['node_disagrees'])
  })

  it('is not raised while the book and the node agree', async () => {
    world.node.holds = { settled: sats(20_000), spendable: sats(10_000) }
    await world.pass(1_860_000, 60_000)
    expect(alerts()).toEqual([])
  })
})
