import { close, fdatasync, openSync } from 'node:fs'
import { promisify } from 'node:util'

/** Flushes all writes of a file to the disk. */
export type SyncFile = (descriptor: number) => Promise<void>

const closeFile = promisify(close)

/**
 * Makes commits durable in groups: SQLite writes a transaction to its log without a sync (`synchronous = NORMAL`), and
 * one sync of the log, off the event loop, covers all earlier writes. A function that reports a change waits for it. A
 * power cut loses only what nobody was told.
 */
export class LogSync {
  readonly #descriptor: number
  readonly #syncFile: SyncFile
  /** The next sync, for commits that come while another sync runs, because that one began too early for them. */
  #next: Promise<void> | undefined
  #running: Promise<void> = Promise.resolve()
  #dirty = false
  #failed: unknown

  /** `log` is the write-ahead log of an open database, and must not be empty. */
  constructor(log: string, syncFile: SyncFile = promisify(fdatasync)) {
    this.#syncFile = syncFile
    this.#descriptor = openSync(log, 'r+')
  }

  /** Call it after each commit. */
  written(): void {
    this.#dirty = true
  }

  /**
   * Resolves when all earlier writes are on the disk. After a failed sync it always rejects, because writes may be
   * lost.
   */
  async durable(): Promise<void> {
    if (this.#dirty) this.#next ??= this.#running.then(() => this.#sync())
    await (this.#next ?? this.#running)
    if (this.#failed !== undefined) throw this.#failed
  }

  /** Call it before the database is closed. */
  async close(): Promise<void> {
    await this.durable().catch(() => undefined)
    await closeFile(this.#descriptor)
  }

  async #sync(): Promise<void> {
    // From here on, writes wait for the sync after this one.
    this.#dirty = false
    this.#next = undefined
    // After a failed sync, the system may consider pages clean that never reached the disk, so a second sync proves
    // nothing.
    this.#running = this.#syncFile(this.#descriptor).catch((error: unknown) => {
      this.#failed ??= error
    })
    await this.#running
  }
}
