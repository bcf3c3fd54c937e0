import type { SqlDriverAdapter } from '@prisma/driver-adapter-utils'
import type Sqlite from 'better-sqlite3'

/**
 * The most statements that a connection caches: more than either side's queries, and fewer than lists of every length
 * would make.
 */
const MAX_STATEMENTS = 500

interface CachedStatement {
  readonly statement: Sqlite.Statement<unknown[]>
  readonly columns: readonly Sqlite.ColumnDefinition[]
}

/**
 * Makes a connection cache its prepared statements. Prisma's driver prepares each query again, which takes longer than
 * most of them run. The driver does not declare its connection. If it is not found, nothing changes.
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
   * Returns the driver's arguments for a statement. Values are given when it runs, because bound ones would stay
   * forever.
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
