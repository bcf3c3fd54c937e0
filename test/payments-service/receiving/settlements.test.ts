import { beforeEach, expect, it } from 'vitest'
import { decodeInvoice } from '../../../src/lib/lightning/bolt11.ts'
import { createLogger } from '../../../src/lib/logger.ts'
import { msats, sats } from '../../../src/lib/money/amount.ts'
import type { Settlement } from '../../../src/payments-service/backends/backend.ts'
import { NODE, OPERATOR, SUSPENSE, wallet } from '../../../src/payments-service/core/chart-of-accounts.ts'
import type { OperatorAlert } from '../../../src/payments-service/core/operator-alerts.ts'
import { findInvoice } from '../../../src/payments-service/receiving/own-invoice.ts'
import { settleInside } from '../../../src/payments-service/receiving/settle-invoice.ts'
import { creditLookedUp, creditSettlement } from '../../../src/payments-service/receiving/settlement-consumer.ts'
import { ServiceWorld, type TestProject } from '../harness.ts'

let world: ServiceWorld
let project: TestProject
let alice: string

beforeEach(async () => {
  world = await ServiceWorld.open()
  project = await world.project(sats(1_000))
  alice = await world.user('alice')
})
async function charge(amount = '100000') {
  const body = { amount, gamertag: 'alice' }
  const { json } = await world.raw('POST', '/v0/gamertag/charges', { apiKey: project.apiKey, body })
  const { paymentHash } = decodeInvoice(json.data.invoiceRequest)
  return { id: json.data.id as string, request: json.data.invoiceRequest as string, paymentHash }
}
const settlement = (paymentHash: string, cursor: string, received = 100_000): Settlement => ({
  cursor,
  paymentHash,
  received: msats(received),
  preimage: '00'.repeat(32),
  settledAt: new Date(world.clock.now()),
  keysend: false,
})
const credit = (one: Settlement) => creditSettlement(world.service.parts, one)
const balanceOf = (account: { kind: string; owner: string }) => world.service.parts.ledger.balance(account)
const aliceHas = () => balanceOf(wallet({ kind: 'user', id: alice }))
const statusOf = async (id: string) =>
  (await world.service.parts.database.read.charge.findUnique({ where: { id } }))?.status
const cursor = async () => (await world.service.parts.database.read.cursor.findFirst())?.value
/** Starts the same service, with alerts and a log that the test reads. */
function overheard() {
  const [heard, lines]: [OperatorAlert[], Record<string, unknown>[]] = [[], []]
  const logger = createLogger({
    ...{ level: 'info', name: 'test' },
    destination: { write: (line: string) => void lines.push(JSON.parse(line)) },
  })
  const parts = { ...world.service.parts, logger, tell: (alert: OperatorAlert) => void heard.push(alert) }
  return { parts, heard, lines }
}
const unclaimed = () => world.service.parts.database.read.unclaimedReceipt.findMany({ orderBy: { reason: 'asc' } })

/** Pays an invoice of ours from the project's wallet, as Send Payment does. */
async function payInside(paymentHash: string) {
  const { parts } = world.service
  const invoice = await findInvoice(parts, paymentHash)
  if (invoice === undefined) throw new Error('not ours')
  const inside = settleInside(parts, invoice)
  const moves = [{ from: wallet({ kind: 'project', id: project.projectId }), to: inside.payee, amount: inside.amount }]
  await parts.ledger.commit({
    entries: [{ operation: parts.entropy.uuid(), step: 'post', moves }],
    write: (tx) => inside.write(tx),
  })
  inside.cancelAtNode()
}

it('a settlement with a wrong preimage raises an alert and keeps the known preimage', async () => {
  const { paymentHash } = await charge()
  const { parts, heard } = overheard()
  const known = 'ab'.repeat(32)
  await parts.ledger.commit({
    write: (tx) => tx.invoice.updateMany({ where: { paymentHash }, data: { preimage: known } }),
  })
  await creditSettlement(parts, settlement(paymentHash, 'c1'))
  const text = `The node says that the invoice ${paymentHash} was paid, with a preimage that does not match. It is credited all the same. Check the node: a working one does not do that.`
  expect(heard).toEqual([{ alert: 'wrong_preimage', text, fields: { paymentHash } }])
  expect(await aliceHas()).toBe(100_000n)
  expect(await findInvoice(parts, paymentHash)).toMatchObject({ status: 'settled', preimage: known })
})

