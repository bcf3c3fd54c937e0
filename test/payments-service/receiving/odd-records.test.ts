import { beforeEach, expect, it } from 'vitest'
import { decodeInvoice } from '../../../src/lib/lightning/bolt11.ts'
import { sats } from '../../../src/lib/money/amount.ts'
import type { OddRecord, Settlement } from '../../../src/payments-service/backends/backend.ts'
import type { Holder } from '../../../src/payments-service/core/chart-of-accounts.ts'
import { type Project, SendingWorld } from '../sending-world.ts'

let world: SendingWorld
let project: Project
let [alice, bob]: Holder[] = []
/** The records that the node reports in one round. */
let tells: (Settlement | OddRecord)[]
let tell: () => void

beforeEach(async () => {
  world = new SendingWorld()
  tells = []
  world.node.settledInvoices = async function* (_, signal) {
    while (!signal.aborted) {
      yield* tells.splice(0)
      await new Promise<void>((resolve) => {
        tell = resolve
        signal.addEventListener('abort', () => resolve())
      })
    }
  }
  await world.start()
  project = await world.project()
  alice = await world.user('alice')
  bob = await world.user('bob')
})
async function charge(gamertag: string) {
  const { body } = await world.call(project, 'createGamertagCharge', { body: { amount: '100000', gamertag } })
  return decodeInvoice(body.data.invoiceRequest).paymentHash
}
const settledAt = () => new Date(world.clock.now())
const settlement = (paymentHash: string, more: Partial<Settlement> = {}): Settlement => ({
  ...{ cursor: '1', paymentHash, received: sats(100), preimage: world.node.preimageOf(paymentHash) },
  ...{ settledAt: settledAt(), keysend: false, ...more },
})
const deliver = async (...told: (Settlement | OddRecord)[]) => {
  tells.push(...told)
  tell()
  await world.until(() => tells.length === 0)
  await world.idle()
}
const credited = async () => [await world.balance(alice as Holder), await world.balance(bob as Holder)]

it('an unreadable record is reported once, and other records are credited promptly', async () => {
  const [odd, good] = [await charge('alice'), await charge('bob')]
  const record = { odd: 'amount: a word', paymentHash: odd }
  await deliver(record, settlement(good))
  expect(await credited()).toEqual([0n, 100_000n])
  await deliver(record, record)
  expect(world.alerts()).toEqual(['odd_record'])
  expect(world.heard).toMatchObject([{ alert: 'odd_record', text: expect.stringContaining(odd) }])
  expect(world.heard[0]?.text).toContain('asked for again and again')
})

it('the invoice of an unreadable record is looked up and credited, never canceled', async () => {
  const odd = await charge('alice')
  let found: Awaited<ReturnType<typeof world.node.lookUpInvoice>> | undefined
  world.node.lookUpInvoice = async () => {
    if (found === undefined) throw new Error('the record cannot be read')
    return found
  }
  await deliver({ odd: 'amount: a word', paymentHash: odd })
  await world.pass(30_000, 15_000)
  expect([await credited(), world.node.canceled]).toEqual([[0n, 0n], []])
  found = { state: 'open' }
  await world.pass(45_000, 15_000)
  expect([await credited(), world.node.canceled]).toEqual([[0n, 0n], []])
  found = { state: 'settled', received: sats(100), settledAt: settledAt() }
  await world.pass(315_000, 15_000)
  expect(await credited()).toEqual([100_000n, 0n])
})

it('a record with a missing or unknown payment hash is reported once to operators', async () => {
  await deliver({ odd: 'row 7' }, { odd: 'row 8', paymentHash: 'ab'.repeat(32) }, { odd: 'row 7' })
  expect(world.alerts()).toEqual(['odd_record', 'odd_record'])
  const texts = world.log.filter(({ alert }) => alert === 'odd_record').map(({ msg }) => msg)
  expect(texts[0]).toContain('without a payment hash')
  expect(texts[1]).toContain('shows it as a surplus')
})

it('an unreadable record about sats that are already credited changes nothing', async () => {
  const paymentHash = await charge('alice')
  await deliver(settlement(paymentHash), { odd: 'amount: a word', paymentHash })
  expect([await credited(), world.alerts()]).toEqual([[100_000n, 0n], []])
})

it('a settlement without a preimage is credited and recorded without a proof', async () => {
  const paymentHash = await charge('alice')
  world.node.tellsPreimages = false
  const silent = await charge('bob')
  await deliver(
    settlement(paymentHash, { preimage: undefined }),
    settlement(silent, { cursor: '2', preimage: undefined }),
  )
  expect([await credited(), world.alerts()]).toEqual([[100_000n, 100_000n], []])
  const { invoice } = world.service.parts.database.read
  expect(await invoice.findUniqueOrThrow({ where: { paymentHash: silent } })).toMatchObject({
    ...{ status: 'settled', preimage: null, receivedAmount: sats(100) },
  })
})

it('a settlement without a cursor is credited once and does not move the cursor', async () => {
  const [timeless, placed] = [await charge('alice'), await charge('bob')]
  await deliver(settlement(placed, { cursor: '5' }), settlement(timeless, { cursor: undefined }))
  await deliver(settlement(timeless, { cursor: undefined }))
  expect(await credited()).toEqual([100_000n, 100_000n])
  expect(await world.service.parts.database.read.cursor.findFirst()).toMatchObject({ value: '5' })
})
