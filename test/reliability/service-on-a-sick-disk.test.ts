import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { fileOfUrl } from '../../src/lib/database/database.ts'
import { msats, sats } from '../../src/lib/money/amount.ts'
import { SUSPENSE, wallet } from '../../src/payments-service/core/chart-of-accounts.ts'
import { creditSettlement } from '../../src/payments-service/receiving/settlement-consumer.ts'
import { type PaymentAnswer, type Project, SendingWorld } from '../payments-service/sending-world.ts'
import { AILMENTS, makeReadOnly } from './sick-disk.ts'

let world: SendingWorld
let project: Project

beforeEach(async () => {
  world = await new SendingWorld({ requestsPerSecond: 0 }).start()
  project = await world.project(sats(100_000))
})

const long = 'x'.repeat(200)

/** Pays invoice after invoice until one is refused. */
async function payUntilRefused(): Promise<{ paid: number; refused: PaymentAnswer; invoice: string; key: string }> {
  for (let paid = 0; paid < 200; paid += 1) {
    const [{ invoice }, key] = [world.node.foreignInvoice({ amount: sats(100) }), randomUUID()]
    const answer = await world.call(project, 'sendPayment', { body: { invoice, internalId: long + paid }, key })
    if (answer.status !== 200) return { paid, refused: answer, invoice, key }
    // Where the disk is full only when the end is to be written down, the end is looked up later.
    expect(answer.body.data.status).toMatch(/completed|processing/)
  }
  throw new Error('the disk never was full')
}

describe.each(AILMENTS)('fault 26, the service while $name', ({ fallIll }) => {
  const sicken = () => {
    const { database } = world.service.parts
    return fallIll(database.write, fileOfUrl(database))
  }

  it('sends no payment that it could not store, and pays a repeated request once', async () => {
    world.node.found = async (hash) => world.node.paid(hash)
    const recover = await sicken()
    const { paid, refused, invoice, key } = await payUntilRefused()
    expect(refused).toMatchObject({ status: 503, body: { success: false, code: 'nothing_sent' } })
    expect(world.node.calls).toHaveLength(paid)
    await recover()
    await world.pass(120_000)
    expect(world.node.calls).toHaveLength(paid)
    const spent = BigInt(paid) * 101_000n
    expect(await world.balance(project.holder)).toBe(sats(100_000) - spent)
    expect(await world.held(project.holder)).toBe(0n)
    for (const _ of [1, 2]) {
      const again = await world.call(project, 'sendPayment', { body: { invoice, internalId: long + paid }, key })
      expect(again.body).toMatchObject({ success: true, data: { status: 'completed' } })
    }
    expect(world.node.calls).toHaveLength(paid + 1)
    expect(await world.balance(project.holder)).toBe(sats(100_000) - spent - 101_000n)
  })

  it('loses no outcome that its node reports meanwhile, and books it once', async () => {
    const release = world.node.hang()
    const { invoice, paymentHash } = world.node.foreignInvoice({ amount: sats(100) })
    const answer = world.call(project, 'sendPayment', { body: { invoice } }).catch(() => undefined)
    await world.until(() => world.node.calls.length === 1)
    const recover = await sicken()
    world.node.found = async (hash) => world.node.paid(hash)
    release(world.node.paid(paymentHash))
    await answer
    await recover()
    await world.pass(300_000, 10_000)
    const { database } = world.service.parts
    expect(await database.read.payment.findMany()).toMatchObject([{ paymentHash, status: 'completed', fee: 1_000n }])
    expect(await world.balance(project.holder)).toBe(sats(100_000) - 101_000n)
    expect(await world.held(project.holder)).toBe(0n)
    expect(world.node.calls).toHaveLength(1)
  })

  it('reports a settlement that it cannot write, and credits it once after recovery', async () => {
    await world.user('alice')
    const body = { amount: '100000', gamertag: 'alice' }
    const { data } = (await world.call(project, 'createGamertagCharge', { body })).body
    const { database, ledger } = world.service.parts
    const invoice = await database.read.invoice.findFirstOrThrow({ where: { resourceId: data.id } })
    const settled = {
      cursor: 'c1'.padEnd(9_000, '-'),
      paymentHash: invoice.paymentHash,
      received: msats(100_000n),
      preimage: '00'.repeat(32),
      settledAt: new Date(world.clock.now()),
      keysend: false,
    }
    const account = wallet({ kind: 'user', id: invoice.payeeId ?? '' })
    const recover = await sicken()
    await expect(creditSettlement(world.service.parts, settled)).rejects.toThrow()
    expect(await ledger.balance(account).catch(() => 0n)).toBe(0n)
    await recover()
    for (const _ of [1, 2]) await creditSettlement(world.service.parts, settled)
    expect(await ledger.balance(account)).toBe(100_000n)
    expect(await ledger.balance(SUSPENSE)).toBe(0n)
  })
})

