import { beforeEach, expect, it } from 'vitest'
import { decodeInvoice } from '../../../src/lib/lightning/bolt11.ts'
import { msats } from '../../../src/lib/money/amount.ts'
import { handOutInvoice } from '../../../src/payments-service/receiving/hand-out-invoice.ts'
import { findPayableCharge } from '../../../src/payments-service/receiving/payable-name.ts'
import { creditSettlement } from '../../../src/payments-service/receiving/settlement-consumer.ts'
import { type Project, SendingWorld } from '../sending-world.ts'

/**
 * Tests which invoice a payer gets if a static charge has a limited number of payments. Invoices are checked only when
 * the test requests it.
 */

let world: SendingWorld
let project: Project

beforeEach(async () => {
  world = await new SendingWorld({ publicRequestsPerSecond: 0, invoicesPerMinute: 0 }).start()
  project = await world.project()
  const { ownership } = world.service.parts
  const has = ownership.has.bind(ownership)
  Object.assign(ownership, { has: (job: Parameters<typeof has>[0]) => job !== 'invoices' && has(job) })
})
async function code(allowedSlots?: number, maxAmount = '9000'): Promise<string> {
  const body = { minAmount: '5000', maxAmount, description: 'a coffee', ...(allowedSlots && { allowedSlots }) }
  return (await world.call(project, 'createStaticCharge', { body })).body.data.id
}
const allow = (id: string, allowedSlots: number) =>
  world.call(project, 'updateStaticCharge', { params: { id }, body: { allowedSlots } })
const ask = async (id: string, amount = 5_000, more = '') =>
  (await world.fetch(`/v0/request-static-charges/${id}/callback?amount=${amount}${more}`)).body
const hashOf = ({ pr }: { pr: string }) => decodeInvoice(pr).paymentHash
const REFUSED = { status: 'ERROR', reason: 'No further payment is accepted here, at least not now. Try again later.' }

/** Makes the node wait for the test before creating each invoice; `waiting` returns the number of waiting calls. */
function holdInvoices() {
  const { node } = world
  const createInvoice = node.createInvoice.bind(node)
  const gate = Promise.withResolvers<void>()
  const held = { waiting: 0, letGo: gate.resolve }
  Object.assign(node, {
    createInvoice: async (request: Parameters<typeof createInvoice>[0]) => {
      held.waiting += 1
      await gate.promise
      return await createInvoice(request)
    },
  })
  return held
}

it('an expired invoice is canceled and frees its slot for the next payer of its code', async () => {
  const [first, second] = [await code(1), await code(1)]
  const [over] = [await ask(first), await ask(second)]
  await world.clock.advance(121_000)
  expect(decodeInvoice((await ask(first, 6_000)).pr).amount).toBe(6_000n)
  expect(world.node.canceled).toEqual([hashOf(over)])
})

it('no expired invoice is canceled for a new payer while a slot is free', async () => {
  const id = await code(2)
  await ask(id)
  await world.clock.advance(121_000)
  await ask(id, 6_000)
  expect(world.node.canceled).toEqual([])
})

it('an expired invoice is not issued again while the node keeps it open', async () => {
  const id = await code(1)
  await ask(id)
  world.node.capabilities = { ...world.node.capabilities, cancelInvoice: false }
  await world.clock.advance(121_000)
  expect(await ask(id)).toEqual(REFUSED)
})

it('the next payer receives the longer-lived of two open invoices of the same amount', async () => {
  const id = await code(2)
  await ask(id)
  await world.clock.advance(60_000)
  const later = await ask(id)
  expect((await ask(id)).pr).toBe(later.pr)
})

it('each payment reduces the free slots by one', async () => {
  const id = await code(2)
  const paymentHash = hashOf(await ask(id))
  await creditSettlement(world.service.parts, {
    ...{ cursor: 'c1', paymentHash, received: msats(5_000), preimage: world.node.preimageOf(paymentHash) },
    ...{ settledAt: new Date(world.clock.now()), keysend: false },
  })
  expect((await ask(id, 6_000)).pr).toMatch(/^ln/)
  expect(await ask(id, 7_000)).toEqual(REFUSED)
})

it('a payer who is too late for the last slot receives the invoice that took it', async () => {
  const id = await code(1, '5000')
  const held = holdInvoices()
  const asked = [ask(id), ask(id)]
  await world.until(() => held.waiting === 2)
  held.letGo()
  const [one, other] = await Promise.all(asked)
  expect(one.pr).toMatch(/^ln/)
  expect(other.pr).toBe(one.pr)
  await world.until(() => world.node.canceled.length > 0)
  expect(world.node.canceled).not.toContain(hashOf(one))
})

it('no invoice, new or open, is issued if the slots are removed while a payer waits', async () => {
  const id = await code(2)
  await ask(id)
  const held = holdInvoices()
  const asked = ask(id)
  await world.until(() => held.waiting === 1)
  await allow(id, 0)
  held.letGo()
  expect(await asked).toEqual(REFUSED)
})

it('a payer never receives an invoice with another payer’s data or zap request', async () => {
  const said = await code()
  await ask(said, 5_000, `&payerdata=${encodeURIComponent('{"name":"Carol"}')}`)
  const zapped = await code()
  const { pr } = await ask(zapped)
  const { ledger } = world.service.parts
  await ledger.commit({ write: (tx) => tx.invoice.updateMany({ where: { request: pr }, data: { zapRequest: '{}' } }) })
  for (const id of [said, zapped]) {
    await allow(id, 1)
    expect(await ask(id)).toEqual(REFUSED)
  }
})

it('a payer from this service and an anonymous payer share the reserved invoice', async () => {
  const [first, second] = [await code(1), await code(1)]
  const fromWallet = async (id: string) => {
    const payable = await findPayableCharge(world.service.parts, id)
    if (payable === undefined) throw new Error('there is no such code')
    return await handOutInvoice(world.service.parts, payable, { amount: msats(5_000), comment: '', payer: 'user:bob' })
  }
  const { pr } = await ask(first)
  expect(await fromWallet(first)).toBe(pr)
  const own = await fromWallet(second)
  expect((await ask(second)).pr).toBe(own)
  expect(decodeInvoice(own).descriptionHash).toBe(decodeInvoice(pr).descriptionHash)
})

it('an invoice that cannot be written to the book is not issued', async () => {
  const id = await code(1)
  const { ledger } = world.service.parts
  const { commit } = ledger
  Object.assign(ledger, { commit: () => Promise.reject(new Error('the disk is full')) })
  const answer = await ask(id)
  Object.assign(ledger, { commit })
  expect(answer.pr).toBeUndefined()
  expect(answer).not.toEqual(REFUSED)
  expect((await ask(id)).pr).toMatch(/^ln/)
})

it('an invoice for a single fixed-price slot lasts an hour, and others 2 minutes', async () => {
  const livesFor = async (id: string) => {
    const { expiresAt } = await world.service.parts.database.read.invoice.findUniqueOrThrow({
      where: { paymentHash: hashOf(await ask(id)) },
    })
    return expiresAt.getTime() - world.clock.now()
  }
  const lives = [await code(1, '5000'), await code(1), await code(2, '5000')].map(livesFor)
  expect(await Promise.all(lives)).toEqual([3_600_000, 120_000, 120_000])
})
