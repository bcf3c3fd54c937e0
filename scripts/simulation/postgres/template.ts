import pg from 'pg'
import { openPaymentsDatabase } from '../../../src/payments-service/core/database.ts'
import { openTippingDatabase } from '../../../src/tipping/core/database.ts'
import { startPostgres } from '../../postgres/server.ts'
import { folderForTemporaryFiles } from '../../postgres/temporary-files.ts'

const NAME = 'satchel_simulation'

/** A database with both books, as their migrations make them, on a server of its own or the one in DATABASE_TEST_URL. */
export interface ServerTemplate {
  readonly url: string
  stop(): Promise<void>
}

/** Throws Problem when there is no server, and none can be started. */
export async function makeTemplateOnServer(): Promise<ServerTemplate> {
  const named = process.env.DATABASE_TEST_URL
  const own = named
    ? undefined
    : await startPostgres({
        settings: ['autovacuum = off', 'jit = off'],
        below: folderForTemporaryFiles(),
        say: console.log,
      })
  const admin = own?.url('postgres') ?? named ?? ''
  const client = new pg.Client({ connectionString: admin })
  await client.connect()
  await client.query(`DROP DATABASE IF EXISTS ${NAME} WITH (FORCE)`)
  await client.query(`CREATE DATABASE ${NAME} TEMPLATE template0 ENCODING 'UTF8'`)
  await client.end()
  const url = new URL(admin)
  url.pathname = `/${NAME}`
  await (await openTippingDatabase(url.href)).close()
  await (await openPaymentsDatabase(url.href)).close()
  return { url: url.href, stop: async () => own?.stop() }
}
