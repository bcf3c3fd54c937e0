import type { ServerResponse } from 'node:http'
import type { Clock } from '../../lib/clock.ts'
import { HttpProblem } from '../../lib/http/http-server.ts'
import type { Logger } from '../../lib/logger.ts'
import { pauseAfterFailures } from '../../lib/pause-after-failures.ts'
import { type RoundWorker, startWorker } from '../../lib/worker.ts'
import type { ServerEvent, ServerEvents } from '../../tipping/tipping.ts'
import type { EventAnswer } from './answers.ts'

export interface FeedOptions {
  readonly events: ServerEvents
  /** Whether everybody in the server sees a channel: what is in others is told to nobody. */
  readonly everybodySees: (channel: string) => boolean
  readonly testMoney: () => boolean
  readonly clock: Clock
  readonly logger: Logger
}

/** Somebody who reads along. */
export interface Reader {
  /** Their key's id. */
  readonly key: string
  readonly guild: string
  readonly response: ServerResponse
  /** The last event that they have; undefined: from now on. */
  readonly since: number | undefined
  /** Whether their key still works; asked now and then. */
  readonly isWelcome: () => Promise<boolean>
}

/** While somebody reads, the book is looked at so often. */
const LOOK_EVERY_MS = 400
/** Entries of the book at a time: what they tell is less than a reader may have left unread. */
const BATCH_SIZE = 200
/** So many entries of the book back, reading can go on; a program that was away for longer begins from now on. */
const MAX_BEHIND = 20_000
/** A comment keeps proxies from ending a quiet connection, and the key is looked at again. */
const BEAT_EVERY_MS = 15_000
/** Who has not read so much is dropped. */
const MAX_UNREAD_BYTES = 128 * 1_024
const MAX_READERS = 1_000
/** Of one key, at once: those that are told what they missed, and all together, so that a key leaves room for others. */
const MAX_CATCHING_UP = 20
const MAX_STREAMS_OF_KEY = 50

/** Tells readers of what happens, in order: one look at the book for all of them. */
export class EventFeed {
  readonly #options: FeedOptions
  readonly #readers = new Map<Reader, { last: number }>()
  readonly #worker: RoundWorker
  /** Up to where all readers have been told. */
  #cursor: number | undefined
  /** How many readers of each key are told what they missed. */
  readonly #catchingUp = new Map<string, number>()
  #isClosed = false
  #beatAt = 0

  constructor(options: FeedOptions) {
    this.#options = options
    const failed = (err: unknown) => options.logger.warn({ err }, 'events could not be read; it is tried again')
    const pauseMs = (failures: number) => {
      if (failures > 0) return pauseAfterFailures(failures)
      return this.#readers.size === 0 ? Number.POSITIVE_INFINITY : LOOK_EVERY_MS
    }
    this.#worker = startWorker({ clock: options.clock, round: () => this.#look(), pauseMs, failed })
  }

  /** Begins to tell somebody. Throws HttpProblem where there are too many, or where they have missed too much. */
  async add(reader: Reader): Promise<void> {
    if ((this.#catchingUp.get(reader.key) ?? 0) >= MAX_CATCHING_UP) {
      const headers = { 'retry-after': '1' }
      throw new HttpProblem(
        429,
        'rate_limited',
        'Too many streams begin at once with this key. Try again in 1 s.',
        headers,
      )
    }
    if (this.#streamsOf(reader.key) >= MAX_STREAMS_OF_KEY) {
      const headers = { 'retry-after': '60' }
      throw new HttpProblem(429, 'rate_limited', 'This key has too many streams. End some of them first.', headers)
    }
    if (this.#readers.size >= MAX_READERS) {
      throw new HttpProblem(503, 'too_many_readers', 'Too many programs read events now. Try again in a minute.')
    }
    const latest = await this.#options.events.latest()
    const since = reader.since ?? latest
    if (since > latest || latest - since > MAX_BEHIND) {
      const message = 'Too much has happened since this Last-Event-ID. Send none, to begin from now on.'
      throw new HttpProblem(410, 'events_expired', message)
    }
    const { response } = reader
    // They left meanwhile.
    if (response.destroyed) return
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // A stream that has ended keeps no connection, so that closing waits for none.
      connection: 'close',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    })
    response.write(': hello\n\n')
    response.on('error', () => response.destroy())
    this.#count(reader.key, 1)
    void this.#catchUp(reader, since)
      .catch((err: unknown) => {
        this.#options.logger.warn({ err }, 'a reader of events could not be told what it missed')
        response.destroy()
      })
      .finally(() => this.#count(reader.key, -1))
  }

