import { close, fdatasync, openSync } from 'node:fs'
import { promisify } from 'node:util'

/** Flushes everything written to a file to the disk. */
export type SyncFile = (descriptor: number) => Promise<void>

const closeFile = promisify(close)

/**
 * Makes commits durable in groups: SQLite writes a transaction to its log without a sync (`synchronous = NORMAL`), and
 * one sync of the log, beside the event loop, covers all earlier writes. A function that tells of a change waits for
 * it. A power cut loses only what nobody was told.
 */
export class LogSync {
  readonly #descriptor: number
  readonly #syncFile: SyncFile
  /** Syncs the commits that come while another sync runs: it began too early for them. */
  #next: Promise<void> | undefined
  #running: Promise<void> = Promise.resolve()
  #dirty = false
  #failed: unknown

  /** `log` is the write-ahead log of a database that is open, and has something in it. */
  constructor(log: string, syncFile: SyncFile = promisify(fdatasync)) {
    this.#syncFile = syncFile
    this.#descriptor = openSync(log, 'r+')
  }

  /** To be called after each commit. */
  written(): void {
    this.#dirty = true
  }

  /** Resolves when everything written before is on the disk. Rejects for good once a sync failed: it may be lost. */
  async durable(): Promise<void> {
    if (this.#dirty) this.#next ??= this.#running.then(() => this.#sync())
    await (this.#next ?? this.#running)
    if (this.#failed !== undefined) throw this.#failed
  }

  /** To be called before the database is closed. */
  async close(): Promise<void> {
    await this.durable().catch(() => undefined)
    await closeFile(this.#descriptor)
  }

  async #sync(): Promise<void> {
    // From here on, what is written waits for the sync after this one.
    this.#dirty = false
    this.#next = undefined
    // After a failed sync the system may take pages for clean that never reached the disk: a second one proves nothing.
    this.#running = this.#syncFile(this.#descriptor).catch((error: unknown) => {
      this.#failed ??= error
    })
    await this.#running
  }
}
