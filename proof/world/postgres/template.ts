import pg from 'pg'
import { openPaymentsDatabase } from '../../../src/payments-service/core/database.ts'
import { openTippingDatabase } from '../../../src/tipping/core/database.ts'
import { startPostgres } from '../../postgres/server.ts'
import { folderForTemporaryFiles } from '../../postgres/temporary-files.ts'

/** A database with both books, as their migrations make them. */
export interface ServerTemplate {
  readonly url: string
  /** Removes the template, and the server that was started for it, if any. */
  remove(): Promise<void>
}

/**
 * Makes a template on a new server, or on the one in DATABASE_TEST_URL. Throws a Problem if no server can be started.
 */
export async function makeTemplateOnServer(): Promise<ServerTemplate> {
  const settings = ['autovacuum = off', 'jit = off']
  const named = process.env.DATABASE_TEST_URL
  const own = named ? undefined : await startPostgres({ settings, below: folderForTemporaryFiles(), say: console.log })
  const server = own?.url('postgres') ?? named ?? ''
  const name = `satchel_simulation_${process.pid}`
  await ask(server, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`)
  const url = new URL(server)
  url.pathname = `/${name}`
  await (await openTippingDatabase(url.href)).close()
  await (await openPaymentsDatabase(url.href)).close()
  return {
    url: url.href,
    remove: () => (own === undefined ? ask(server, `DROP DATABASE ${name} WITH (FORCE)`) : own.stop()),
  }
}

async function ask(server: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(sql)
  await client.end()
}
