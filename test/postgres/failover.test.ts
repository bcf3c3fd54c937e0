import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { beginBook, ownFaults } from '../../proof/kills/postgres/begin-book.ts'
import { type Pair, startPair } from '../../proof/kills/postgres/pair.ts'
import { Writer } from '../../proof/kills/postgres/writer.ts'
import type { PostgresServer } from '../../proof/postgres/server.ts'
import { openTippingDatabase } from '../../src/tipping/core/database.ts'

let pair: Pair
let url: string
let lost: PostgresServer | undefined
const ended: string[] = []
const open: Writer[] = []
let count = 0

/** The time limit on a busy machine, where a server may wait longer than a second, the usual limit. */
const BUSY = { timeout: 20_000 }

class Ended extends Error {}

beforeAll(async () => {
  pair = await startPair()
  url = pair.url('postgres')
  await beginBook(url)
})

afterEach(async () => {
  for (const writer of open.splice(0)) await writer.close()
})

afterAll(async () => {
  await lost?.stop()
  await pair.stop()
})

/** Starts a process on the book. */
async function start(at = url): Promise<Writer> {
  const database = await openTippingDatabase(at, undefined, (_, error) => {
    ended.push(String(error))
    throw new Ended()
  })
  const writer = new Writer(database)
  open.push(writer)
  return writer
}

function pay(writer: Writer, operation: string) {
  const change = { operation, from: 'member m0', to: 'member m1', amount: 1 }
  count += 1
  return writer.answer({ id: count, kind: 'change', change })
}

/** Repeats a payment, as a client would, until the outcome is known. */
async function payUntilKnown(writer: Writer, operation: string) {
  let outcome = 'unavailable'
  await expect
    .poll(async () => {
      outcome = (await pay(writer, operation)).outcome
      return outcome
    }, BUSY)
    .not.toBe('unavailable')
  return outcome
}

async function ask<Row extends pg.QueryResultRow>(server: PostgresServer, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: server.url('postgres'), options: '-c search_path=tipping' })
  await client.connect()
  const { rows } = await client.query<Row>(sql)
  await client.end()
  return rows
}

const operations = async (server: PostgresServer) =>
  (await ask<{ operation: string }>(server, 'SELECT "operation" FROM "Entry" ORDER BY "id"')).map(
    (row) => row.operation,
  )

/** The query for the server processes that wait for the standby. */
const WAITING = `SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'`

/** Makes each commit wait for a standby of this name, or for none if the name is empty. */
async function waitFor(server: PostgresServer, standby: string): Promise<void> {
  await server.admin(`ALTER SYSTEM SET synchronous_standby_names = '${standby}'`)
  await server.admin('SELECT pg_reload_conf()')
}

describe('a synchronous standby', () => {
  it('has all acknowledged changes after a failover, and processes continue with it', async () => {
    const writer = await start()
    for (const operation of ['a', 'b', 'c']) expect((await pay(writer, operation)).outcome).toBe('written')
    lost = await pair.failOver()
    expect(await payUntilKnown(writer, 'd')).toBe('written')
    expect((await pay(writer, 'a')).outcome).toBe('again')
    expect(await operations(pair.primary)).toEqual(['begin', 'a', 'b', 'c', 'd'])
    expect(await ownFaults(url)).toEqual([])
  })

  it('has every commit before the caller gets an answer', async () => {
    const writer = await start()
    await waitFor(pair.primary, 'somebody_else')
    let answered = false
    const answer = pay(writer, 'waits').finally(() => {
      answered = true
    })
    await expect.poll(() => ask(pair.primary, WAITING), BUSY).toHaveLength(1)
    const early = answered
    await waitFor(pair.primary, 'satchel_standby')
    expect(early).toBe(false)
    expect((await answer).outcome).toBe('written')
  })

  describe('that is missing at the old primary', () => {
    let stale: PostgresServer

    beforeAll(async () => {
      lost ??= await pair.failOver()
      stale = lost
      await stale.start()
    })

    it('prevents processes from opening a book at the old primary after its return', async () => {
      await expect(start(stale.url('postgres'))).rejects.toThrow(
        /no standby is connected\. If another server has become the primary/,
      )
    })

    it('makes a process end without an answer if the wait for the standby is canceled', async () => {
      // As for a process that was there before the standby went.
      await waitFor(stale, '')
      const writer = await start(stale.url('postgres'))
      await waitFor(stale, 'satchel_standby')
      const answer = pay(writer, 'nobody-has-this')
      await expect.poll(() => ask(stale, WAITING), BUSY).toHaveLength(1)
      await stale.admin(`SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`)
      expect((await answer).outcome).not.toBe('written')
      expect(ended).toHaveLength(1)
      expect(await operations(pair.primary)).not.toContain('nobody-has-this')
    })
  })
})
