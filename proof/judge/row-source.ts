import Database from 'better-sqlite3'

/**
 * A source that answers a judge's queries on a book as an outsider sees it: only whole commits. Every integer is a
 * bigint.
 */
export interface RowSource {
  rows<Row>(sql: string, ...values: unknown[]): Row[]
  /**
   * Releases the file until the next query. An open reader keeps the index of the log, so that nobody would recover
   * what a failed COMMIT left in the log.
   */
  close(): void
}

/** A source that reads the rows of a SQLite file. */
export class FileRows implements RowSource {
  readonly #file: string
  #open: Database.Database | undefined
  readonly #statements = new Map<string, Database.Statement<unknown[]>>()

  constructor(file: string) {
    this.#file = file
  }

  close(): void {
    this.#open?.close()
    this.#open = undefined
    this.#statements.clear()
  }

  rows<Row>(sql: string, ...values: unknown[]): Row[] {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      this.#open ??= new Database(this.#file, { readonly: true }).defaultSafeIntegers()
      statement = this.#open.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement.all(...values) as Row[]
  }
}
