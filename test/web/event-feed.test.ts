import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { silentLogger } from '../../src/lib/logger.ts'
import { msats } from '../../src/lib/money/amount.ts'
import type { ServerEvent } from '../../src/tipping/tipping.ts'
import { EventFeed } from '../../src/web/public-api/event-feed.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { untilItHolds } from '../support/until-it-holds.ts'

/** A connection that takes everything, or reads nothing. */
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

it('drops a reader who never reads, and tells the others everything once', async () => {
  const clock = new ManualClock()
  let latest = 0
  const event = (id: number): ServerEvent => ({
    ...{ id, guild: 'guild', type: 'tip', at: new Date(0), channel: 'lounge', from: '1', to: '2' },
    amount: msats(1_000n),
  })
  const events = {
    latest: async () => latest,
    async after(cursor: number, most: number) {
      const last = Math.min(latest, cursor + most)
      return { events: Array.from({ length: last - cursor }, (_, at) => event(cursor + at + 1)), cursor: last }
    },
  }
  const about = { events, everybodySees: () => true, testMoney: () => true, clock, logger: silentLogger }
  const feed = new EventFeed(about)
  const [reading, silent] = [new Connection(true), new Connection(false)]
  for (const connection of [reading, silent]) {
    const response = connection as unknown as ServerResponse
    await feed.add({ key: 'key', guild: 'guild', response, since: undefined, isWelcome: async () => true })
  }
  latest = 5_000
  const heard = () => reading.written.filter((text) => text.startsWith('id: '))
  await untilItHolds(async () => {
    await clock.advance(500)
    return heard().length === 5_000
  })
  expect(new Set(heard()).size).toBe(5_000)
  expect([reading.destroyed, silent.destroyed]).toEqual([false, true])
  expect(silent.writableLength).toBeLessThan(129 * 1_024)
  await feed.close()
  expect(reading.destroyed).toBe(true)
})
