import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresServer, type ServerOptions, startPostgres } from '../../proof/postgres/server.ts'
import { openForOperators } from '../../src/assembly/open-for-operators.ts'
import { parseConfig } from '../../src/config/config.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { DatabaseProblem } from '../../src/lib/database/engine/migrations.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { openPaymentsDatabase } from '../../src/payments-service/core/database.ts'
import { inspectTippingDatabase, openTippingDatabase } from '../../src/tipping/core/database.ts'
import { databaseFor, recreate } from '../support/postgres/databases.ts'
import { meddleWith } from '../support/postgres/meddler.ts'

/** Returns the error of a start with this address; the start must leave nothing open. */
async function problem(url: string, open = openTippingDatabase): Promise<string> {
  const error = await open(url).then(
    async (database) => {
      await database.close()
      return undefined
    },
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(DatabaseProblem)
  const { message } = error as DatabaseProblem
  expect(message).not.toContain('secret-word')
  return message
}

async function ask(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const sql of statements) await client.query(sql)
  await client.end()
}

describe('a database URL without a usable book', () => {
  it.each([
    ['postgresql://satchel@127.0.0.1:5432', 'is not a complete database address'],
    ['postgresql://satchel@127.0.0.1:5432/satchel?schema=My Book', 'must consist of lower-case letters'],
    ['postgresql://satchel:secret-word@127.0.0.1:5432/satchel?options=-c%20geqo%3Don', 'Leave it out, and set such'],
    ['postgresql://satchel:secret-word@127.0.0.1:1/satchel', 'nothing listens there'],
    ['mysql://satchel@127.0.0.1/satchel', 'must be a SQLite file such as'],
  ])('is refused with an explanation: %s', async (url, says) => {
    expect(await problem(url)).toContain(says)
  })

  it('is refused, with the command to create the database, if the database is missing', async () => {
    const url = (await databaseFor('refusals', 'tipping')).replace(/\/[^/]*$/, '/satchel_test_nowhere')
    expect(await problem(url)).toMatch(/there is no such database. Create it: createdb .*UTF8/)
  })

  it('is refused with the reason if the server closes the connection', async () => {
    const server = createServer((socket) => socket.once('data', () => socket.end()))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    try {
      const { port } = server.address() as AddressInfo
      expect(await problem(`postgresql://satchel@127.0.0.1:${port}/satchel`)).toContain('broke off the connection')
    } finally {
      server.close()
    }
  })

  it('is refused if it leads to the book of the other program', async () => {
    const url = `${await databaseFor('other-side', 'tipping')}?schema=tipping`
    expect(await problem(url, openPaymentsDatabase as never)).toContain(
      'If the address of the bot’s book leads to the service’s book',
    )
  })

  it('is refused if a newer version has migrated its book', async () => {
    const url = await databaseFor('newer', 'tipping')
    await ask(
      url,
      `INSERT INTO tipping._prisma_migrations (id, checksum, migration_name) VALUES ('x', 'x', '29990101000001_later')`,
    )
    expect(await problem(url)).toContain('made by a newer version')
  })

  it('is refused if its user has no permission to create tables there', async () => {
    const url = await recreate('satchel_test_not_mine')
    await ask(url, 'DROP ROLE IF EXISTS satchel_test_guest', `CREATE ROLE satchel_test_guest LOGIN`)
    expect(await problem(url.replace('satchel@', 'satchel_test_guest@'))).toContain(
      'the database user is not allowed to create tables there',
    )
    await ask(url, 'DROP ROLE satchel_test_guest')
  })

  it('is refused by an operator’s command, which creates no book there', async () => {
    const url = await recreate('satchel_test_typo')
    const config = parseConfig({
      TIPPING_DATABASE_URL: url,
      PAYMENTS_BASE_URL: 'http://127.0.0.1:1',
      PAYMENTS_API_KEY: 'key',
    })
    const open = () => openForOperators(config, 1, { clock: systemClock, entropy: systemEntropy, logger: silentLogger })
    await expect(open()).rejects.toThrow(/^There is no book at postgresql/)
    // Nothing was made that a second look would take for one.
    await expect(open()).rejects.toThrow(/^There is no book at postgresql/)
  })

  it('is refused if its database is read-only', async () => {
    const url = await recreate('satchel_test_read_only')
    await ask(url, 'ALTER DATABASE satchel_test_read_only SET default_transaction_read_only = on')
    expect(await problem(url)).toContain('it is read-only')
  })
})

