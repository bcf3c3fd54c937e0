import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { silentLogger } from '../../src/lib/logger.ts'
import { msats } from '../../src/lib/money/amount.ts'
import type { ServerEvent } from '../../src/tipping/tipping.ts'
import { createServerFeed } from '../../src/web/public-api/event-feed.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { untilItHolds, untilQuiet } from '../support/until-it-holds.ts'

/** A connection that accepts everything, or reads nothing. */
class Connection extends EventEmitter {
  destroyed = false
  writableLength = 0
  readonly written: string[] = []
  readonly #reads: boolean

  constructor(reads: boolean) {
    super()
    this.#reads = reads
  }

  writeHead(): void {}

  write(text: string): void {
    this.written.push(text)
    if (!this.#reads) this.writableLength += text.length
  }

  end(): void {
    this.destroy()
  }

  destroy(): void {
    this.destroyed = true
    this.emit('close')
  }
}

/** Opens a feed of a growing book; `guildOf` returns the server of each event. */
function open(guildOf: (id: number) => string = () => 'guild') {
  const clock = new ManualClock()
  const book = { latest: 0 }
  const event = (id: number): ServerEvent => ({
    ...{ id, guild: guildOf(id), type: 'tip', at: new Date(0), channel: 'lounge', from: '1', to: '2' },
    amount: msats(1_000n),
  })
  const events = {
    latest: async () => book.latest,
    async after(cursor: number, most: number) {
      const last = Math.min(book.latest, cursor + most)
      return { events: Array.from({ length: last - cursor }, (_, at) => event(cursor + at + 1)), cursor: last }
    },
  }
  const about = { events, everybodySees: () => true, testMoney: () => true, clock, logger: silentLogger }
  const feed = createServerFeed(about)
  const add = async (connection: Connection, since?: number, key = 'key') => {
    const response = connection as unknown as ServerResponse
    await feed.add({ key, to: 'guild', response, since, isWelcome: async () => true })
  }
  const until = (holds: () => boolean) =>
    untilItHolds(async () => {
      await clock.advance(500)
      return holds()
    })
  return { book, feed, add, until }
}

const heard = ({ written }: Connection) =>
  written.flatMap((text) => /^id: (\d+)/.exec(text)?.[1] ?? []).map((id) => Number(id))
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)

it('the feed disconnects a reader that stops reading, and still serves the others', async () => {
  const { book, feed, add, until } = open()
  const [reading, silent] = [new Connection(true), new Connection(false)]
  for (const connection of [reading, silent]) await add(connection)
  await until(() => true)
  book.latest = 5_000
  await until(() => heard(reading).length === 5_000)
  expect(heard(reading)).toEqual(numbers(1, 5_000))
  expect([reading.destroyed, silent.destroyed]).toEqual([false, true])
  expect(silent.writableLength).toBeLessThan(129 * 1_024)
  await feed.close()
  expect(reading.destroyed).toBe(true)
})

it('the feed sends missed events to a returning reader, and repeats none to others', async () => {
  const { book, feed, add, until } = open()
  const [there, back] = [new Connection(true), new Connection(true)]
  book.latest = 3_000
  await add(there)
  await add(back, 1_000)
  book.latest = 3_005
  await until(() => heard(there).length === 5 && heard(back).length === 2_005)
  expect(heard(there)).toEqual(numbers(3_001, 3_005))
  expect(heard(back)).toEqual(numbers(1_001, 3_005))
  await expect(add(new Connection(true), 9_000)).rejects.toMatchObject({ status: 410 })
  await feed.close()
})

it('the feed sends a reader only the events of their own server', async () => {
  const { book, feed, add, until } = open((id) => (id % 2 === 0 ? 'guild' : 'elsewhere'))
  const [there, back] = [new Connection(true), new Connection(true)]
  book.latest = 10
  await add(there)
  await add(back, 0)
  book.latest = 20
  await until(() => heard(there).includes(20) && heard(back).includes(20))
  expect(heard(there)).toEqual([12, 14, 16, 18, 20])
  expect(heard(back)).toEqual([2, 4, 6, 8, 10, 12, 14, 16, 18, 20])
  await feed.close()
})

it('the feed accepts 2,000 readers, and refuses any more', async () => {
  const { feed, add, until } = open()
  const connections = Array.from({ length: 2_000 }, () => new Connection(true))
  for (const [nth, connection] of connections.entries()) await add(connection, undefined, `key-${nth}`)
  // The connection is kept alive for those who are told by then.
  await until(() => connections.every(({ written }) => written.length > 1))
  await expect(add(new Connection(true))).rejects.toMatchObject({ status: 503, code: 'too_many_readers' })
  await feed.close()
})

it('the feed allows one key at most 1,000 streams, without affecting other keys', async () => {
  const { feed, add } = open()
  const connections = Array.from({ length: 1_000 }, () => new Connection(true))
  for (const connection of connections) {
    await add(connection)
    await untilQuiet()
  }
  await expect(add(new Connection(true))).rejects.toMatchObject({ status: 429 })
  await add(new Connection(true), undefined, 'another')
  connections[0]?.destroy()
  await add(new Connection(true))
  await feed.close()
})

it('the feed limits simultaneous openings of streams, for one key and for all keys', async () => {
  const { feed, add } = open()
  const statusOf = (adding: Promise<void>) =>
    adding.then(
      () => 200,
      ({ status }: { status: number }) => status,
    )
  const statuses = await Promise.all(Array.from({ length: 300 }, () => statusOf(add(new Connection(true)))))
  expect(statuses.filter((status) => status === 200)).toHaveLength(20)
  expect(statuses.filter((status) => status === 429)).toHaveLength(280)
  // Of many keys, too, there are no more than it has places for.
  const ofMany = await Promise.all(
    Array.from({ length: 2_100 }, (_, nth) => statusOf(add(new Connection(true), undefined, `key-${nth}`))),
  )
  expect(ofMany.filter((status) => status === 503).length).toBeGreaterThanOrEqual(100)
  await feed.close()
})
