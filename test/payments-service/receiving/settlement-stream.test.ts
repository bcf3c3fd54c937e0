import { randomBytes } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { aborted } from '../../../src/lib/clock.ts'
import { sats } from '../../../src/lib/money/amount.ts'
import { OwnershipLost } from '../../../src/lib/ownership/ownership.ts'
import type { LightningBackend, Settlement } from '../../../src/payments-service/backends/backend.ts'
import { SUSPENSE } from '../../../src/payments-service/core/chart-of-accounts.ts'
import type { OperatorAlert } from '../../../src/payments-service/core/operator-alerts.ts'
import type { ServiceParts } from '../../../src/payments-service/engine/service-parts.ts'
import { startSettlementConsumer } from '../../../src/payments-service/receiving/settlement-consumer.ts'
import { ManualClock } from '../../support/manual-clock.ts'
import { hashOf } from '../scripted-node.ts'
import { SendingWorld } from '../sending-world.ts'

/**
 * Tests how a service stops listening to its node, and what the service does while it lacks the job or cannot write.
 */

let world: SendingWorld
/** The listening service's clock, which stands still until the test moves it. */
let clock: ManualClock
let heard: OperatorAlert[]

beforeEach(async () => {
  world = await new SendingWorld().start()
  clock = new ManualClock(world.clock.now())
  heard = []
})
/** Starts another service on the same book, with a node that reports what the test wants. */
function listen(settledInvoices: LightningBackend['settledInvoices'], ownership?: object) {
  const { parts } = world.service
  const backend = { settledInvoices } as LightningBackend
  const tell = (alert: OperatorAlert) => void heard.push(alert)
  const about = {
    ...parts,
    clock,
    tell,
    backend,
    ...(ownership && { ownership: ownership as ServiceParts['ownership'] }),
  }
  return startSettlementConsumer(about as ServiceParts)
}

let cursor = 0
/** Returns a settlement that nobody requested. */
function arrival(): Settlement {
  const preimage = randomBytes(32).toString('hex')
  cursor += 1
  const about = { cursor: `${cursor}`, preimage, paymentHash: hashOf(preimage), keysend: true }
  return { ...about, received: sats(5), settledAt: new Date(world.clock.now()) }
}
const suspended = () => world.service.parts.ledger.balance(SUSPENSE)
const complaints = () => world.log.filter(({ msg }) => `${msg}`.startsWith('settlements cannot be credited'))

/** Runs the given function before each receipt is written. */
function beforeEachReceipt(does: (paymentHash: string) => Promise<void> | void): void {
  const { ledger } = world.service.parts
  const { commit } = ledger
  Object.assign(ledger, {
    commit: async (change: Parameters<typeof commit>[0]) => {
      const [kind, hash = ''] = change.entries?.[0]?.operation.split(':') ?? []
      if (kind === 'receipt') await does(hash)
      return await commit.call(ledger, change)
    },
  })
}

it('a service without the settlement job opens no stream and can be stopped', async () => {
  const asked: unknown[] = []
  const service = listen(
    async function* (from) {
      asked.push(from)
      yield* []
    },
    { untilHas: async (_job: string, signal: AbortSignal) => void (await aborted(signal)) },
  )
  await service.close()
  expect(asked).toEqual([])
})

it('a stopped service writes no late settlement and leaves no timer', async () => {
  const { promise: opened, resolve: opens } = Promise.withResolvers<void>()
  const service = listen(async function* (_from, signal) {
    opens()
    await aborted(signal)
    yield arrival()
  })
  await opened
  await service.close()
  expect([await suspended(), clock.pending, complaints()]).toEqual([0n, 0, []])
})

it('a stopping service does not report the end of its stream', async () => {
  const { promise: opened, resolve: opens } = Promise.withResolvers<void>()
  const service = listen(async function* (_from, signal) {
    opens()
    await aborted(signal)
    yield* []
    throw new Error('the connection was closed')
  })
  await opened
  await service.close()
  expect([clock.pending, complaints()]).toEqual([0, []])
})

it('a stopping service finishes its current write and reads no more settlements', async () => {
  const { promise: closing, resolve: closes } = Promise.withResolvers<Promise<void>>()
  const { promise: written, resolve: write } = Promise.withResolvers<void>()
  let goesOn = false
  const service = listen(async function* () {
    yield arrival()
    goesOn = true
  })
  beforeEachReceipt(() => {
    closes(service.close())
    return written
  })
  const closed = closing.then((end) => end)
  let isClosed = false
  void closed.then(() => {
    isClosed = true
  })
  await world.idle()
  expect(isClosed).toBe(false)
  write()
  await closed
  expect([await suspended(), goesOn]).toEqual([sats(5), false])
})

it('a stopping service does not wait until its next attempt to open the stream', async () => {
  // biome-ignore lint/correctness/useYield: a stream that breaks at once
  const service = listen(async function* () {
    throw new Error('the stream broke')
  })
  await world.until(() => clock.pending === 1)
  await service.close()
  expect(complaints()).toHaveLength(1)
})

it('a service that has lost the settlement job reopens no stream, without an error', async () => {
  const lost = new AbortController()
  const { promise: opened, resolve: opens } = Promise.withResolvers<void>()
  let asks = 0
  const untilHas = async (_job: string, signal: AbortSignal) => {
    asks += 1
    return asks === 1 ? lost.signal : void (await aborted(signal))
  }
  const service = listen(
    async function* (_from, signal) {
      opens()
      await aborted(signal)
      yield* []
      throw new Error('the connection was closed')
    },
    { untilHas },
  )
  await opened
  lost.abort()
  await world.until(() => clock.pending === 1)
  await clock.advance(100)
  expect([asks, complaints()]).toEqual([2, []])
  await service.close()
})

it('a settlement refused because another service has the job raises no alert', async () => {
  const one = arrival()
  let refusals = 0
  const ownership = {
    untilHas: async () => new AbortController().signal,
    assertHas() {
      refusals += 1
      return Promise.reject(new OwnershipLost('settlements'))
    },
  }
  const service = listen(async function* () {
    yield one
  }, ownership)
  await world.until(async () => {
    await clock.advance(30_000)
    return refusals > 6
  })
  await service.close()
  expect([await suspended(), heard, complaints()]).toEqual([0n, [], []])
})

it('operators are alerted when a settlement has failed five times in a row', async () => {
  const [three, four, five] = [arrival(), arrival(), arrival()]
  const left = new Map([three, four, five].map(({ paymentHash }, index) => [paymentHash, index + 3]))
  beforeEachReceipt((hash) => {
    const fails = left.get(hash) ?? 0
    left.set(hash, fails - 1)
    if (fails > 0) throw new Error('no room')
  })
  const written = async (count: number) => {
    await world.until(async () => {
      await clock.advance(30_000)
      return (await suspended()) === sats(count * 5)
    })
    return heard.filter(({ alert }) => alert === 'settlement_stuck')
  }
  let told = [three, four]
  const service = listen(async function* (from) {
    yield* told.filter((one) => Number(one.cursor) > Number(from ?? 0))
  })
  expect(await written(2)).toEqual([])
  told = [three, four, five]
  const text =
    'A payment that arrived cannot be written into the book, and nothing after it is credited until it is. The error in the log says why: fix that, and it continues by itself.'
  const fields = { err: expect.objectContaining({ message: 'no room' }), paymentHash: five.paymentHash, amount: '5000' }
  expect(await written(3)).toEqual([{ alert: 'settlement_stuck', text, fields }])
  await service.close()
})