it('the settlement cursor moves only forward, together with its time', async () => {
  const { database, ledger } = world.service.parts
  const saved = async () => {
    const { value, at } = await database.read.cursor.findUniqueOrThrow({ where: { backend: 'node' } })
    return [value, at.getTime()]
  }
  const first = world.clock.now()
  await credit(settlement('ab'.repeat(32), '5', 1))
  world.clock.freeze(1_000)
  await credit(settlement('cd'.repeat(32), '4', 2))
  expect(await saved()).toEqual(['5', first])
  const { paymentHash } = await charge()
  await credit(settlement(paymentHash, '6'))
  expect(await saved()).toEqual(['6', first + 1_000])
  expect([await aliceHas(), await ledger.balance(SUSPENSE)]).toEqual([100_000n, 3n])
  const where = { operation: { in: [`invoice:${paymentHash}`, `receipt:${'ab'.repeat(32)}`] } }
  expect((await database.read.entry.findMany({ where })).map(({ step }) => step)).toEqual(['post', 'post'])
})

it('a settlement is logged with the wallet that it credits', async () => {
  const { id: resource, paymentHash } = await charge()
  const { parts, lines } = overheard()
  await creditSettlement(parts, settlement(paymentHash, 'c1'))
  const about = { purpose: 'charge', resource, payee: `user:${alice}`, paymentHash, amount: '100000' }
  expect(lines).toContainEqual(expect.objectContaining({ level: 'info', msg: 'a payment has arrived', ...about }))
})

it('a settlement of more than the requested amount is credited in full', async () => {
  const { paymentHash } = await charge()
  const { parts, heard } = overheard()
  await creditSettlement(parts, settlement(paymentHash, 'c1', 100_500))
  expect([await aliceHas(), await balanceOf(OPERATOR)]).toEqual([100_500n, 0n])
  expect(heard.map(({ alert }) => alert)).toEqual(['wrong_preimage'])
})

it('a settlement that is reported twice simultaneously is booked once', async () => {
  const { paymentHash } = await charge()
  const known = settlement(paymentHash, 'c1')
  const unknown = settlement('cd'.repeat(32), 'c2', 5)
  await Promise.all([known, known, unknown, unknown].map(credit))
  expect([await aliceHas(), await balanceOf(SUSPENSE)]).toEqual([100_000n, 5n])
})

it('a settlement from before the book used its node counts only for a known invoice', async () => {
  const { paymentHash } = await charge()
  const before = { settledAt: new Date(world.clock.now() - 1) }
  await credit({ ...settlement('cd'.repeat(32), 'c1', 5), ...before })
  expect([await unclaimed(), await balanceOf(SUSPENSE), await cursor()]).toEqual([[], 0n, undefined])
  await credit({ ...settlement(paymentHash, 'c2'), ...before })
  expect([await aliceHas(), await cursor()]).toEqual([100_000n, 'c2'])
})

it('a settlement delivered twice is credited once', async () => {
  const { paymentHash } = await charge()
  await credit(settlement(paymentHash, 'c1'))
  await credit(settlement(paymentHash, 'c1'))
  expect(await aliceHas()).toBe(100_000n)
  expect(await balanceOf(SUSPENSE)).toBe(0n)
})

it('a settlement that is repeated under another cursor is credited once', async () => {
  const { paymentHash } = await charge()
  await credit(settlement(paymentHash, 'c1'))
  await credit(settlement(paymentHash, 'c2'))
  expect(await aliceHas()).toBe(100_000n)
  expect(await balanceOf(SUSPENSE)).toBe(0n)
  expect(await cursor()).toBe('c2')
})

it('if the node later corrects a settled amount, only an alert is sent; no sats move', async () => {
  const { paymentHash } = await charge()
  const alerts: OperatorAlert[] = []
  const parts = { ...world.service.parts, tell: (alert: OperatorAlert) => void alerts.push(alert) }
  await credit(settlement(paymentHash, 'c1'))
  await creditSettlement(parts, settlement(paymentHash, 'c1'))
  expect(alerts).toEqual([])
  await creditSettlement(parts, settlement(paymentHash, 'c2', 90_000))
  const text = `The node says now that it received 90000 msats for ${paymentHash}, of which it had said 100000. The credit stands. Look at the node's own record of it, and run npm run audit.`
  const fields = { paymentHash, credited: '100000', received: '90000' }
  expect(alerts).toEqual([{ alert: 'settlement_changed', text, fields }])
  expect([await aliceHas(), await balanceOf(SUSPENSE)]).toEqual([100_000n, 0n])
})

it('a settlement found by a look-up is credited once even if the node repeats it', async () => {
  const { paymentHash } = await charge()
  const { parts } = world.service
  const { received, preimage, settledAt } = settlement(paymentHash, '')
  await creditLookedUp(parts, paymentHash, { state: 'settled', received, preimage, settledAt })
  expect([await cursor(), (await findInvoice(parts, paymentHash))?.settledBy]).toEqual([undefined, 'look-up'])
  await credit(settlement(paymentHash, 'c1'))
  await creditLookedUp(parts, paymentHash, { state: 'settled', received, preimage, settledAt })
  expect([await aliceHas(), await balanceOf(SUSPENSE)]).toEqual([100_000n, 0n])
})

