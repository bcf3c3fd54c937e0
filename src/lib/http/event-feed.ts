import type { ServerResponse } from 'node:http'
import type { Clock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import { pauseAfterFailures } from '../pause-after-failures.ts'
import { type RoundWorker, startWorker } from '../worker.ts'
import { HttpProblem } from './http-problem.ts'

/** An event. The numbers of events grow in the order in which the events are committed, but with gaps. */
export interface FeedEvent {
  readonly id: number
}

/** Events in order, and the number up to which the book was read. */
export interface FeedPage<Event extends FeedEvent> {
  readonly events: readonly Event[]
  readonly cursor: number
}

/** The source of events. Several processes may write events, and each process has its own feed. */
export interface FeedSource<Event extends FeedEvent, To> {
  /** Returns the latest event's number; 0 if there is none. */
  latest(): Promise<number>
  /** Returns events after a number, for all readers. */
  after(cursor: number, most: number): Promise<FeedPage<Event>>
  /** Returns the events after a number for one reader, who may not need all of them. Default: `after`. */
  missedBy?(to: To, cursor: number, most: number): Promise<FeedPage<Event>>
}

export interface FeedOptions<Event extends FeedEvent, To> {
  readonly source: FeedSource<Event, To>
  readonly isFor: (event: Event, to: To) => boolean
  /** Formats an event for the stream, with the blank line at its end. The text is the same for all readers. */
  readonly text: (event: Event) => string
  /** The most numbers by which a reader who resumes may be behind. Default: no limit. */
  readonly maxBehind?: number
  /** How many events are read at a time. */
  readonly pageSize: number
  /**
   * The most unread bytes of a reader. A reader with more is dropped, so the limit must exceed a page of ordinary
   * events.
   */
  readonly maxUnreadBytes: number
  /**
   * The most simultaneous readers, in total and for one key. Each reader costs a write for each event, but no query.
   */
  readonly maxReaders?: number
  readonly maxStreamsOfKey?: number
  readonly clock: Clock
  readonly logger: Logger
}

/** A listener on the stream. */
export interface FeedReader<To> {
  /** The id of the reader's key. */
  readonly key: string
  /** The owner of the events that the reader gets. */
  readonly to: To
  readonly response: ServerResponse
  /** The number of the last event that the reader has; undefined for a reader who wants only new events. */
  readonly since: number | undefined
  /** Whether the reader's key is still valid. This is checked at intervals. */
  readonly isWelcome: () => Promise<boolean>
}

/** How often the book is read while somebody listens. */
const LOOK_EVERY_MS = 400
/**
 * How often readers get a comment, so that proxies do not end a quiet connection, and how often their keys are checked.
 */
const BEAT_EVERY_MS = 15_000
/** How long to wait for a reader to accept a missed event, after which the reader is dropped. */
const STALLED_AFTER_MS = 30_000
/** The default of `maxReaders`. */
const MAX_READERS = 1_000
/**
 * The most readers of one key who catch up at once, and the default of `maxStreamsOfKey`. With these limits, one key
 * leaves room for others.
 */
const MAX_CATCHING_UP = 20
const MAX_STREAMS_OF_KEY = 50

/**
 * A feed that sends events to readers in order, once each, with one query for all readers (server-sent events). A
 * reader who does not read is dropped before the waiting events fill the memory, and can resume after the last event
 * received.
 */
export class EventFeed<Event extends FeedEvent, To> {
  readonly #options: FeedOptions<Event, To>
  readonly #readers = new Map<FeedReader<To>, { last: number }>()
  readonly #worker: RoundWorker
  /** The number up to which the events were sent to all readers; undefined without readers. */
  #cursor: number | undefined
  /** The readers who are still getting the events that they missed. */
  readonly #catchingUp = new Set<FeedReader<To>>()
  /**
   * The readers who wait for the start of their stream. They count toward the limits from the beginning, so that many
   * simultaneous readers do not all pass.
   */
  readonly #arriving = new Set<FeedReader<To>>()
  #isClosed = false
  #beatAt = 0

  constructor(options: FeedOptions<Event, To>) {
    this.#options = options
    const failed = (err: unknown) => options.logger.warn({ err }, 'events could not be read; it is tried again')
    const pauseMs = (failures: number) => {
      if (failures > 0) return pauseAfterFailures(failures)
      return this.#readers.size === 0 ? Number.POSITIVE_INFINITY : LOOK_EVERY_MS
    }
    this.#worker = startWorker({ clock: options.clock, round: () => this.#look(), pauseMs, failed })
  }

  /** Reports that there may be new events. A call is cheap, so unnecessary calls do no harm. */
  wake(): void {
    if (this.#readers.size > 0) this.#worker.wake()
  }

  /**
   * Starts sending to a reader. Throws HttpProblem if there are too many readers, or if this one has missed too much.
   */
  async add(reader: FeedReader<To>): Promise<void> {
    this.#refuseCrowd(reader)
    this.#arriving.add(reader)
    try {
      await this.#begin(reader)
    } finally {
      this.#arriving.delete(reader)
    }
  }

  async #begin(reader: FeedReader<To>): Promise<void> {
    const latest = Math.max(await this.#options.source.latest(), this.#cursor ?? 0)
    const since = reader.since ?? latest
    if (since > latest || latest - since > (this.#options.maxBehind ?? Number.POSITIVE_INFINITY)) {
      const message =
        'This Last-Event-ID is unknown, or too much has happened since. To begin with the next event, send no Last-Event-ID.'
      throw new HttpProblem(410, 'events_expired', message)
    }
    const { response } = reader
    // The reader left meanwhile.
    if (response.destroyed) return
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // An ended stream keeps no connection open, so closing waits for none.
      connection: 'close',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    })
    response.write(': hello\n\n')
    response.on('error', () => response.destroy())
    this.#catchingUp.add(reader)
    void this.#catchUp(reader, since)
      .catch((err: unknown) => {
        this.#options.logger.warn({ err }, 'missed events could not be sent to a reader')
        response.destroy()
      })
      .finally(() => this.#catchingUp.delete(reader))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const { response } of [...this.#readers.keys(), ...this.#catchingUp]) {
      // Without readers, nobody waits for events.
      if (response.writableLength > 0) response.destroy()
      else response.end()
    }
    this.#readers.clear()
    await this.#worker.close()
  }

  #refuseCrowd({ key }: FeedReader<To>): void {
    const countOf = (readers: Iterable<FeedReader<To>>) => [...readers].filter((each) => each.key === key).length
    const behind = countOf(this.#catchingUp) + countOf(this.#arriving)
    if (behind >= MAX_CATCHING_UP) {
      throw tooMany('Too many streams begin at once with this key. Try again in 1 s.', '1')
    }
    if (behind + countOf(this.#readers.keys()) >= (this.#options.maxStreamsOfKey ?? MAX_STREAMS_OF_KEY)) {
      throw tooMany('This key has too many streams. End some of them first.', '60')
    }
    const all = this.#readers.size + this.#catchingUp.size + this.#arriving.size
    if (all >= (this.#options.maxReaders ?? MAX_READERS)) {
      const headers = { 'retry-after': '60' }
      throw new HttpProblem(
        503,
        'too_many_readers',
        'Too many programs are reading events right now. Try again in a minute.',
        headers,
      )
    }
  }

  /** Sends a reader the missed events, as fast as the reader accepts them, until the reader has caught up. */
  async #catchUp(reader: FeedReader<To>, since: number): Promise<void> {
    const { source, pageSize } = this.#options
    const { response, to } = reader
    for (let cursor = since; ; ) {
      const page = await (source.missedBy?.(to, cursor, pageSize) ?? source.after(cursor, pageSize))
      for (const event of page.events) {
        if (this.#isClosed || response.destroyed) break
        this.#tell([event], [[reader, { last: since }]])
        await this.#hasRead(response)
      }
      if (this.#isClosed) response.end()
      if (this.#isClosed || response.destroyed) return
      const isAtTheEnd = page.cursor === cursor
      cursor = page.cursor
      // In the same turn as joining, so that nothing is missed in between.
      if (!isAtTheEnd || cursor < (this.#cursor ?? 0)) continue
      this.#cursor ??= cursor
      this.#readers.set(reader, { last: cursor })
      response.on('close', () => this.#readers.delete(reader))
      this.#worker.wake()
      return
    }
  }

  /** Waits until a reader has room for more, or is gone. */
  async #hasRead(response: ServerResponse): Promise<void> {
    if (!response.writableNeedDrain || response.destroyed) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const forget = this.#options.clock.after(STALLED_AFTER_MS, () => response.destroy())
    for (const event of ['drain', 'close']) response.once(event, resolve)
    await promise
    forget()
    for (const event of ['drain', 'close']) response.off(event, resolve)
  }

  async #look(): Promise<void> {
    const { source, pageSize } = this.#options
    for (;;) {
      if (this.#readers.size === 0) {
        this.#cursor = undefined
        return
      }
      const from = this.#cursor ?? (await source.latest())
      const { events, cursor } = await source.after(from, pageSize)
      this.#tell(events, this.#readers)
      this.#cursor = cursor
      if (cursor === from) break
    }
    this.#beat()
  }

  #tell(events: readonly Event[], readers: Iterable<readonly [FeedReader<To>, { last: number }]>): void {
    const { isFor, text } = this.#options
    for (const event of events) {
      let written: string | undefined
      for (const [reader, state] of readers) {
        if (event.id <= state.last || !isFor(event, reader.to)) continue
        state.last = event.id
        written ??= text(event)
        this.#send(reader, written)
      }
    }
  }

  /**
   * Writes a text to a reader, or drops the reader if too many bytes would wait. If none wait yet, a text of any length
   * is written.
   */
  #send(reader: FeedReader<To>, text: string): void {
    const { response } = reader
    const waiting = response.writableLength
    if (waiting === 0 || waiting + text.length <= this.#options.maxUnreadBytes) return void response.write(text)
    this.#readers.delete(reader)
    response.destroy()
  }

  /**
   * Sends every reader a comment, and ends the streams whose key is no longer valid. Events do not wait for these
   * checks, and a key that cannot be checked counts as valid.
   */
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

  async #ask({ isWelcome }: FeedReader<To>): Promise<boolean> {
    try {
      return await isWelcome()
    } catch (err) {
      if (!this.#isClosed) this.#options.logger.warn({ err }, 'the key of an event reader could not be checked')
      return true
    }
  }
}

function tooMany(message: string, retryAfter: string): HttpProblem {
  return new HttpProblem(429, 'rate_limited', message, { 'retry-after': retryAfter })
}
