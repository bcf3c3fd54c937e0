import { beforeEach, describe, expect, it } from 'vitest'
import { decodeLnurl } from '../../../src/lib/lightning/lnurl.ts'
import { type Msats, msats, sats } from '../../../src/lib/money/amount.ts'
import type { NodeHealth } from '../../../src/payments-service/backends/backend.ts'
import { type Project, SendingWorld } from '../sending-world.ts'

let world: SendingWorld
let project: Project

beforeEach(async () => {
  world = await new SendingWorld().start()
  project = await world.project(sats(10_000))
  await world.user('alice')
})
type Down = Exclude<NodeHealth['state'], 'ready'>

/** Changes the node's health, and waits until the service has noticed. */
async function becomes(healthNow: NodeHealth | undefined): Promise<void> {
  world.node.healthNow = healthNow
  await world.pass(31_000, 10_000)
}
const down = (state: Down) => becomes({ state, reason: `secret-address says ${state}.` })
const pay = (amount = sats(100)) =>
  world.call(project, 'sendPayment', { body: { invoice: world.node.foreignInvoice({ amount }).invoice } })
const keysend = () =>
  world.call(project, 'sendKeysendPayment', { body: { amount: '100000', pubkey: `02${'ab'.repeat(32)}` } })
const charge = (amount: Msats) =>
  world.call(project, 'createGamertagCharge', { body: { amount: `${amount}`, gamertag: 'alice' } })
const code = (minAmount: Msats, maxAmount: Msats) =>
  world.call(project, 'createStaticCharge', {
    body: { minAmount: `${minAmount}`, maxAmount: `${maxAmount}`, description: 'a coffee' },
  })
const countPayments = () => world.service.parts.database.read.payment.count()

async function figures(): Promise<string> {
  const response = await fetch(`${world.service.url}/metrics`)
  return await response.text()
}

describe('while the node is unusable', () => {
  it.each<[Down, string]>([
    ['away', 'does not answer'],
    ['starting', 'is starting, or waits to be unlocked'],
    ['syncing', 'is behind the chain'],
    ['refused', 'does not let this service in'],
  ])('(%s) payments and invoices are refused with a reason and reserve no sats', async (state, words) => {
    await down(state)
    for (const answer of [await pay(), await keysend(), await charge(sats(10))]) {
      expect(answer).toMatchObject({ status: 503, body: { code: 'nothing_sent' } })
      expect(answer.body.message).toContain(words)
      // Addresses and settings are for operators.
      expect(answer.body.message).not.toContain('secret-address')
      expect(answer.headers.get('retry-after')).toBe('30')
    }
    expect([await countPayments(), await world.balance(project.holder), world.node.calls]).toEqual([0, 10_000_000n, []])
    await becomes(undefined)
    expect((await pay()).status).toBe(200)
  })

  it.each<[Down, string]>([
    ['away', 'away'],
    ['starting', 'starting'],
    ['syncing', 'syncing'],
    ['refused', 'away'],
  ])('(%s) Get Wallet reports the node as unusable without stating the reason', async (state, told) => {
    await down(state)
    const answer = await world.call(project, 'getWallet', {})
    expect(answer.body.data).toMatchObject({ balance: '10000000', node: { state: told } })
    expect(JSON.stringify(answer.body)).not.toContain('secret-address')
    await becomes(undefined)
    expect((await world.call(project, 'getWallet', {})).body.data.node).toEqual({ state: 'ready' })
  })

  it('/ready shows operators the reason, and /metrics the age of the last answer', async () => {
    await down('starting')
    const ready = await world.fetch('/ready')
    expect(ready).toMatchObject({ status: 503, body: { message: 'secret-address says starting.' } })
    const text = await figures()
    expect(text).toContain('satchel_node_up 0')
    expect(Number(/^satchel_node_last_answer_age_seconds (\S+)/m.exec(text)?.[1])).toBeGreaterThanOrEqual(10)
  })

  it('operators are alerted after two minutes, every hour and when the node returns', async () => {
    await down('away')
    expect(world.alerts()).toEqual([])
    await world.pass(120_000, 10_000)
    expect(world.alerts()).toEqual(['node_away'])
    await world.pass(3_500_000, 100_000)
    expect(world.alerts()).toEqual(['node_away'])
    await world.pass(200_000, 50_000)
    expect(world.alerts()).toEqual(['node_away', 'node_away'])
    await becomes(undefined)
    expect(world.alerts()).toEqual(['node_away', 'node_away', 'node_back'])
    expect(JSON.stringify(world.log)).toContain('secret-address says away.')
  })

  it('no alert is raised if the node returns before two minutes have passed', async () => {
    await down('away')
    await becomes(undefined)
    await world.pass(600_000, 60_000)
    expect(world.alerts()).toEqual([])
  })
})

