import type { Clock } from './clock.ts'
import { pauseAfterFailures } from './pause-after-failures.ts'

/** Something that runs beside the requests, from start to stop. */
export interface Worker {
  /** Finishes what runs and leaves the rest to the next start. */
  close(): Promise<void>
}

/** A worker that takes rounds, one at a time. */
export interface RoundWorker extends Worker {
  /** Says that there is something to do: a round begins now, or right after the one that runs. Cheap, and safe to call too often. */
  wake(): void
  /** The same after `ms` of the clock's time, if no round begins before. Infinity: never. */
  wakeIn(ms: number): void
  /** Resolves when no round runs. */
  idle(): Promise<void>
}

export interface WorkerOptions {
  readonly clock: Clock
  /** One round. `closing` aborts when the worker is closed: a long round looks at it. */
  readonly round: (closing: AbortSignal) => Promise<unknown>
  /**
   * Milliseconds from the end of a round to the next, read after each round; Infinity: the worker waits to be woken.
   * `failures` is how many rounds failed in a row up to now.
   */
  readonly pauseMs: number | ((failures: number) => number | Promise<number>)
  /** Milliseconds until the first round; 0: at once. Left out: `pauseMs`. */
  readonly firstInMs?: number
  /** Hears what a round, or `pauseMs`, threw. */
  readonly failed: (error: unknown) => void
}

/**
 * Starts the loop of something that works in the background: a round, a pause, the next round. Rounds never overlap. A round that
 * throws is followed by another one. After `close` no round begins.
 */
export function startWorker(options: WorkerOptions): RoundWorker {
  const worker = new Rounds(options)
  worker.start()
  return worker
}

class Rounds implements RoundWorker {
  readonly #options: WorkerOptions
  readonly #closing = new AbortController()
  #running: Promise<void> | undefined
  #again = false
  #failures = 0
  #timer: { readonly at: number; readonly cancel: () => void } | undefined

  constructor(options: WorkerOptions) {
    this.#options = options
  }

  start(): void {
    const { firstInMs } = this.#options
    if (firstInMs === 0) this.wake()
    else if (firstInMs !== undefined) this.wakeIn(firstInMs)
    else this.#running = this.#takeRounds()
  }

  wake(): void {
    if (this.#closing.signal.aborted) return
    this.#again = true
    this.#running ??= this.#takeRounds()
  }

  wakeIn(ms: number): void {
    const { clock } = this.#options
    const at = clock.monotonic() + ms
    if (this.#closing.signal.aborted || at === Number.POSITIVE_INFINITY) return
    if (this.#timer !== undefined && this.#timer.at <= at) return
    this.#timer?.cancel()
    const cancel = clock.after(ms, () => {
      this.#timer = undefined
      this.wake()
    })
    this.#timer = { at, cancel }
  }

  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#forgetTimer()
    await this.#running
  }

  async #takeRounds(): Promise<void> {
    do {
      if (this.#again) await this.#takeRound()
      if (!this.#again && !this.#closing.signal.aborted) await this.#rest()
    } while (this.#again && !this.#closing.signal.aborted)
    // Not a turn later: a caller that wakes it from here on must find that nothing runs.
    this.#running = undefined
  }

  async #takeRound(): Promise<void> {
    this.#again = false
    // The timer's purpose is done now.
    this.#forgetTimer()
    try {
      await this.#options.round(this.#closing.signal)
      this.#failures = 0
    } catch (error) {
      this.#fail(error)
    }
  }

  /** Sets the timer for the next round. */
  async #rest(): Promise<void> {
    const { pauseMs } = this.#options
    try {
      this.wakeIn(typeof pauseMs === 'number' ? pauseMs : await pauseMs(this.#failures))
    } catch (error) {
      this.#fail(error)
      this.wakeIn(pauseAfterFailures(this.#failures))
    }
  }

  #fail(error: unknown): void {
    this.#failures += 1
    this.#options.failed(error)
  }

  #forgetTimer(): void {
    this.#timer?.cancel()
    this.#timer = undefined
  }
}
