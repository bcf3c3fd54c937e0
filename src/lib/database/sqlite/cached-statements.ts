import type { SqlDriverAdapter } from '@prisma/driver-adapter-utils'
import type Sqlite from 'better-sqlite3'

/**
 * The most statements that a connection caches: more than the bot's or the service's queries need, but fewer than there
 * would be with lists of every length.
 */
const MAX_STATEMENTS = 500

interface CachedStatement {
  readonly statement: Sqlite.Statement<unknown[]>
  readonly columns: readonly Sqlite.ColumnDefinition[]
}

/**
 * Makes a connection cache its prepared statements. Without this, Prisma's driver would prepare a query each time,
 * which usually takes longer than running the query. The driver's type does not declare the connection; if the driver
 * has none, nothing changes.
 */
export function cacheStatements(adapter: SqlDriverAdapter): void {
  const { client } = adapter as { client?: Sqlite.Database }
  if (client === undefined) return
  const cached = new Map<string, CachedStatement>()
  const prepare = client.prepare.bind(client)

  function find(sql: string): CachedStatement {
    const known = cached.get(sql)
    if (known !== undefined) return known
    const statement: Sqlite.Statement<unknown[]> = prepare(sql)
    const made = { statement, columns: statement.reader ? statement.raw().columns() : [] }
    const [oldest] = cached.keys()
    if (cached.size >= MAX_STATEMENTS && oldest !== undefined) cached.delete(oldest)
    cached.set(sql, made)
    return made
  }

  /**
   * Returns a stand-in for the prepared statement that the driver expects. Values are passed whenever the statement
   * runs, because values bound to it would stay bound forever.
   */
  const bound = ({ statement, columns }: CachedStatement, values: unknown[]) => ({
    reader: statement.reader,
    run: () => statement.run(...values),
    columns: () => columns,
    raw: () => ({ all: () => statement.all(...values) }),
  })
  Object.assign(client, {
    prepare: (sql: string) => {
      const found = find(sql)
      return { ...bound(found, []), bind: (values: unknown[]) => bound(found, values) }
    },
  })
}
