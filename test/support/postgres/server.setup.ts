import { startPostgres } from '../../../proof/postgres/server.ts'
import { folderForTemporaryFiles } from '../../../proof/postgres/temporary-files.ts'
import { openPaymentsDatabase } from '../../../src/payments-service/core/database.ts'
import { openTippingDatabase } from '../../../src/tipping/core/database.ts'
import { BOOKS, disconnect, onPostgres, recreate, TEMPLATE, type TestedBook } from './databases.ts'
import { type SlowServer, slowDown } from './slow-server.ts'

/** The space for the databases of a whole run and the server's log, in bytes. */
const ROOM = 4 * 2 ** 30

/**
 * `DATABASE=postgres npm test`: puts the suite's books on a PostgreSQL server: the one in DATABASE_TEST_URL, whose user
 * can create databases, or one that is started here. Each test's database is a copy of one that the migrations created.
 * With `SLOW_SERVER=2,500`, two in a thousand messages to and from it are up to 500 ms late.
 */
export default async function setUp(): Promise<() => Promise<void>> {
  if (!onPostgres()) return async () => {}
  const own = process.env.DATABASE_TEST_URL
    ? undefined
    : await startPostgres({
        settings: ['autovacuum = off', 'jit = off'],
        below: folderForTemporaryFiles(ROOM),
        say: console.log,
      })
  if (own) process.env.DATABASE_TEST_URL = own.url('postgres')
  const open = { tipping: openTippingDatabase, payments: openPaymentsDatabase }
  for (const book of Object.keys(BOOKS) as TestedBook[]) {
    const url = await recreate(TEMPLATE[book])
    await (await open[book](url)).close()
  }
  const slow = await slowDownIfAsked(process.env.SLOW_SERVER)
  if (slow) process.env.DATABASE_TEST_URL = slow.url
  return async () => {
    slow?.close()
    await disconnect()
    await own?.stop()
  }
}

async function slowDownIfAsked(asked: string | undefined): Promise<SlowServer | undefined> {
  if (asked === undefined) return undefined
  const [, perThousand, mostMs] = /^(\d{1,4}),([1-9]\d{0,4})$/.exec(asked) ?? []
  if (mostMs === undefined)
    throw new Error(`SLOW_SERVER is "${asked}". Set it to how many of a thousand come late, and by how many ms: 2,500`)
  return await slowDown(process.env.DATABASE_TEST_URL ?? '', Number(perThousand), Number(mostMs))
}
