import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLedger, type Ledger, LedgerUnavailable } from '../../src/ledger/ledger.ts'
import { msats } from '../../src/lib/money/amount.ts'
import { CHART, member, WALLET } from '../../src/tipping/core/chart-of-accounts.ts'
import { openTippingDatabase, type TippingDatabase, type Tx } from '../../src/tipping/core/database.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { databaseFor } from '../support/postgres/databases.ts'
import { type Meddler, meddleWith } from '../support/postgres/meddler.ts'

class Ended extends Error {}

let count = 0
let url: string
let meddler: Meddler
let database: TippingDatabase
let ledger: Ledger<Tx>
let ended: string[]

const open = (address: string) =>
  openTippingDatabase(address, undefined, (name) => {
    ended.push(name)
    throw new Ended()
  })

beforeEach(async () => {
  count += 1
  ended = []
  url = await databaseFor(`lost-${count}`, 'tipping')
  meddler = await meddleWith(url)
  database = await open(url.replace(/:\d+\//, `:${meddler.port}/`))
  ledger = createLedger<Tx, TippingDatabase['write']>({ database, chart: CHART, clock: new ManualClock() })
})

afterEach(async () => {
  meddler.onClient = () => 'pass'
  await ledger.close()
  await database.close()
  await meddler.close()
})

const fund = (operation: string, who: string, using = ledger) =>
  using.commit({
    entries: [{ operation, step: 'post', moves: [{ from: WALLET, to: member(who), amount: msats(1_000) }] }],
  })

/** Returns the entries that another connection reads. */
async function entries(): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('SELECT "operation" FROM tipping."Entry" ORDER BY "id"')
  await client.end()
  return rows.map(({ operation }) => operation)
}

/** Returns how many transactions in this database wait for the locks of another transaction. */
async function waitingForLocks(): Promise<number> {
  const [row] = await database.read.$queryRaw<{ waiting: bigint }[]>`SELECT count(*) AS "waiting" FROM pg_locks
    WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
  return Number(row?.waiting)
}

const says = (bytes: Buffer, text: string) => bytes.includes(text)

describe('a lost connection', () => {
  it('before COMMIT makes a change fail, and the next change uses another connection', async () => {
    meddler.onClient = (bytes) => (says(bytes, 'INSERT INTO "Move"') ? 'cut' : 'pass')
    await expect(fund('a', 'alice')).rejects.toBeInstanceOf(LedgerUnavailable)
    meddler.onClient = () => 'pass'
    await fund('b', 'alice')
    expect(await entries()).toEqual(['b'])
    expect(ended).toEqual([])
    expect((await ledger.prove()).faults).toEqual([])
  })

  it('at COMMIT ends the process without an answer, whether the change is kept or lost', async () => {
    meddler.onClient = (bytes) => (says(bytes, 'COMMIT') ? 'cut' : 'pass')
    await expect(fund('a', 'alice')).rejects.toThrow()
    expect(ended).toHaveLength(1)
    expect(ended[0]).not.toContain('@')
    expect(await entries()).toEqual([])
    meddler.onClient = () => 'pass'
    await fund('b', 'alice')
    meddler.onClient = (bytes) => (says(bytes, 'COMMIT') ? 'pass and cut' : 'pass')
    await expect(fund('c', 'alice')).rejects.toThrow()
    expect(ended).toHaveLength(2)
    await expect.poll(entries).toEqual(['b', 'c'])
  })
})

describe('a transaction on PostgreSQL', () => {
  it('is rolled back and rejected even if the program ignores a failed statement', async () => {
    const seenAt = new Date(0)
    const careless = database.write.$transaction(async (tx) => {
      await tx.member.create({ data: { id: '1', seenAt } })
      await tx.member.create({ data: { id: '1', seenAt } }).catch(() => undefined)
    })
    await expect(careless).rejects.toThrow('nothing was kept')
    expect(await database.read.member.count()).toBe(0)
    expect(ended).toEqual([])
  })

  it('locks the book, so that a write of another process waits', async () => {
    const other = await open(url)
    const theirs = createLedger<Tx, TippingDatabase['write']>({
      database: other,
      chart: CHART,
      clock: new ManualClock(),
    })
    const order: string[] = []
    let second: Promise<void> | undefined
    await ledger.commit({
      write: async () => {
        second = fund('theirs', 'bob', theirs).then(() => void order.push('theirs'))
        await expect.poll(waitingForLocks).toBe(1)
        order.push('ours')
      },
    })
    await second
    expect(order).toEqual(['ours', 'theirs'])
    await Promise.all(Array.from({ length: 40 }, (_, i) => fund(`many-${i}`, 'carol', i % 2 === 0 ? ledger : theirs)))
    const proof = await ledger.prove()
    expect(proof).toMatchObject({ faults: [], entries: 41, totals: { member: 41_000n } })
    await theirs.close()
    await other.close()
  })

  it('sees a single point in time and cannot write if it is read-only', async () => {
    await expect(database.read.member.create({ data: { id: '1', seenAt: new Date(0) } })).rejects.toThrow(/read-only/)
    await database.read.$transaction(async (tx) => {
      expect(await tx.entry.count()).toBe(0)
      await fund('a', 'alice')
      expect(await tx.entry.count()).toBe(0)
    })
  })
})
