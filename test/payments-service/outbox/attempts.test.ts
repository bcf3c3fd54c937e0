import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FetchRefused } from '../../../src/lib/http/guarded-fetch.ts'
import { OutboxWorld } from './outbox-world.ts'

let world: OutboxWorld
beforeEach(async () => {
  world = await OutboxWorld.open()
})
afterEach(() => world.close())

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const failing = () => 500

/** Waits until the outcomes of this many attempts are recorded. */
const noted = (attempts: number) =>
  world.until(async () => (await world.rows()).reduce((sum, row) => sum + row.attempts, 0) === attempts)

it('a callback carries its message id, its time and a signature', async () => {
  world.start()
  await world.tell(1)
  await noted(1)
  expect(world.attempts[0]?.headers).toEqual({
    'content-type': 'application/json',
    'user-agent': 'Satchel-Callbacks/1',
    'webhook-id': (await world.rows())[0]?.messageId,
    'webhook-timestamp': String(world.clock.now() / 1_000),
    'webhook-signature': expect.stringMatching(/^v1,\S+$/),
  })
  expect(await world.rows()).toMatchObject([
    { deliveredAt: new Date(world.clock.now()), nextAttemptAt: null, attempts: 1, lastError: '' },
  ])
})

it.each([200, 204, 299])('a callback answered with status %d counts as delivered', async (status) => {
  world.answer = () => status
  world.start()
  await world.tell(1)
  await noted(1)
  expect(await world.rows()).toMatchObject([{ deliveredAt: expect.any(Date) }])
})

it.each([199, 300, 404])(
  'a callback answered with status %d counts as failed, and the status is recorded',
  async (status) => {
    world.answer = () => status
    world.start()
    await world.tell(1)
    await noted(1)
    expect(await world.rows()).toMatchObject([
      { deliveredAt: null, deadLetteredAt: null, lastError: `HTTP ${status}`, claimedBy: null },
    ])
    expect(world.log).toEqual([])
  },
)

it('a callback is retried with growing pauses for three days and then dead-lettered', async () => {
  world.answer = failing
  const outbox = world.start()
  await world.tell(1)
  await noted(1)
  const pauses = [5 * SECOND_MS, 15 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS]
  // What is left of three days.
  while (pauses.reduce((sum, pause) => sum + pause, 0) + 4 * HOUR_MS <= 72 * HOUR_MS) pauses.push(4 * HOUR_MS)
  for (const [index, pause] of pauses.entries()) {
    const [row] = await world.rows()
    expect(row?.nextAttemptAt).toEqual(new Date(world.clock.now() + pause))
    const leap = (ms: number) => {
      world.clock.jump(ms)
      outbox.wake()
    }
    leap(pause - 1)
    await world.idle()
    expect([world.attempts.length, world.log]).toEqual([index + 1, []])
    leap(1)
    await noted(index + 2)
  }
  expect(await world.rows()).toMatchObject([
    { deadLetteredAt: expect.any(Date), nextAttemptAt: null, lastError: 'HTTP 500', attempts: pauses.length + 1 },
  ])
  await world.until(() => world.log.length > 0)
  const [row] = await world.rows()
  expect(world.log).toMatchObject([
    {
      level: 'warn',
      msg: 'a callback is dead-lettered; "callbacks redeliver" has it sent again',
      callback: row?.messageId,
      resource: 'thing:1',
      receiver: 'https://shop.example',
      reason: 'HTTP 500',
    },
  ])
})

it('a callback is retried on time if it falls due while the outbox reads', async () => {
  world.answer = failing
  const outbox = world.start()
  await world.tell(1)
  await noted(1)
  await world.idle()
  world.answer = () => 204
  let looks = 0
  world.beforeRead = (question) => {
    if (question !== 'findFirst') return
    looks += 1
    if (looks === 1) world.clock.jump(5 * SECOND_MS)
  }
  outbox.wake()
  await world.until(() => looks > 0)
  await world.idle()
  await world.pass(0)
  expect(world.numbers).toEqual([1, 1])
})

