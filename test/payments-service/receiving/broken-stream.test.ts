import { randomBytes } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import type { Settlement } from '../../../src/payments-service/backends/backend.ts'
import { SUSPENSE } from '../../../src/payments-service/core/chart-of-accounts.ts'
import { hashOf } from '../scripted-node.ts'
import { SendingWorld } from '../sending-world.ts'

let world: SendingWorld
let opened: (string | undefined)[]
/** The settlements that the node reports before its stream breaks. */
let tells: Settlement[]

beforeEach(async () => {
  world = new SendingWorld()
  opened = []
  tells = []
  world.node.settledInvoices = async function* (cursor) {
    opened.push(cursor)
    yield* tells.splice(0)
    throw new Error('the stream broke')
  }
  await world.start()
})
const times = (count: number) => world.until(() => opened.length === count)

/** Checks that the stream reopens after this time and not earlier. */
async function opensAfter(ms: number): Promise<void> {
  const before = opened.length
  await world.idle()
  await world.clock.advance(ms - 1)
  await world.idle()
  expect(opened).toHaveLength(before)
  await world.clock.advance(1)
  await times(before + 1)
}

it('a broken stream is reopened at the stored cursor after growing pauses', async () => {
  await times(1)
  for (const pause of [100, 500, 2_000, 10_000, 30_000]) await opensAfter(pause)
  const preimage = randomBytes(32).toString('hex')
  const settledAt = new Date(world.clock.now())
  tells = [{ cursor: 'c1', paymentHash: hashOf(preimage), received: sats(5), preimage, settledAt, keysend: true }]
  await opensAfter(30_000)
  await world.until(async () => (await world.service.parts.ledger.balance(SUSPENSE)) === sats(5))
  await opensAfter(100)
  await opensAfter(500)
  expect(opened.slice(-3)).toEqual([undefined, 'c1', 'c1'])
  const said = world.log.filter(({ msg }) => msg === 'settlements cannot be credited just now; they will be')
  expect(said[0]).toMatchObject({ level: 'error', err: { message: 'the stream broke' } })
})