  #streamsOf(key: string): number {
    const reading = [...this.#readers.keys()].filter((reader) => reader.key === key)
    return reading.length + (this.#catchingUp.get(key) ?? 0)
  }

  #count(key: string, change: 1 | -1): void {
    const count = (this.#catchingUp.get(key) ?? 0) + change
    if (count === 0) this.#catchingUp.delete(key)
    else this.#catchingUp.set(key, count)
  }

  /** Tells a reader what they missed, beside the others, until they have what the others have. */
  async #catchUp(reader: Reader, since: number): Promise<void> {
    for (let cursor = since; ; ) {
      const page = await this.#options.events.after(cursor, BATCH_SIZE)
      if (this.#isClosed) reader.response.end()
      if (this.#isClosed || reader.response.destroyed) return
      this.#tell(page.events, [[reader, { last: since }]])
      const isAtTheEnd = page.cursor === cursor
      cursor = page.cursor
      // In one turn with joining, so that nothing is told in between.
      if (!isAtTheEnd || cursor < (this.#cursor ?? 0)) continue
      this.#cursor ??= cursor
      this.#readers.set(reader, { last: cursor })
      reader.response.on('close', () => this.#readers.delete(reader))
      this.#worker.wake()
      return
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const { response } of this.#readers.keys()) response.end()
    this.#readers.clear()
    await this.#worker.close()
  }

  async #look(): Promise<void> {
    for (;;) {
      if (this.#readers.size === 0) {
        this.#cursor = undefined
        return
      }
      const from = this.#cursor ?? (await this.#options.events.latest())
      const { events, cursor } = await this.#options.events.after(from, BATCH_SIZE)
      this.#tell(events, this.#readers)
      this.#cursor = cursor
      if (cursor === from) break
    }
    this.#beat()
  }

  #tell(events: readonly ServerEvent[], readers: Iterable<readonly [Reader, { last: number }]>): void {
    const { everybodySees, testMoney } = this.#options
    for (const event of events) {
      if (event.channel !== undefined && !everybodySees(event.channel)) continue
      const text = written(event, testMoney())
      for (const [reader, state] of readers) {
        if (reader.guild !== event.guild || event.id <= state.last) continue
        state.last = event.id
        this.#send(reader, text)
      }
    }
  }

  #send(reader: Reader, text: string): void {
    const { response } = reader
    if (response.writableLength + text.length <= MAX_UNREAD_BYTES) return void response.write(text)
    this.#readers.delete(reader)
    response.destroy()
  }

  /** Ends streams whose key no longer works. Nobody's events wait for what Discord says of one; a key that cannot be looked at stays. */
  #beat(): void {
    const now = this.#options.clock.monotonic()
    if (now - this.#beatAt < BEAT_EVERY_MS) return
    this.#beatAt = now
    const asked = new Map<string, Promise<boolean>>()
    for (const reader of [...this.#readers.keys()]) {
      this.#send(reader, ': still here\n\n')
      const asking = asked.get(reader.key) ?? this.#ask(reader)
      asked.set(reader.key, asking)
      void asking.then((isWelcome) => isWelcome || reader.response.end())
    }
  }

  async #ask({ isWelcome }: Reader): Promise<boolean> {
    try {
      return await isWelcome()
    } catch (err) {
      if (!this.#isClosed) this.#options.logger.warn({ err }, 'the key of a reader of events could not be looked at')
      return true
    }
  }
}

function written(event: ServerEvent, testMoney: boolean): string {
  const { id, type, at, channel = null, from = null, to = null, amount } = event
  const data: EventAnswer = { type, at: at.toISOString(), channel, from, to, amountMsats: amount.toString(), testMoney }
  return `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`
}
