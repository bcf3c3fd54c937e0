import { createHash } from 'node:crypto'
import pg from 'pg'

/** The databases of a suite that runs on PostgreSQL (`DATABASE=postgres`). */

export type TestedBook = 'tipping' | 'payments'

export const BOOKS: Readonly<Record<TestedBook, string>> = { tipping: 'tipping', payments: 'payments' }

/** The databases that every test copies, by book. */
export const TEMPLATE: Readonly<Record<TestedBook, string>> = {
  tipping: 'satchel_test_tipping',
  payments: 'satchel_test_payments',
}

export function onPostgres(): boolean {
  return process.env.DATABASE === 'postgres'
}

/** Returns the address of a database on the suite's server. */
function urlOf(database: string): string {
  const url = new URL(process.env.DATABASE_TEST_URL ?? '')
  url.pathname = `/${database}`
  return url.href
}

/** Creates an empty database, in place of one from an earlier run. */
export async function recreate(database: string): Promise<string> {
  await ask(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`)
  await ask(`CREATE DATABASE ${database} TEMPLATE template0 ENCODING 'UTF8'`)
  return urlOf(database)
}

/** The databases that this test file has created. */
const made = new Set<string>()

/**
 * Returns the address of the database that stands in for a file, which is created as a copy of the template if it does
 * not exist yet.
 */
export async function databaseFor(file: string, book: TestedBook): Promise<string> {
  const name = `satchel_test_${createHash('sha256').update(file).digest('hex').slice(0, 16)}`
  if (!made.has(name)) {
    await ask(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE[book]}`)
    made.add(name)
  }
  return urlOf(name)
}

/** Returns the address of an empty database, for a program that creates its book itself. */
export async function emptyDatabaseFor(file: string): Promise<string> {
  const name = `satchel_test_${createHash('sha256').update(file).digest('hex').slice(0, 16)}`
  made.add(name)
  return await recreate(name)
}

/** Removes the databases of a test file, and ends the connections to them. */
export async function dropMade(): Promise<void> {
  for (const name of made) await ask(`DROP DATABASE ${name} WITH (FORCE)`)
  made.clear()
}

let admin: Promise<pg.Client> | undefined

async function ask(sql: string): Promise<void> {
  admin ??= connect()
  await (await admin).query(sql)
}

/** Ends the connection that creates databases. Without this, a suite does not end. */
export async function disconnect(): Promise<void> {
  const client = admin
  admin = undefined
  await (await client)?.end()
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: process.env.DATABASE_TEST_URL })
  await client.connect()
  // The server may end before this process does.
  client.on('error', () => {})
  return client
}
