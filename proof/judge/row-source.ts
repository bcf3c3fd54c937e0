import Database from 'better-sqlite3'

/** Answers a judge's questions to a book, as a stranger would: whole commits only. Every integer is a bigint. */
export interface RowSource {
  rows<Row>(sql: string, ...values: unknown[]): Row[]
  /**
   * Lets go until the next question. A reader that has a file open keeps the index of its log, and nobody recovers what a
   * COMMIT that failed left in the log.
   */
  close(): void
}

/** The rows of a file. */
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
