import type { Clock } from '../../src/lib/clock.ts'
import { serversAnswered } from './postgres/pending.ts'

interface Timer {
  readonly due: number
  readonly order: number
  readonly action: () => void
}

/**
 * A clock that stands still until the test moves it. Wall clock and monotonic clock advance together with `advance`;
 * `jump` moves the wall clock alone, as an operator or NTP would.
 */
export class ManualClock implements Clock {
  #wall: number
  #monotonic = 0
  #order = 0
  readonly #timers = new Set<Timer>()

  constructor(startMs: number = Date.UTC(2030, 0, 1)) {
    this.#wall = startMs
  }

  now(): number {
    return this.#wall
  }

  monotonic(): number {
    return this.#monotonic
  }

  after(delayMs: number, action: () => void): () => void {
    this.#order += 1
    const timer = { due: this.#monotonic + Math.max(delayMs, 0), order: this.#order, action }
    this.#timers.add(timer)
    return () => void this.#timers.delete(timer)
  }

  /** The number of waiting timers. A test that ends with timers left has leaked them. */
  get pending(): number {
    return this.#timers.size
  }

  /** The milliseconds until the next timer is due, or undefined if none is waiting. */
  get nextInMs(): number | undefined {
    const next = this.#next()
    return next === undefined ? undefined : Math.max(next.due - this.#monotonic, 0)
  }

  /**
   * Lets `ms` pass: fires every timer due within it, in the order of their times (then of their creation), each at its
   * own moment. Between timers, the callbacks of resolved promises run, so that timers set by them also fire.
   */
  async advance(ms: number): Promise<void> {
    const until = this.#monotonic + ms
    await settle()
    for (let timer = this.#next(); timer !== undefined && timer.due <= until; timer = this.#next()) {
      this.#timers.delete(timer)
      this.#forward(Math.max(timer.due - this.#monotonic, 0))
      timer.action()
      await settle()
    }
    this.#forward(until - this.#monotonic)
  }

  /**
   * Lets time pass until `promise` settles, one timer after the other, and returns its result. Timers further away than
   * `longestWaitMs` do not fire: they are time limits of requests that the network will soon answer.
   */
  async advanceUntil<T>(promise: Promise<T>, longestWaitMs = Number.POSITIVE_INFINITY): Promise<T> {
    let settled = false
    const end = () => {
      settled = true
    }
    promise.then(end, end)
    for (;;) {
      await settle()
      if (settled) return await promise
      const wait = this.nextInMs
      if (wait !== undefined && wait <= longestWaitMs) await this.advance(wait)
    }
  }

  /** Moves the wall clock alone, forwards or back; fires nothing. */
  jump(ms: number): void {
    this.#wall += ms
  }

  /** Lets time pass while the process is frozen: timers due by the end of that time fire at the next `advance`. */
  freeze(ms: number): void {
    this.#forward(ms)
  }

  #forward(ms: number): void {
    this.#monotonic += ms
    this.#wall += ms
  }

  #next(): Timer | undefined {
    let next: Timer | undefined
    for (const timer of this.#timers) {
      if (next === undefined || timer.due < next.due || (timer.due === next.due && timer.order < next.order))
        next = timer
    }
    return next
  }
}

/**
 * Lets everything that is ready run: promise jobs and, for one turn of the event loop, input that has arrived. A
 * server's answer takes more than a turn: if the books are on a server, its answers are awaited.
 */
async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
  while (await serversAnswered()) await new Promise((resolve) => setImmediate(resolve))
}
