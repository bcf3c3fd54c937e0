import { beforeEach, expect, it } from 'vitest'
import { decodeInvoice } from '../../src/lib/lightning/bolt11.ts'
import { msats, sats } from '../../src/lib/money/amount.ts'
import { SUSPENSE } from '../../src/payments-service/core/chart-of-accounts.ts'
import { creditSettlement } from '../../src/payments-service/receiving/settlement-consumer.ts'
import { CallbackReceiver } from './callback-receiver.ts'
import { ServiceWorld, type TestProject } from './harness.ts'

let world: ServiceWorld
let project: TestProject
let alice: string

beforeEach(async () => {
  world = await ServiceWorld.open()
  project = await world.project()
  alice = await world.user('alice')
})
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const database = () => world.service.parts.database.read

/**
 * Lets this much time pass: all but the last hour in one leap, and the last hour step by step, with its hourly round.
 */
async function pass(ms: number): Promise<void> {
  await world.leap(ms - HOUR_MS)
  await world.clock.advance(HOUR_MS)
}

/** Creates an invoice as anybody can, through alice's Lightning Address. */
async function publicInvoice(amount = 5_000): Promise<{ request: string; paymentHash: string }> {
  const { json } = await world.raw('GET', `/.well-known/lnurlp/alice/callback?amount=${amount}`)
  return { request: json.pr, paymentHash: decodeInvoice(json.pr).paymentHash }
}

const statusOf = async (paymentHash: string) =>
  (await database().invoice.findUnique({ where: { paymentHash } }))?.status
const isGone = async (paymentHash: string) => (await statusOf(paymentHash)) === undefined

async function expire(paymentHash: string): Promise<void> {
  await world.clock.advance(150_000)
  await world.until(async () => (await statusOf(paymentHash)) === 'closed')
}

/** Reports a late payment of the invoice, as the node does. */
function settle(paymentHash: string): Promise<void> {
  return creditSettlement(world.service.parts, {
    cursor: `late-${paymentHash}`,
    paymentHash,
    received: msats(5_000),
    preimage: '00'.repeat(32),
    settledAt: new Date(world.clock.now()),
    keysend: false,
  })
}

it('a settlement goes to suspense if its invoice expired more than a day earlier', async () => {
  const [first, second] = [await publicInvoice(), await publicInvoice()]
  await expire(first.paymentHash)
  await pass(20 * HOUR_MS)
  await settle(first.paymentHash)
  expect(await world.balance({ kind: 'user', id: alice })).toBe(5_000n)
  await pass(5 * HOUR_MS)
  await world.until(() => isGone(second.paymentHash))
  await settle(second.paymentHash)
  expect(await world.balance({ kind: 'user', id: alice })).toBe(5_000n)
  expect(await world.service.parts.ledger.balance(SUSPENSE)).toBe(5_000n)
  expect(await statusOf(first.paymentHash)).toBe('settled')
})

it('a flood of requests to an address or a static charge leaves no rows behind', async () => {
  const body = { minAmount: '5000', maxAmount: '5000', description: 'a coffee' }
  const { json } = await world.raw('POST', '/v0/static-charges', { apiKey: project.apiKey, body })
  await world.raw('GET', `/v0/request-static-charges/${json.data.id}/callback?amount=5000`)
  const { paymentHash } = await publicInvoice()
  await expire(paymentHash)
  const like = await database().invoice.findUniqueOrThrow({ where: { paymentHash } })
  const flood = Array.from({ length: 650 }, (_, at) => ({ ...like, paymentHash: `hash-${at}`, request: `lnbcrt${at}` }))
  await world.service.parts.ledger.commit({ write: async (tx) => void (await tx.invoice.createMany({ data: flood })) })
  await pass(26 * HOUR_MS)
  await world.until(async () => (await database().invoice.count()) === 0)
})

it('a clock set forward or back does not cause a record to be deleted early', async () => {
  const { paymentHash } = await publicInvoice()
  await expire(paymentHash)
  world.clock.jump(365 * DAY_MS)
  await world.clock.advance(HOUR_MS)
  expect(await statusOf(paymentHash)).toBe('closed')
  world.clock.jump(-365 * DAY_MS)
  await world.clock.advance(3 * HOUR_MS)
  expect(await statusOf(paymentHash)).toBe('closed')
})

it('a callback is deleted a week after its delivery and kept if undelivered', async () => {
  const receiver = await CallbackReceiver.open()
  const charge = (path: string) =>
    project.client.createGamertagCharge({ amount: sats(1), gamertag: 'alice', callbackUrl: receiver.url(path) })
  const pay = async (path: string) => void (await world.sandbox.outside.pay((await charge(path)).data.invoiceRequest))
  const stateOf = async (path: string) => {
    const row = await database().callback.findFirst({ where: { url: receiver.url(path) } })
    return row === null ? 'gone' : row.deliveredAt === null ? 'undelivered' : 'delivered'
  }
  receiver.answer = ({ path }) => (path === '/dead' ? 500 : 204)
  await pay('/early')
  await pay('/dead')
  await world.until(async () => (await stateOf('/early')) === 'delivered')
  await pass(6 * DAY_MS)
  await pay('/late')
  await world.until(async () => (await stateOf('/late')) === 'delivered')
  await pass(DAY_MS + HOUR_MS)
  await world.until(async () => (await stateOf('/early')) === 'gone')
  expect(await stateOf('/late')).toBe('delivered')
  expect(await stateOf('/dead')).toBe('undelivered')
  expect(await world.administration.listCallbacks()).toHaveLength(1)
  await receiver.close()
})
