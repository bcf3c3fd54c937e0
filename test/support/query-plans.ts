import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { fileOfUrl } from '../../src/lib/database/database.ts'
import { readAddress } from '../../src/lib/database/postgres/address.ts'
import { openSession } from '../../src/lib/database/postgres/connections.ts'
import { isPostgres } from '../../src/lib/database/url-kinds.ts'

interface Book {
  readonly url: string
  readonly variable: string
}

/** The database queries of this process while they are observed. */
export class Statements {
  readonly texts = new Set<string>()
  readonly #restore: (() => void)[] = []

  constructor() {
    this.#listen(Sqlite.prototype as { prepare: (sql: string) => unknown }, 'prepare', (sql) => String(sql))
    const textOf = (query: unknown) =>
      typeof query === 'string' ? query : ((query as { text?: string } | null)?.text ?? '')
    this.#listen(pg.Client.prototype as unknown as Record<'query', (...args: unknown[]) => unknown>, 'query', textOf)
  }

  /** Stops observing. */
  end(): void {
    for (const restore of this.#restore.splice(0)) restore()
  }

  #listen<Name extends string>(
    of: Record<Name, (...args: never[]) => unknown>,
    name: Name,
    textOf: (asked: unknown) => string,
  ): void {
    const own = of[name]
    const { texts } = this
    of[name] = function heard(this: unknown, ...args: never[]) {
      texts.add(textOf(args[0]).replace(/^PREPARE \w+ AS /, ''))
      return own.apply(this, args)
    }
    this.#restore.push(() => {
      of[name] = own
    })
  }
}

/** Prisma's condition that matches no row, so that none is read. */
const NOBODY = '1=0'
const QUESTION = /^\s*(SELECT|WITH|UPDATE|DELETE|INSERT)\b/

/**
 * Returns the statements that scan one of these tables in full, each with the table that it scans. A server's planner
 * scans small tables anyway: here the planner is told to do so only if no index helps.
 */
export async function scansOf(book: Book, statements: Statements, tables: readonly string[]): Promise<string[]> {
  const asked = [...statements.texts].filter(
    (sql) =>
      QUESTION.test(sql) &&
      !sql.includes(NOBODY) &&
      tables.some((table) => sql.includes(`${table}\``) || sql.includes(`${table}"`)),
  )
  const scans: string[] = []
  const plan = isPostgres(book.url) ? await planOnServer(book) : planInFile(book)
  try {
    for (const sql of asked) {
      const found = await plan.scanned(sql)
      for (const table of tables) if (found.has(table)) scans.push(`${table}: ${sql.replace(/\s+/g, ' ')}`)
    }
  } finally {
    await plan.close()
  }
  return scans.sort()
}

function planInFile(book: Book) {
  const database = new Sqlite(fileOfUrl(book), { readonly: true })
  return {
    async scanned(sql: string) {
      const values = Array.from({ length: sql.split('?').length - 1 }, () => null)
      const steps = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values) as { detail: string }[]
      const names = steps.flatMap(({ detail }) => /^SCAN (?:main\.)?(\S+)/.exec(detail)?.[1] ?? [])
      return new Set(names.map((name) => tableOf(sql, name)))
    },
    close: async () => void database.close(),
  }
}

/** Returns the table behind a name in a plan, which can be the statement's alias. */
function tableOf(sql: string, name: string): string {
  return new RegExp(`["\`](\\w+)["\`] AS ["\`]?${name}["\`]?[\\s,)]`).exec(sql)?.[1] ?? name
}

async function planOnServer(book: Book) {
  const session = await openSession(readAddress(book))
  await session.run(
    `SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; SET plan_cache_mode = force_generic_plan`,
  )
  const columns =
    await session.rows(`SELECT i.relname, a.attname FROM pg_index AS x JOIN pg_class AS i ON i.oid = x.indexrelid
    JOIN pg_attribute AS a ON a.attrelid = i.oid AND a.attnum = 1 WHERE i.relnamespace = current_schema()::regnamespace`)
  /** The first column of each index: without a condition on it, the whole index is scanned. */
  const first = new Map(columns.map(([index, column]) => [String(index), String(column)]))
  return {
    async scanned(sql: string) {
      await session.run(`PREPARE asked AS ${sql}`)
      const places = new Set(sql.match(/\$\d+/g)).size
      const values = places === 0 ? '' : `(${Array.from({ length: places }, () => 'NULL').join()})`
      const [[json] = []] = await session.rows(`EXPLAIN (FORMAT JSON) EXECUTE asked${values}`)
      await session.run('DEALLOCATE asked')
      return new Set((json as { readonly Plan: PlanNode }[]).flatMap(({ Plan }) => scannedBy(Plan, first)))
    },
    close: () => session.close(),
  }
}

interface PlanNode {
  readonly Plans?: readonly PlanNode[]
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Filter?: string
}

/** Returns the tables that a plan and its parts scan. For a bitmap of an index, the table is in the node above. */
function scannedBy(plan: PlanNode, first: ReadonlyMap<string, string>, above?: PlanNode): string[] {
  const { Plans: below = [], 'Index Name': index } = plan
  const table = String(plan['Relation Name'] ?? above?.['Relation Name'])
  const all = plan['Node Type'] === 'Seq Scan' || (index !== undefined && !conditionOn(plan, first.get(index)))
  // The rows come in the order of the index, and few are taken.
  const stops = above?.['Node Type'] === 'Limit' && plan['Index Cond'] === undefined && plan.Filter === undefined
  return [...(all && !stops ? [table] : []), ...below.flatMap((each) => scannedBy(each, first, plan))]
}

function conditionOn({ 'Index Cond': condition = '' }: PlanNode, column: string | undefined): boolean {
  return column !== undefined && new RegExp(`(?<!\\w)"?${column}"?(?!\\w)`).test(condition)
}
