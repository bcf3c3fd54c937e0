import type Database from 'better-sqlite3'
import type { Clock } from '../../lib/clock.ts'
import { openSqliteFile } from '../../lib/database/sqlite/sqlite-file.ts'

const flushAfterMs = 50
const schema = `
  CREATE TABLE IF NOT EXISTS record (kind TEXT, id TEXT, value TEXT NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS file (id TEXT PRIMARY KEY, bytes BLOB NOT NULL) WITHOUT ROWID;
`

/** The kinds of stored records. Within a kind, each record has an id. */
export type RecordKind =
  | 'meta'
  | 'user'
  | 'guild'
  | 'role'
  | 'member'
  | 'channel'
  | 'message'
  | 'command'
  | 'interaction'

/** The advice if the file is damaged. Only a playground has such a file, so it contains nothing of a bot. */
const IF_DAMAGED = ', or start the playground over, which sets all of its data aside: npm run playground -- --fresh'

/**
 * Stores the world in an SQLite file, so that it survives restarts: records as JSON, and the bytes of attachments.
 * Changes are collected and written together, at most 50 ms later and at the latest on `close`. A record that changes
 * twice meanwhile is written once. A crash can lose the changes of the last moments, but never the file.
 */
export class Store {
  readonly #database: Database.Database
  readonly #clock: Clock
  readonly #records = new Map<string, { kind: RecordKind; id: string; value: unknown }>()
  readonly #files = new Map<string, Buffer | null>()
  #cancelFlush: (() => void) | undefined

  constructor(file: string | undefined, clock: Clock) {
    this.#clock = clock
    this.#database = openSqliteFile(
      file ?? ':memory:',
      ['journal_mode = WAL', 'synchronous = NORMAL'],
      schema,
      IF_DAMAGED,
    )
  }

  /** Returns all records of a kind, with the oldest id first. */
  all<T>(kind: RecordKind): T[] {
    const rows = this.#database
      .prepare<[string], { value: string }>('SELECT value FROM record WHERE kind = ? ORDER BY length(id), id')
      .all(kind)
    return rows.map(({ value }) => JSON.parse(value) as T)
  }

  /** Notes that a record is new or has changed. The record's state at the time of writing is stored. */
  put(kind: RecordKind, id: string, value: unknown): void {
    this.#records.set(`${kind} ${id}`, { kind, id, value })
    this.#later()
  }

  remove(kind: RecordKind, id: string): void {
    this.put(kind, id, undefined)
  }

  putFile(id: string, bytes: Buffer): void {
    this.#files.set(id, bytes)
    this.#later()
  }

  removeFile(id: string): void {
    this.#files.set(id, null)
    this.#later()
  }

  file(id: string): Buffer | undefined {
    const pending = this.#files.get(id)
    if (pending !== undefined) return pending ?? undefined
    return this.#database.prepare<[string], { bytes: Buffer }>('SELECT bytes FROM file WHERE id = ?').get(id)?.bytes
  }

  /** Writes the collected changes in one transaction. */
  flush(): void {
    this.#cancelFlush?.()
    this.#cancelFlush = undefined
    const insert = this.#database.prepare('INSERT OR REPLACE INTO record (kind, id, value) VALUES (?, ?, ?)')
    const remove = this.#database.prepare('DELETE FROM record WHERE kind = ? AND id = ?')
    const insertFile = this.#database.prepare('INSERT OR REPLACE INTO file (id, bytes) VALUES (?, ?)')
    const removeFile = this.#database.prepare('DELETE FROM file WHERE id = ?')
    this.#database.transaction(() => {
      for (const { kind, id, value } of this.#records.values()) {
        if (value === undefined) remove.run(kind, id)
        else insert.run(kind, id, JSON.stringify(value))
      }
      for (const [id, bytes] of this.#files) {
        if (bytes === null) removeFile.run(id)
        else insertFile.run(id, bytes)
      }
    })()
    this.#records.clear()
    this.#files.clear()
  }

  close(): void {
    if (!this.#database.open) return
    this.flush()
    this.#database.close()
  }

  #later(): void {
    // An interaction sent by HTTP may get its answer after the end.
    if (!this.#database.open) return
    this.#cancelFlush ??= this.#clock.after(flushAfterMs, () => this.flush())
  }
}
