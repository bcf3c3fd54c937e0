import type { Clock } from '../../src/lib/clock.ts'
import { quiet } from './wait-until-idle.ts'

interface Timer {
  readonly due: number
  readonly order: number
  readonly action: () => void
  readonly owner: ProcessClock | undefined
  cancelled: boolean
}

/**
 * The times at which worlds begin: New Year's night, and days shortly before clocks change, in both directions, on
 * three continents.
 */
export const BEGINNINGS = [
  '2030-01-01T00:00Z',
  '2030-03-09T08:00Z',
  '2030-03-30T08:00Z',
  '2030-04-06T08:00Z',
  '2030-10-05T08:00Z',
  '2030-10-26T08:00Z',
  '2030-11-02T08:00Z',
].map((text) => Date.parse(text))

/**
 * The one time of a simulated world. It passes only with `advance`. Each process sees it through its own clock, which
 * ends with the process and whose wall time can be wrong.
 */
export class Timeline implements Clock {
  readonly #start: number
  /** The timers, as a binary heap ordered by time, then by the order in which they were set. */
  readonly #timers: Timer[] = []
  #passed = 0
  #order = 0
  #rests = 0

  constructor(start = BEGINNINGS[0] as number) {
    this.#start = start
  }

  /** How often everything has come to rest between two timers. */
  get rests(): number {
    return this.#rests
  }

  now(): number {
    return this.#start + this.#passed
  }

  monotonic(): number {
    return this.#passed
  }

  after(delayMs: number, action: () => void): () => void {
    return this.schedule(delayMs, action, undefined)
  }

  schedule(delayMs: number, action: () => void, owner: ProcessClock | undefined): () => void {
    this.#order += 1
    const timer = { due: this.#passed + Math.max(delayMs, 0), order: this.#order, action, owner, cancelled: false }
    this.#push(timer)
    return () => {
      timer.cancelled = true
    }
  }

  /**
   * Lets time pass, timer by timer. All running work, and the work that each timer begins, ends before the next timer
   * fires.
   */
  async advance(ms: number): Promise<void> {
    await quiet()
    const until = this.#passed + ms
    for (;;) {
      const [next] = this.#timers
      if (next === undefined || next.due > until) break
      this.#pop()
      if (next.cancelled || next.owner?.ended) continue
      this.#passed = Math.max(this.#passed, next.due)
      next.action()
      await quiet()
      this.#rests += 1
    }
    this.#passed = until
  }

  #push(timer: Timer): void {
    const heap = this.#timers
    let at = heap.push(timer) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!before(timer, heap[parent] as Timer)) break
      heap[at] = heap[parent] as Timer
      at = parent
    }
    heap[at] = timer
  }

  #pop(): void {
    const heap = this.#timers
    const last = heap.pop() as Timer
    if (heap.length === 0) return
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && before(heap[child + 1] as Timer, heap[child] as Timer)) child += 1
      if (!before(heap[child] as Timer, last)) break
      heap[at] = heap[child] as Timer
      at = child
    }
    heap[at] = last
  }
}

function before(a: Timer, b: Timer): boolean {
  return a.due < b.due || (a.due === b.due && a.order < b.order)
}

/** Time as one process sees it. */
export class ProcessClock implements Clock {
  readonly #timeline: Timeline
  readonly #startedAt: number
  #offset: number
  ended = false

  constructor(timeline: Timeline, offsetMs = 0) {
    this.#timeline = timeline
    this.#startedAt = timeline.monotonic()
    this.#offset = offsetMs
  }

  now(): number {
    return this.#timeline.now() + this.#offset
  }

  monotonic(): number {
    return this.#timeline.monotonic() - this.#startedAt
  }

  after(delayMs: number, action: () => void): () => void {
    return this.ended ? () => undefined : this.#timeline.schedule(delayMs, action, this)
  }

  /** Sets the wall clock forward or back, as an operator or NTP would. */
  jump(ms: number): void {
    this.#offset += ms
  }

  get offsetMs(): number {
    return this.#offset
  }
}
