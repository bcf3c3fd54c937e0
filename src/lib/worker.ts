import type { Clock } from './clock.ts'
import { pauseAfterFailures } from './pause-after-failures.ts'

/** Work that runs alongside the requests, from start to stop. */
export interface Worker {
  /** Finishes the work that is under way, and leaves the rest to the next start. */
  close(): Promise<void>
}

/** A worker that runs rounds, one at a time. */
export interface RoundWorker extends Worker {
  /**
   * Reports that there is work: a round begins now, or right after the present one. A call is cheap, so unnecessary
   * calls do no harm.
   */
  wake(): void
  /** Calls `wake` after `ms` of the clock's time, unless a round begins earlier. With Infinity, does nothing. */
  wakeIn(ms: number): void
  /** Resolves when no round is running. */
  idle(): Promise<void>
}

export interface WorkerOptions {
  readonly clock: Clock
  /** Runs one round. `closing` aborts when the worker is closed, and a long round must check it. */
  readonly round: (closing: AbortSignal) => Promise<unknown>
  /**
   * The milliseconds from a round's end to the start of the next, read after each round. With Infinity, the worker
   * waits to be woken. `failures` is the number of consecutive failed rounds.
   */
  readonly pauseMs: number | ((failures: number) => number | Promise<number>)
  /** The milliseconds until the first round; with 0, it begins immediately. Default: `pauseMs`. */
  readonly firstInMs?: number
  /** Receives what a round, or `pauseMs`, threw. */
  readonly failed: (error: unknown) => void
}

/**
 * Starts a background loop: a round, a pause, the next round. Rounds never overlap. After a round that throws, the next
 * one still runs. After `close` no round begins.
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
    // Not a turn later: a caller that wakes it from here on must find nothing running.
    this.#running = undefined
  }

  async #takeRound(): Promise<void> {
    this.#again = false
    // The timer has served its purpose.
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