describe('a node with too little liquidity', () => {
  async function holds(holds: { spendable?: Msats; receivable?: Msats }): Promise<void> {
    world.node.holds = holds
    await world.pass(31_000, 10_000)
  }

  it('makes the service refuse a payment, name the possible amount and reserve nothing', async () => {
    await holds({ spendable: sats(109) })
    const answer = await pay()
    expect(answer).toMatchObject({ status: 503, body: { code: 'nothing_sent' } })
    expect(answer.body.message).toContain('at most 109 sats, fees included')
    expect([await countPayments(), await world.balance(project.holder)]).toEqual([0, 10_000_000n])
    await holds({ spendable: sats(110) })
    expect((await pay()).status).toBe(200)
  })

  it('pays with sats that arrived after it last reported its figures', async () => {
    await holds({ spendable: sats(5) })
    world.node.holds = { spendable: sats(500) }
    await world.pass(2_000)
    expect((await pay()).status).toBe(200)
  })

  it('still leads to insufficient_funds if the payer has too few sats', async () => {
    await holds({ spendable: sats(5) })
    expect((await pay(sats(20_000))).body.code).toBe('insufficient_funds')
  })

  it('lets no invoice or code exceed its capacity and shows wallets the maximum', async () => {
    await holds({ receivable: sats(50) })
    for (const answer of [await charge(sats(51)), await code(sats(51), sats(60))]) {
      expect(answer).toMatchObject({ status: 400, body: { code: 'amount_too_high' } })
      expect(answer.body.message).toContain('can receive at most 50 sats')
    }
    expect((await charge(sats(50))).status).toBe(200)
    const { request } = (await code(sats(10), sats(60))).body.data.invoice
    const { pathname } = decodeLnurl(request, { allowLoopbackHttp: true })
    expect((await world.fetch(pathname)).body).toMatchObject({ minSendable: 10_000, maxSendable: 50_000 })
    const { body } = await world.fetch(`${pathname}/callback?amount=51000`)
    expect(body).toMatchObject({ status: 'ERROR', reason: expect.stringContaining('10 to 50') })
  })

  it('leaves a code’s minimum alone even if its capacity falls below that minimum', async () => {
    await holds({ receivable: sats(50) })
    const { request } = (await code(sats(10), sats(60))).body.data.invoice
    await holds({ receivable: sats(9) })
    const { pathname } = decodeLnurl(request, { allowLoopbackHttp: true })
    await world.pass(6_000)
    expect((await world.fetch(pathname)).body).toMatchObject({ minSendable: 10_000, maxSendable: 10_000 })
  })

  it('offers a code’s full range if its capacity equals the maximum', async () => {
    const { request } = (await code(sats(1), msats(9_500))).body.data.invoice
    await holds({ receivable: msats(9_500) })
    const { pathname } = decodeLnurl(request, { allowLoopbackHttp: true })
    expect((await world.fetch(pathname)).body).toMatchObject({ minSendable: 1_000, maxSendable: 9_500 })
  })

  it('is reported as unable to receive if its capacity to receive is 0', async () => {
    await holds({ receivable: sats(0) })
    expect((await charge(sats(1))).body.message).toContain('cannot receive anything right now')
  })

  it('lets every payment and invoice through if its capacity is unknown', async () => {
    await holds({})
    expect((await charge(sats(1_000_000))).status).toBe(200)
    expect((await pay()).status).toBe(200)
  })

  it('has no in-flight amount in the metrics if it reports none', async () => {
    await holds({ spendable: sats(109), receivable: sats(50) })
    const text = await figures()
    expect(text).toContain('satchel_node_up 1')
    expect(text).toContain('satchel_node_msats{amount="spendable"} 109000')
    expect(text).toContain('satchel_node_msats{amount="receivable"} 50000')
    expect(text).not.toContain('amount="in_flight"')
  })
})