describe('a read that begins during an attempt and ends after it', () => {
  /** Ends an attempt between the outbox's query for callbacks and the answer to the query. */
  async function lookAcross(outbox: ReturnType<typeof world.start>, ending: number): Promise<void> {
    await world.idle()
    const { promise: until, resolve: answer } = Promise.withResolvers<void>()
    let looks = 0
    world.beforeRead = () => {
      looks += 1
    }
    world.late = { question: 'findMany', until }
    outbox.wake()
    await world.until(() => looks > 0)
    await world.idle()
    world.late = undefined
    world.attempts[0]?.end(ending)
    await noted(1)
    answer()
    await world.idle()
  }

  it('does not cause a retry before the callback’s pause is over', async () => {
    world.answer = undefined
    await world.tell(1)
    const outbox = world.start()
    await world.until(() => world.numbers.length === 1)
    await lookAcross(outbox, 500)
    expect(world.numbers).toEqual([1])
    await world.pass(5 * SECOND_MS)
    await world.until(() => world.numbers.length === 2)
  })

  it('is followed by another read, so that later callbacks are sent immediately', async () => {
    world.answer = undefined
    await world.tell(1, { resource: 'invoice' })
    await world.tell(2, { resource: 'invoice', url: 'https://other.example/hook' })
    // Its receiver has enough to do, and wakes nobody.
    for (let number = 3; number < 33; number += 1) await world.tell(number)
    const outbox = world.start()
    await world.until(() => world.numbers.length === 16)
    await lookAcross(outbox, 204)
    await world.until(() => world.numbers.includes(2))
  })
})

it('a long error message is shortened to 500 characters', async () => {
  world.answer = () => new Error('x'.repeat(501))
  world.start()
  await world.tell(1)
  await noted(1)
  expect((await world.rows())[0]?.lastError).toBe('x'.repeat(500))
})

describe('a callback to a forbidden address', () => {
  it('is retried with one warning if its host name may later resolve differently', async () => {
    world.answer = () => new FetchRefused('address', 'not on the public Internet')
    world.start()
    await world.tell(1)
    await noted(1)
    const said = {
      level: 'warn',
      msg: 'a callback goes to an address that is never spoken to; it is tried again',
      reason: 'not on the public Internet',
      resource: 'thing:1',
    }
    await world.until(() => world.log.length > 0)
    expect(world.log).toMatchObject([said])
    await world.pass(5 * SECOND_MS)
    await noted(2)
    await world.idle()
    expect(world.log).toMatchObject([said])
  })

  it('is dead-lettered immediately if the address can never be permitted', async () => {
    world.answer = () => new FetchRefused('scheme', 'only https')
    world.start()
    await world.tell(1)
    await noted(1)
    expect(await world.rows()).toMatchObject([{ deadLetteredAt: expect.any(Date), nextAttemptAt: null }])
  })
})

describe('the callbacks of one resource', () => {
  const ABOUT = { resource: 'invoice' }

  it('wait while an earlier callback waits, but callbacks of other resources are sent', async () => {
    world.answer = ({ number }) => (number === 1 ? 500 : 204)
    await world.tell(1, ABOUT)
    await world.tell(2, ABOUT)
    await world.tell(3)
    world.start()
    await noted(2)
    const next = new Date(world.clock.now() + 5 * SECOND_MS)
    expect((await world.rows()).map(({ nextAttemptAt }) => nextAttemptAt)).toEqual([next, next, null])
    world.answer = () => 204
    await world.pass(5 * SECOND_MS)
    await noted(4)
    expect(world.numbers).toEqual([1, 3, 1, 2])
  })

  it('continue after a dead-lettered callback and skip callbacks that are finished', async () => {
    world.answer = ({ number }) => (number === 2 ? new FetchRefused('scheme', 'only https') : 204)
    for (const number of [1, 2, 3, 4, 5]) await world.tell(number, ABOUT)
    const later = new Date(world.clock.now() + HOUR_MS)
    await world.change(3, { deadLetteredAt: new Date(world.clock.now()), nextAttemptAt: null })
    await world.change(4, { deliveredAt: new Date(world.clock.now()), nextAttemptAt: null })
    await world.change(5, { nextAttemptAt: later })
    world.start()
    await noted(3)
    expect(world.numbers).toEqual([1, 2, 5])
    const rows = await world.rows()
    expect(rows.map(({ attempts }) => attempts)).toEqual([1, 1, 0, 0, 1])
    expect(rows.slice(2, 4).map(({ nextAttemptAt }) => nextAttemptAt)).toEqual([null, null])
  })

  it('are redelivered without waiting for a later callback that failed', async () => {
    world.answer = undefined
    for (const number of [1, 2]) await world.tell(number, ABOUT)
    await world.change(1, { deadLetteredAt: new Date(world.clock.now()), nextAttemptAt: null })
    const outbox = world.start()
    await world.until(() => world.numbers.length === 1)
    await world.change(1, { deadLetteredAt: null, nextAttemptAt: new Date(world.clock.now()) })
    world.attempts[0]?.end(500)
    await noted(1)
    outbox.wake()
    await world.until(() => world.numbers.length === 2)
    expect(world.numbers).toEqual([2, 1])
  })

  it('wait for an earlier callback even if that callback is due later', async () => {
    // Nobody answers: however often time passes below, the first attempt stays the only one.
    world.answer = undefined
    await world.tell(1, ABOUT)
    await world.tell(2, ABOUT)
    // The later one is due, the first is not.
    await world.change(1, { nextAttemptAt: new Date(world.clock.now() + MINUTE_MS) })
    world.start()
    await world.idle()
    expect(world.numbers).toEqual([])
    // On a server the look that this wakes up may come later.
    await world.until(async () => {
      if (world.numbers.length === 0) await world.pass(MINUTE_MS)
      return world.numbers.length > 0
    })
    expect(world.numbers).toEqual([1])
  })
})

