import { type Clock, pause } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import { startWorker, type Worker } from '../../lib/worker.ts'

/** Runs all background tasks, once or repeatedly. Starts no task after `close`. */
export class Activity {
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #running = new Set<Promise<unknown>>()
  readonly #repeated: Worker[] = []
  #closed = false

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock
    this.#logger = logger
  }

  get closed(): boolean {
    return this.#closed
  }

  /**
   * Runs a task in the background. Logs the task's error, which is either a bug or a sign that this process must stop
   * working.
   */
  run(name: string, task: () => Promise<unknown>): Promise<void> {
    if (this.#closed) return Promise.resolve()
    const running: Promise<void> = task()
      .then(
        () => undefined,
        (error: unknown) => {
          if (!this.#closed) this.#logger.error({ err: error, task: name }, 'a task in the background failed')
        },
      )
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
    return running
  }

  /** Repeats a task in the background, with pauses of `everyMs`. */
  every(name: string, everyMs: number, task: () => Promise<unknown>): void {
    // `run` logs a task's errors.
    const round = () => this.run(name, task)
    this.#repeated.push(startWorker({ clock: this.#clock, round, pauseMs: everyMs, failed: noop }))
  }

  /** Resolves when no task is running. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  /** Starts no more tasks, and waits up to `timeoutMs` for running ones. */
  async close(timeoutMs: number): Promise<void> {
    this.#closed = true
    // Not awaited: `idle` waits for running tasks, within its own time limit.
    for (const worker of this.#repeated) void worker.close()
    if (timeoutMs > 0) await within(this.#clock, this.idle(), timeoutMs)
  }
}

/**
 * Waits up to `timeoutMs` for a promise to settle; with 0, does not wait at all. Ignores a rejection, which other code
 * must handle.
 */
export async function within(clock: Clock, promise: Promise<unknown>, timeoutMs: number): Promise<void> {
  if (timeoutMs <= 0) return
  let cancel = () => {}
  const timeout = new Promise<void>((resolve) => {
    cancel = clock.after(timeoutMs, resolve)
  })
  await Promise.race([promise.then(noop, noop), timeout])
  cancel()
}

/**
 * Repeats a task with growing pauses as long as it throws errors that are temporary according to `passes`, and logs
 * each of these. Gives up, with the last error, once `activity` is closed.
 */
export async function persist<T>(
  { clock, activity, logger }: { clock: Clock; activity: Activity; logger: Logger },
  passes: (error: unknown) => boolean,
  task: () => Promise<T>,
): Promise<T> {
  for (let waitMs = 100; ; waitMs = Math.min(waitMs * 2, 60_000)) {
    try {
      return await task()
    } catch (error) {
      if (activity.closed || !passes(error)) throw error
      logger.warn({ err: error, waitMs }, 'the books cannot be written now; trying again')
      await pause(clock, waitMs)
    }
  }
}

function noop(): void {}
