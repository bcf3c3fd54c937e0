import { nextTurn } from '../lib/turns.ts'
import type { LedgerChange } from './change.ts'
import { LedgerUnavailable } from './refusals.ts'

/** The outcome of one change in a batch. */
export type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown }

/**
 * Writes changes in one transaction. Resolves to an outcome for each change, in order, after the whole transaction is
 * durable. Rejects if the transaction failed as a whole. May call `released` earlier, if the next batch can be written
 * before this one may be answered.
 */
export type Batch<Tx> = (changes: readonly LedgerChange<Tx, unknown>[], released: () => void) => Promise<Outcome[]>

interface Waiting<Tx> {
  readonly change: LedgerChange<Tx, unknown>
  readonly settle: (outcome: Outcome) => void
}

/**
 * The most turns for which a batch waits, so that it starts soon even under a steady stream of changes. A turn takes a
 * few milliseconds.
 */
const MAX_TURNS = 16
/** How many callers are answered in one turn of the event loop. Each then works for up to two milliseconds. */
const ANSWERS_A_TURN = 8
/**
 * How many changes with their own statements share a transaction. On SQLite, each takes about a millisecond of one
 * turn.
 */
const MAX_WITH_STATEMENTS = 16

/**
 * Groups commits. A commit costs a write to the disk, whatever its size, so the changes that arrive while one batch is
 * written become the next batch. Nobody is answered before the batch is durable.
 */
export class CommitQueue<Tx> {
  readonly #write: Batch<Tx>
  readonly #maxBatch: number
  #waiting: Waiting<Tx>[] = []
  #running: Promise<void> | undefined
  /** Resolves when every started batch is answered. */
  #answered = Promise.resolve()
  #closed = false

  constructor(write: Batch<Tx>, maxBatch: number) {
    this.#write = write
    this.#maxBatch = maxBatch
  }

  add<T>(change: LedgerChange<Tx, T>): Promise<T> {
    if (this.#closed) return Promise.reject(new LedgerUnavailable('the ledger is closed'))
    return new Promise<T>((resolve, reject) => {
      const settle = (outcome: Outcome) => (outcome.ok ? resolve(outcome.value as T) : reject(outcome.error))
      this.#waiting.push({ change, settle })
      this.#running ??= this.#run()
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#running
    await this.#answered
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gather()
      const batch = this.#take()
      await this.#untilReleased(batch)
    }
    this.#running = undefined
  }

  /**
   * Waits for changes that arrive together: as long as each turn of the event loop brings more, for a limited number of
   * turns.
   */
  async #gather(): Promise<void> {
    for (let turn = 0, before = 0; turn < MAX_TURNS && this.#waiting.length > before; turn += 1) {
      before = this.#waiting.length
      await nextTurn()
    }
  }

  /**
   * Takes the changes that have waited longest. A change with its own statements never shares a transaction with one
   * that has conditions, whose rows it might change unseen. The earlier of the two goes first, and no change is
   * overtaken twice. A change that must be alone is written once it has waited longest.
   */
  #take(): Waiting<Tx>[] {
    if (this.#waiting[0]?.change.alone) return this.#waiting.splice(0, 1)
    const first = this.#waiting.find(({ change }) => change.write !== undefined || change.conditions !== undefined)
    const later = (change: LedgerChange<Tx, unknown>) =>
      first?.change.write === undefined ? change.write !== undefined : change.conditions !== undefined
    const most = first?.change.write === undefined ? this.#maxBatch : Math.min(this.#maxBatch, MAX_WITH_STATEMENTS)
    const batch = this.#waiting.filter(({ change }) => !change.alone && !later(change)).slice(0, most)
    const taken = new Set(batch)
    this.#waiting = this.#waiting.filter((each) => !taken.has(each))
    return batch
  }

  /** Starts writing a batch, and waits until the next one may be written. */
  async #untilReleased(batch: readonly Waiting<Tx>[]): Promise<void> {
    const { promise: released, resolve } = Promise.withResolvers<void>()
    const answered = this.#commit(batch, resolve)
    this.#answered = this.#answered.then(() => answered)
    await Promise.race([released, answered])
  }

  async #commit(batch: readonly Waiting<Tx>[], released = () => {}): Promise<void> {
    try {
      const changes = batch.map((waiting) => waiting.change)
      const outcomes = await this.#write(changes, released)
      released()
      for (const [i, waiting] of batch.entries()) {
        if (i > 0 && i % ANSWERS_A_TURN === 0) await nextTurn()
        waiting.settle(outcomes[i] as Outcome)
      }
    } catch (error) {
      // The database refused the transaction as a whole before its COMMIT, so nothing was stored: a failed COMMIT ends
      // the process. Retry each change alone, so only the one that broke a constraint is refused.
      for (const waiting of batch) {
        if (batch.length > 1) await this.#commit([waiting])
        else waiting.settle({ ok: false, error })
      }
    }
  }
}