describe('a pooler in front of PostgreSQL', () => {
  it('is refused, since it spreads a process’s transactions over several connections', async () => {
    const url = await databaseFor('pooler', 'tipping')
    const meddler = await meddleWith(url)
    // BackendKeyData: a pooler has numbers of its own for its clients.
    meddler.onServer = (bytes) => {
      const at = bytes.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]))
      if (at >= 0) bytes.writeInt32BE(bytes.readInt32BE(at + 5) + 1, at + 5)
      return bytes
    }
    expect(await problem(url.replace(/:\d+\//, `:${meddler.port}/`))).toContain('a pooler stands between')
    await meddler.close()
  })
})

describe('a schema that differs from its migrations', () => {
  it.each([
    ['DROP TRIGGER "Entry_no_update" ON tipping."Entry"', 'trigger Entry_no_update is missing'],
    ['ALTER TABLE tipping."Move" DISABLE TRIGGER "Move_no_delete"', 'trigger Move_no_delete was changed'],
    ['ALTER TABLE tipping."Account" DROP CONSTRAINT "Account_sign"', 'constraint Account_sign is missing'],
    ['DROP INDEX tipping."Entry_one_end"', 'index Entry_one_end is missing'],
    [
      'ALTER TABLE tipping."TipShare" DROP CONSTRAINT "TipShare_tipId_fkey"',
      'constraint TipShare_tipId_fkey is missing',
    ],
    ['DROP TRIGGER "Move_references" ON tipping."Move"', 'trigger Move_references is missing'],
    ['ALTER TABLE tipping."Move" DISABLE TRIGGER "Move_references"', 'trigger Move_references was changed'],
    ['DROP TRIGGER "Account_no_delete" ON tipping."Account"', 'trigger Account_no_delete is missing'],
    [
      `CREATE OR REPLACE FUNCTION tipping."Move_references"() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`,
      'function Move_references was changed',
    ],
    ['CREATE TABLE tipping."Mine" ("id" INTEGER)', 'table Mine does not belong here'],
    [
      `CREATE OR REPLACE FUNCTION tipping."Entry_no_delete"() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN OLD; END'`,
      'function Entry_no_delete was changed',
    ],
  ])('is reported at the start and by an audit: %s', async (sql, says) => {
    const url = await databaseFor(sql, 'tipping')
    await ask(url, sql)
    expect(await problem(url)).toContain(says)
    const inspected = await inspectTippingDatabase(url)
    expect(inspected.faults).toEqual([expect.stringContaining(says)])
    await inspected.close()
  })
})

describe('a PostgreSQL server', () => {
  let servers: PostgresServer[] = []
  const start = async (options: ServerOptions) => {
    const server = await startPostgres(options)
    servers.push(server)
    return server.url('postgres')
  }

  beforeAll(() => {
    servers = []
  })
  afterAll(async () => {
    for (const server of servers) await server.stop()
  })

  it('is refused if its URL contains the wrong password', async () => {
    const url = await start({ password: 'open-sesame' })
    expect(await problem(url.replace('open-sesame', 'secret-word'))).toContain('the password is wrong')
    await (await openTippingDatabase(url)).close()
  })

  it('is refused if it is a standby or in recovery', async () => {
    expect(await problem(await start({ standby: true }))).toMatch(/standby|recovering/)
  })

  it('is refused if fsync is off', async () => {
    expect(await problem(await start({ settings: ['fsync = off'] }))).toContain('fsync is off')
  })

  it('is accepted if only synchronous_commit is off, which the bot overrides', async () => {
    const url = await start({ settings: ['synchronous_commit = off', 'wal_writer_delay = 10s'] })
    const database = await openTippingDatabase(url)
    const data = { id: '1', seenAt: new Date(0) }
    await database.write.$transaction((tx) => tx.member.create({ data }))
    await servers.at(-1)?.crash()
    await database.close()
    await servers.at(-1)?.start()
    const after = await openTippingDatabase(url)
    expect(await after.read.member.count()).toBe(1)
    await after.close()
  })
})