/** The maximum number of calls to the node, and of log lines, of each piece of background work in a minute. */
const MAX_A_MINUTE = 12

it('fault 26: background work of the service does not spin while all writes fail', async () => {
  await world.close()
  world = new SendingWorld({ requestsPerSecond: 0 })
  const asked = { invoices: 0, streams: 0 }
  const ill = Promise.withResolvers<void>()
  const hashes: string[] = []
  world.node.settledInvoices = async function* () {
    asked.streams += 1
    await ill.promise
    const settled = { cursor: 'c1', received: msats(100_000n), preimage: '00'.repeat(32), keysend: false }
    for (const paymentHash of hashes) yield { ...settled, paymentHash, settledAt: new Date(world.clock.now()) }
  }
  world.node.lookUpInvoice = async () => {
    asked.invoices += 1
    return { state: 'closed' }
  }
  await world.start()
  project = await world.project(sats(100_000))
  await world.user('alice')
  const charge = { amount: '100000', gamertag: 'alice', callbackUrl: 'https://bot.example/callback' }
  const { data } = (await world.call(project, 'createGamertagCharge', { body: charge })).body
  const { database } = world.service.parts
  const charged = await database.read.invoice.findFirstOrThrow({ where: { resourceId: data.id } })
  hashes.push(charged.paymentHash)
  const release = world.node.hang()
  const { invoice } = world.node.foreignInvoice({ amount: sats(100) })
  void world.call(project, 'sendPayment', { body: { invoice } }).catch(() => undefined)
  await world.until(() => world.node.calls.length === 1)
  const recover = await makeReadOnly(database.write)
  ill.resolve()
  release({ state: 'unknown', evidence: 'the connection broke' })
  // Everything becomes due: the look-up of the payment, the end of the invoice, the time of the book.
  world.clock.freeze(2 * 3_600_000 - 600_000)
  await world.pass(600_000, 60_000)
  const [before, lookUps, lines] = [{ ...asked }, world.node.lookUps.length, world.log.length]
  await world.pass(60_000)
  expect(asked.streams).toBeGreaterThan(1)
  expect(asked.invoices).toBeGreaterThan(0)
  expect(lookUps).toBeGreaterThan(0)
  expect(asked.invoices - before.invoices).toBeLessThanOrEqual(MAX_A_MINUTE)
  expect(asked.streams - before.streams).toBeLessThanOrEqual(MAX_A_MINUTE)
  expect(world.node.lookUps.length - lookUps).toBeLessThanOrEqual(MAX_A_MINUTE)
  expect(world.log.length - lines).toBeLessThanOrEqual(6 * MAX_A_MINUTE)
  await recover()
  world.node.found = async (hash) => world.node.paid(hash)
  world.clock.freeze(2 * 3_600_000 - 600_000)
  await world.pass(600_000, 60_000)
  expect(await world.balance({ kind: 'user', id: charged.payeeId ?? '' })).toBe(100_000n)
  expect(await world.held(project.holder)).toBe(0n)
})
