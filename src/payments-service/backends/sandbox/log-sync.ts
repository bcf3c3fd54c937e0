import { close, fdatasync, openSync } from 'node:fs'
import { promisify } from 'node:util'

/** Flushes all writes of a file to the disk. */
export type SyncFile = (descriptor: number) => Promise<void>

const closeFile = promisify(close)

/**
 * The durability of commits in groups: SQLite writes a transaction to its log without a sync (`synchronous = NORMAL`),
 * and one sync of the log, off the event loop, covers all earlier writes. A function that reports a change waits for
 * such a sync, so a power cut loses only changes that nobody was told of.
 */
export class LogSync {
  readonly #descriptor: number
  readonly #syncFile: SyncFile
  /** The next sync, for commits during the current sync, which began too early to cover them. */
  #next: Promise<void> | undefined
  #running: Promise<void> = Promise.resolve()
  #dirty = false
  #failed: unknown

  /** Opens `log`, the write-ahead log of an open database, which must not be empty. */
  constructor(log: string, syncFile: SyncFile = promisify(fdatasync)) {
    this.#syncFile = syncFile
    this.#descriptor = openSync(log, 'r+')
  }

  /** Notes that a sync is due. Must be called after each commit. */
  written(): void {
    this.#dirty = true
  }

  /**
   * Resolves when all earlier writes are on the disk. Once a sync has failed, always rejects, because writes may be
   * lost.
   */
  async durable(): Promise<void> {
    if (this.#dirty) this.#next ??= this.#running.then(() => this.#sync())
    await (this.#next ?? this.#running)
    if (this.#failed !== undefined) throw this.#failed
  }

  /** Waits for all writes, and closes the log. Must be called before the database is closed. */
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
