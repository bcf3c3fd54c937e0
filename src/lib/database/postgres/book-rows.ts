import type pg from 'pg'
import { type BookRows, ROWS_AT_ONCE, type StoredValue } from '../engine/book-rows.ts'
import type { Session } from '../engine/migrations.ts'
import type { Address } from './address.ts'
import { lockOf, type OpenSession, openSession, withSession } from './connections.ts'

interface Column {
  readonly name: string
  readonly type: string
}

/**
 * Reads the rows of several books as of one moment, while other processes continue to work. Holds the locks of all
 * writers together just long enough to begin a reading transaction in each book.
 */
export async function rowsOfBooks(addresses: readonly Address[]): Promise<BookRows[]> {
  const locks: OpenSession[] = []
  const opened: BookRows[] = []
  try {
    for (const address of addresses) {
      const lock = await openSession(address)
      locks.push(lock)
      await lock.run(`BEGIN; ${lockOf(address.schema).toWrite}`)
    }
    for (const address of addresses) opened.push(await rowsOfBook(address))
    return opened
  } catch (error) {
    for (const rows of opened) await rows.close()
    throw error
  } finally {
    for (const lock of locks) await lock.close()
  }
}

async function rowsOfBook(address: Address): Promise<BookRows> {
  const session = await openSession(address)
  try {
    await session.run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const tables = await tablesOf(session)
    return { tables, read: (table) => readTable(session, table), close: () => session.close() }
  } catch (error) {
    await session.close()
    throw error
  }
}

async function* readTable(session: Session, table: string) {
  const columns = await columnsOf(session, table)
  const names = columns.map(({ name }) => name)
  await session.run(`DECLARE reading CURSOR FOR SELECT ${columns.map(storedText).join(', ')} FROM "${table}"`)
  for (;;) {
    const texts = await session.rows(`FETCH ${ROWS_AT_ONCE} FROM reading`)
    if (texts.length === 0) break
    const rows = texts.map((row) => row.map((value, i) => stored(columns[i]?.type, value as string | null)))
    yield { columns: names, rows }
  }
  await session.run('CLOSE reading')
}

function storedText({ name, type }: Column): string {
  if (type === 'boolean') return `CAST(CAST("${name}" AS integer) AS text)`
  if (type.startsWith('timestamp')) return `to_char("${name}", 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"')`
  return `CAST("${name}" AS text)`
}

function stored(type: string | undefined, value: string | null): StoredValue {
  return value === null || type === 'text' || type?.startsWith('timestamp') ? value : BigInt(value)
}

/**
 * Replaces all rows of a book, in one transaction. Triggers that count or refuse rows are disabled meanwhile. Triggers
 * for whole statements, which replace foreign keys, stay enabled.
 */
export async function fillBook(address: Address, from: BookRows): Promise<void> {
  await withSession(address, async (session, client) => {
    await session.run('BEGIN')
    const tables = await tablesOf(session)
    for (const table of tables) await session.run(`ALTER TABLE "${table}" DISABLE TRIGGER USER`)
    await session.run(`TRUNCATE ${tables.map((table) => `"${table}"`).join(', ')}`)
    for (const { table, trigger } of await referenceChecks(session))
      await session.run(`ALTER TABLE "${table}" ENABLE TRIGGER "${trigger}"`)
    for (const table of await inOrder(session, tables)) {
      for await (const { columns, rows } of from.read(table)) await insert(client, table, columns, rows)
      await countOn(session, table)
    }
    for (const table of tables) await session.run(`ALTER TABLE "${table}" ENABLE TRIGGER USER`)
    await session.run('COMMIT')
  })
}

async function insert(
  client: pg.Client,
  table: string,
  columns: readonly string[],
  rows: readonly StoredValue[][],
): Promise<void> {
  if (rows.length === 0) return
  const names = columns.map((column) => `"${column}"`).join(', ')
  const json = (value: StoredValue | undefined) =>
    typeof value === 'bigint' ? value.toString() : JSON.stringify(value ?? null)
  const objects = rows.map(
    (row) => `{${columns.map((column, i) => `${JSON.stringify(column)}:${json(row[i])}`).join()}}`,
  )
  const text = `INSERT INTO "${table}" (${names}) SELECT ${names} FROM json_populate_recordset(NULL::"${table}", $1::json)`
  await client.query(text, [`[${objects.join()}]`])
}

/** Continues a table's numbering after its last row. */
async function countOn(session: Session, table: string): Promise<void> {
  const numbered = (await columnsOf(session, table)).some(({ name, type }) => name === 'id' && type === 'bigint')
  if (!numbered) return
  await session.run(
    `SELECT setval(pg_get_serial_sequence('"${table}"', 'id'), (SELECT COALESCE(MAX("id"), 0) + 1 FROM "${table}"), false)`,
  )
}

async function tablesOf(session: Session): Promise<string[]> {
  const rows = await session.rows(
    `SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND relname NOT IN ('_prisma_migrations', '_commits') ORDER BY relname`,
  )
  return rows.map(([name]) => String(name))
}

async function columnsOf(session: Session, table: string): Promise<Column[]> {
  const rows = await session.rows(
    `SELECT attname, format_type(atttypid, NULL) FROM pg_attribute WHERE attrelid = '"${table}"'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
  )
  return rows.map(([name, type]) => ({ name: String(name), type: String(type) }))
}

/** Returns triggers that check the references of a whole statement's rows. */
async function referenceChecks(session: Session): Promise<{ table: string; trigger: string }[]> {
  const rows = await session.rows(
    `SELECT c.relname, t.tgname FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid
     WHERE t.tgnewtable IS NOT NULL AND c.relnamespace = current_schema()::regnamespace`,
  )
  return rows.map(([table, trigger]) => ({ table: String(table), trigger: String(trigger) }))
}

/**
 * Sorts tables so that each comes after those to which its rows refer. Tables whose references a trigger checks come
 * last.
 */
async function inOrder(session: Session, tables: readonly string[]): Promise<string[]> {
  const keys = await session.rows(
    `SELECT c.relname, r.relname FROM pg_constraint AS k JOIN pg_class AS c ON c.oid = k.conrelid JOIN pg_class AS r ON r.oid = k.confrelid
     WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace AND k.conrelid <> k.confrelid`,
  )
  const ordered: string[] = []
  const add = (table: string) => {
    if (ordered.includes(table)) return
    for (const [from, to] of keys) if (from === table) add(String(to))
    ordered.push(table)
  }
  const last = new Set((await referenceChecks(session)).map(({ table }) => table))
  for (const table of tables) if (!last.has(table)) add(table)
  return [...ordered, ...last]
}