it('a time written by a clock far ahead does not delay a callback', async () => {
  for (const number of [1, 2]) await world.tell(number)
  const ahead = (ms: number) => ({ nextAttemptAt: new Date(world.clock.now() + ms) })
  await world.change(1, ahead(8 * HOUR_MS))
  await world.change(2, ahead(8 * HOUR_MS + 1))
  world.start()
  await noted(1)
  await world.idle()
  expect(world.numbers).toEqual([2])
})

it('the outbox reads again when the earliest waiting callback is due', async () => {
  for (const number of [1, 2, 3]) await world.tell(number)
  const ahead = (ms: number) => ({ nextAttemptAt: new Date(world.clock.now() + ms) })
  await world.change(1, ahead(15 * SECOND_MS))
  await world.change(2, ahead(5 * SECOND_MS))
  await world.change(3, ahead(10 * SECOND_MS))
  world.start()
  await world.idle()
  for (const [index, number] of [2, 3, 1].entries()) {
    await world.pass(5 * SECOND_MS)
    await noted(index + 1)
    expect(world.numbers.at(-1)).toBe(number)
  }
})

it('the outbox checks for another process’s callbacks every 30 seconds', async () => {
  world.start()
  await world.idle()
  await world.tell(1, { wakes: false })
  await world.pass(29_999)
  expect(world.numbers).toEqual([])
  await world.pass(1)
  await noted(1)
})

describe('a crowd of callbacks', () => {
  const crowd = (size: number, about: { url?: string; projectId?: string } = {}) =>
    world.tellAll(Array.from({ length: size }, (_, number) => ({ number, ...about })))

  it('is sent 16 at a time if it goes to a single receiver', async () => {
    world.answer = undefined
    await crowd(40)
    world.start()
    await world.until(() => world.attempts.length === 16)
    await world.idle()
    expect(world.attempts).toHaveLength(16)
    for (let ended = 0; ended < 40; ended += 1) {
      world.attempts[ended]?.end(204)
      await world.until(() => world.attempts.length === Math.min(40, 17 + ended))
    }
    await noted(40)
    expect([...world.numbers].sort((one, other) => one - other)).toEqual(Array.from({ length: 40 }, (_, at) => at))
  })

  it('does not delay a callback to another receiver', async () => {
    world.answer = ({ url }) => (url.includes('slow') ? (undefined as never) : 204)
    await crowd(600, { url: 'https://slow.example/' })
    await world.tell(1_000)
    world.start()
    await world.until(() => world.numbers.includes(1_000))
    expect(world.attempts).toHaveLength(17)
  })

  it('is recorded with each callback’s own outcome', async () => {
    world.answer = ({ number }) => (number % 2 === 0 ? 204 : 500)
    await crowd(16)
    world.start()
    await noted(16)
    const rows = await world.rows()
    expect(rows.map(({ deliveredAt }) => deliveredAt !== null)).toEqual(rows.map((_, at) => at % 2 === 0))
    expect(rows.map(({ nextAttemptAt }) => nextAttemptAt?.getTime())).toEqual(
      rows.map((_, at) => (at % 2 === 0 ? undefined : world.clock.now() + 5_000)),
    )
  })
})

it('a stopping outbox finishes the current work and begins no more', async () => {
  world.answer = undefined
  for (let number = 0; number < 20; number += 1) await world.tell(number)
  const outbox = world.start()
  await world.until(() => world.attempts.length === 16)
  let isClosed = false
  const closing = outbox.close().then(() => {
    isClosed = true
  })
  await world.idle()
  expect(isClosed).toBe(false)
  for (const attempt of world.attempts) attempt.end(204)
  await closing
  expect(world.attempts).toHaveLength(16)
  expect((await world.rows()).filter(({ deliveredAt }) => deliveredAt !== null)).toHaveLength(16)
})