it('a settlement missing from the stream is found by a look-up and credited', async () => {
  const { id, paymentHash } = await charge()
  const { backend } = world.service.parts
  const lookUpInvoice = backend.lookUpInvoice
  const { received, preimage, settledAt } = settlement(paymentHash, '')
  Object.assign(backend, { lookUpInvoice: async () => ({ state: 'settled', received, preimage, settledAt }) })
  await world.clock.advance(620_000)
  await world.until(async () => (await statusOf(id)) === 'CHARGE_COMPLETED')
  Object.assign(backend, { lookUpInvoice })
  expect(await aliceHas()).toBe(100_000n)
})

it('an invoice that the node deleted counts as unpaid', async () => {
  const { id } = await charge()
  const { backend } = world.service.parts
  const lookUpInvoice = backend.lookUpInvoice
  Object.assign(backend, { lookUpInvoice: async () => ({ state: 'gone' }) })
  await world.clock.advance(620_000)
  await world.until(async () => (await statusOf(id)) === 'CHARGE_EXPIRED')
  Object.assign(backend, { lookUpInvoice })
})

it('a settlement of an invoice paid inside the books goes to suspense once', async () => {
  const { paymentHash } = await charge()
  await payInside(paymentHash)
  await credit(settlement(paymentHash, 'c1'))
  await credit(settlement(paymentHash, 'c1'))
  await credit(settlement(paymentHash, 'c2'))
  expect(await aliceHas()).toBe(100_000n)
  expect(await balanceOf(SUSPENSE)).toBe(100_000n)
  expect(await unclaimed()).toMatchObject([{ reason: 'second settlement', paymentHash }])
  expect(await cursor()).toBe('c2')
})

it('a keysend without a receiver and a payment of an unknown invoice go to suspense', async () => {
  const { parts, heard } = overheard()
  const [keysend, unknown] = ['ab'.repeat(32), 'cd'.repeat(32)]
  await creditSettlement(parts, { ...settlement(keysend, 'c1', 7), keysend: true })
  await creditSettlement(parts, settlement(unknown, 'c2', 5))
  expect(await balanceOf(SUSPENSE)).toBe(12n)
  expect((await unclaimed()).map((receipt) => [receipt.reason, receipt.note])).toEqual([
    ['keysend', ''],
    ['unknown invoice', ''],
  ])
  const words = (amount: number, reason: string, paymentHash: string) => ({
    alert: 'unclaimed_receipt',
    text: `The node received ${amount} msats that no open invoice explains (${reason}). They wait on the suspense account: npm run -s admin -- suspense list shows what waits there, and suspense give gives it to its owner.`,
    fields: { paymentHash, amount: `${amount}`, reason },
  })
  expect(heard).toEqual([words(7, 'keysend', keysend), words(5, 'unknown invoice', unknown)])
})

it('a keysend with a paid invoice’s payment hash goes to suspense', async () => {
  const { paymentHash } = await charge()
  await credit(settlement(paymentHash, 'c1'))
  await credit({ ...settlement(paymentHash, 'c2', 7), keysend: true })
  expect([await aliceHas(), await balanceOf(SUSPENSE)]).toEqual([100_000n, 7n])
  expect(await unclaimed()).toMatchObject([{ reason: 'keysend', paymentHash }])
})

it('an underpaid invoice is credited in full, at the operator’s expense', async () => {
  const { paymentHash } = await charge()
  const { parts, heard } = overheard()
  await creditSettlement(parts, settlement(paymentHash, 'c1', 99_600))
  expect(await aliceHas()).toBe(100_000n)
  expect(await balanceOf(OPERATOR)).toBe(-400n)
  const text =
    'The node received 99600 msats for an invoice of 100000. Its owner is credited in full, and the operator bears the rest; npm run audit says how much that is by now.'
  const fields = { paymentHash, received: '99600', face: '100000' }
  expect(heard).toContainEqual({ alert: 'short_settlement', text, fields })
})

it('a late settlement is credited and completes an expired charge', async () => {
  const { id, paymentHash } = await charge()
  await world.clock.advance(620_000)
  await world.until(async () => (await statusOf(id)) === 'CHARGE_EXPIRED')
  await credit(settlement(paymentHash, 'late'))
  expect(await aliceHas()).toBe(100_000n)
  expect(await statusOf(id)).toBe('CHARGE_COMPLETED')
})

it('a settlement is credited even if all of the charge’s slots are used up', async () => {
  const body = { minAmount: '1000', maxAmount: '1000', description: '', allowedSlots: 1 }
  const { json } = await world.raw('POST', '/v0/static-charges', { apiKey: project.apiKey, body })
  const path = `/v0/request-static-charges/${json.data.id}/callback?amount=1000`
  const { paymentHash } = decodeInvoice((await world.raw('GET', path)).json.pr)
  await world.raw('PATCH', `/v0/static-charges/${json.data.id}`, { apiKey: project.apiKey, body: { allowedSlots: 0 } })
  await credit(settlement(paymentHash, 'c1', 1_000))
  const read = await world.raw('GET', `/v0/static-charges/${json.data.id}`, { apiKey: project.apiKey })
  expect(read.json.data).toMatchObject({ slots: 1, status: 'disabled' })
})

it('an invoice is paid inside the books at face value, and the node closes it', async () => {
  const { id, request, paymentHash } = await charge()
  const atNode = await balanceOf(NODE)
  await payInside(paymentHash)
  expect(await aliceHas()).toBe(100_000n)
  expect(await balanceOf(NODE)).toBe(atNode)
  expect(await statusOf(id)).toBe('CHARGE_COMPLETED')
  await world.until(async () => (await world.sandbox.backend.lookUpInvoice(paymentHash))?.state === 'closed')
  await expect(world.sandbox.outside.pay(request)).rejects.toThrow()
})

it('LNURL verification shows no preimage of an invoice paid inside the books', async () => {
  const body = { minAmount: '1000', maxAmount: '1000', description: '' }
  // Somebody else's than the project's that pays.
  const { apiKey } = await world.project(sats(0))
  const { json } = await world.raw('POST', '/v0/static-charges', { apiKey, body })
  const { pr } = (await world.raw('GET', `/v0/request-static-charges/${json.data.id}/callback?amount=1000`)).json
  const { paymentHash } = decodeInvoice(pr)
  await payInside(paymentHash)
  const verified = (await world.raw('GET', `/lnurl/verify/${paymentHash}`)).json
  expect(verified).toEqual({ status: 'OK', settled: true, preimage: null, pr })
})

it('strangers can verify only invoices that were made for LNURL', async () => {
  const { paymentHash } = await charge()
  expect((await world.raw('GET', `/lnurl/verify/${paymentHash}`)).status).toBe(404)
})

it('an invoice is paid inside the books once, and a second payment is refused', async () => {
  const { paymentHash } = await charge()
  const paidAlready = { code: 'already_paid', message: 'This invoice has been paid already.' }
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => payInside(paymentHash)))
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
  for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject(paidAlready)
  expect(await world.balance({ kind: 'project', id: project.projectId })).toBe(900_000n)
})

it('an invoice paid simultaneously inside and outside the books is credited once', async () => {
  const { paymentHash } = await charge()
  await Promise.all([payInside(paymentHash), credit(settlement(paymentHash, 'c1'))].map((end) => end.catch(() => {})))
  const [has, waiting] = [await aliceHas(), await balanceOf(SUSPENSE)]
  const paidInside = (await world.balance({ kind: 'project', id: project.projectId })) === 900_000n
  expect([has, waiting]).toEqual([100_000n, paidInside ? 100_000n : 0n])
})

it('an expired invoice cannot be paid inside the books', async () => {
  const { paymentHash } = await charge()
  const expired = { code: 'invoice_expired', message: 'This invoice has expired. Ask for a new one.' }
  // Also before anything has noted that its time is over.
  world.clock.freeze(600_000)
  expect((await findInvoice(world.service.parts, paymentHash))?.status).toBe('open')
  await expect(payInside(paymentHash)).rejects.toMatchObject(expired)
  await world.clock.advance(20_000)
  await world.until(async () => (await findInvoice(world.service.parts, paymentHash))?.status === 'closed')
  await expect(payInside(paymentHash)).rejects.toMatchObject(expired)
})

it('a failed payment inside the books reports its error and stores nothing', async () => {
  const { parts } = world.service
  const { paymentHash } = await charge()
  const invoice = await findInvoice(parts, paymentHash)
  if (invoice === undefined) throw new Error('not ours')
  // Its charge cannot be found.
  const { write } = settleInside(parts, { ...invoice, resourceId: 'lost' })
  await expect(parts.ledger.commit({ write })).rejects.toMatchObject({ code: 'P2025' })
  expect(await findInvoice(parts, paymentHash)).toEqual(invoice)
})

it('a failed cancellation of an invoice at the node is retried after a restart', async () => {
  const { paymentHash } = await charge()
  const cancel = world.sandbox.backend.cancelInvoice
  world.sandbox.backend.cancelInvoice = async () => 'unknown'
  await payInside(paymentHash)
  await world.restart()
  world.sandbox.backend.cancelInvoice = cancel
  await world.clock.advance(20_000)
  await world.until(async () => (await world.sandbox.backend.lookUpInvoice(paymentHash))?.state === 'closed')
})
