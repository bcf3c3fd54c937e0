import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type PostgresServer, startPostgres } from '../../proof/postgres/server.ts'
import {
  AlreadyWritten,
  createLedger,
  examineJournal,
  InsufficientFunds,
  type Ledger,
  LedgerUnavailable,
} from '../../src/ledger/ledger.ts'
import { readBook } from '../../src/lib/database/database.ts'
import { msats } from '../../src/lib/money/amount.ts'
import { CHART, member, OPERATOR, WALLET } from '../../src/tipping/core/chart-of-accounts.ts'
import { openTippingDatabase, type TippingDatabase, type Tx } from '../../src/tipping/core/database.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { type Meddler, meddleWith } from '../support/postgres/meddler.ts'

class Ended extends Error {}

let server: PostgresServer
let count = 0
let url: string
let meddler: Meddler
let database: TippingDatabase
let ledger: Ledger<Tx>
let ended: number

/** The process's messages to the server that concern writing. */
let said: string[]

beforeAll(async () => {
  server = await startPostgres({ settings: ['jit = off'] })
  await server.admin('CREATE DATABASE migrated')
  await (await openTippingDatabase(server.url('migrated'))).close()
}, 120_000)

afterAll(() => server.stop(), 60_000)

beforeEach(async () => {
  count += 1
  ended = 0
  await server.admin(`CREATE DATABASE journey_${count} TEMPLATE migrated`)
  url = server.url(`journey_${count}`)
  meddler = await meddleWith(url)
  database = await openTippingDatabase(url.replace(/:\d+\//, `:${meddler.port}/`), undefined, () => {
    ended += 1
    throw new Ended()
  })
  ledger = createLedger<Tx, TippingDatabase['write']>({ database, chart: CHART, clock: new ManualClock() })
  await Promise.all([fund('alice'), fund('bob')])
  // What is prepared is prepared by now.
  await pay('first', 'alice', 'bob', 1)
  said = []
  meddler.onClient = (bytes) => {
    if (/BEGIN|COMMIT|INSERT|SELECT a\./.test(bytes.toString())) said.push(bytes.toString())
    return 'pass'
  }
})

afterEach(async () => {
  meddler.onClient = () => 'pass'
  const faults = [...(await ledger.prove()).faults, ...(await readBook({ ...database, durable: true }, examineJournal))]
  await ledger.close()
  await database.close()
  await meddler.close()
  expect(faults).toEqual([])
})

const fund = (who: string) =>
  ledger.commit({
    entries: [
      { operation: `fund ${who}`, step: 'post', moves: [{ from: WALLET, to: member(who), amount: msats(1_000) }] },
    ],
  })

const pay = (operation: string, from: string, to: string, amount: number) =>
  ledger.commit({
    entries: [{ operation, step: 'post', moves: [{ from: member(from), to: member(to), amount: msats(amount) }] }],
  })

const balance = (who: string) => ledger.balance(member(who))

/** Resolves to the outcome of each of several simultaneous changes: undefined, or the error's class. */
async function outcomes(...changes: Promise<unknown>[]): Promise<unknown[]> {
  const all = await Promise.allSettled(changes)
  return all.map((each) => (each.status === 'rejected' ? each.reason.constructor : undefined))
}

describe('changes without statements of their own', () => {
  it('are sent as one message from BEGIN to COMMIT', async () => {
    const row = { table: 'Member', values: { id: '7', seenAt: new Date(0) } }
    const more = Array.from({ length: 20 }, (_, i) => pay(`more ${i}`, 'bob', 'alice', 1))
    await Promise.all([pay('a', 'alice', 'bob', 10), ledger.commit({ rows: [row] }), ...more])
    // A row of another table is prepared once.
    expect(said.filter((each) => !each.includes('PREPARE'))).toEqual([expect.stringMatching(/BEGIN.*COMMIT/s)])
    expect([await balance('alice'), await balance('bob')]).toEqual([1_009n, 991n])
    expect(await database.read.member.count()).toBe(1)
  })

  it('can spend sats that earlier changes bring, but not those that later ones bring', async () => {
    const spent = pay('spend all', 'alice', 'bob', 999)
    const brought = pay('bring', 'bob', 'alice', 2_000)
    expect(await outcomes(spent, brought, pay('spend again', 'alice', 'bob', 1_500))).toEqual(Array(3).fill(undefined))
    expect(said).toHaveLength(1)
    const early = pay('early', 'alice', 'bob', 1_000)
    expect(await outcomes(early, pay('late', 'bob', 'alice', 1_000))).toEqual([InsufficientFunds, undefined])
    expect(await balance('alice')).toBe(1_500n)
  })

  it('that repeat a step or a row are refused without affecting the others', async () => {
    const row = { table: 'Member', values: { id: '7', seenAt: new Date(0) } }
    await ledger.commit({ rows: [row] })
    const [twice, good, rowTwice] = [pay('first', 'alice', 'bob', 1), pay('a', 'alice', 'bob', 1), { rows: [row] }]
    expect(await outcomes(twice, good)).toEqual([AlreadyWritten, undefined])
    expect(await outcomes(ledger.commit(rowTwice), pay('b', 'alice', 'bob', 1))).toEqual([expect.anything(), undefined])
    expect(await balance('bob')).toBe(1_003n)
    expect(await ledger.history(member('bob'), { limit: 10 })).toHaveLength(4)
  })

  it('open new accounts and leave out empty moves', async () => {
    const moves = ['carol', 'dave'].map((who) => ({ from: member('alice'), to: member(who), amount: msats(5) }))
    const nothing = { from: member('alice'), to: member('erin'), amount: msats(0) }
    await ledger.commit({ entries: [{ operation: 'a', step: 'post', moves: [...moves, nothing] }] })
    await ledger.commit({ entries: [{ operation: 'b', step: 'post', moves: [...moves, nothing] }] })
    expect([await balance('carol'), await balance('dave'), await balance('erin')]).toEqual([10n, 10n, 0n])
    expect((await ledger.history(member('alice'), { limit: 10 })).map(({ operation }) => operation)).toEqual([
      ...['b', 'b', 'a', 'a', 'first'],
      'fund alice',
    ])
  })

  it('need one message even if an account may go below 0 or a move is left out', async () => {
    const absorb = (operation: string) =>
      ledger.commit({
        entries: [
          {
            ...{ operation, step: 'post' },
            moves: [
              { from: OPERATOR, to: member('alice'), amount: msats(100) },
              { from: WALLET, to: member('alice'), amount: msats(7) },
              { from: member('alice'), to: member('bob'), amount: msats(0) },
            ],
          },
        ],
      })
    // The first opens the operator's account.
    await absorb('first absorbed')
    said = []
    await absorb('second absorbed')
    expect(said).toEqual([expect.stringMatching(/BEGIN.*COMMIT/s)])
    expect([await ledger.balance(OPERATOR), await ledger.balance(WALLET)]).toEqual([-200n, -2_014n])
  })

  it('cannot move sats out of the provider’s wallet before another brings them in', async () => {
    const withdraw = (operation: string, who: string, amount: number) =>
      ledger.commit({
        entries: [{ operation, step: 'post', moves: [{ from: member(who), to: WALLET, amount: msats(amount) }] }],
      })
    await ledger.commit({
      entries: [{ operation: 'given', step: 'post', moves: [{ from: OPERATOR, to: member('bob'), amount: msats(5) }] }],
    })
    await withdraw('w1', 'alice', 999)
    const bring = () =>
      ledger.commit({
        entries: [
          { operation: 'brought', step: 'post', moves: [{ from: WALLET, to: member('alice'), amount: msats(9) }] },
        ],
      })
    // The wallet holds 1001 of the members' 1006; what comes in arrives after what would leave.
    expect(await outcomes(withdraw('w2', 'bob', 1_006), bring())).toEqual([InsufficientFunds, undefined])
    expect([await balance('bob'), await ledger.balance(WALLET)]).toEqual([1_006n, -1_010n])
  })

  it('are refused if an account marked solvent, or the wallet, would be overdrawn', async () => {
    const absorb = (operation: string, solvent: boolean) =>
      ledger.commit({
        entries: [
          { operation, step: 'post', moves: [{ from: OPERATOR, to: member('alice'), amount: msats(100) }] },
          { operation, step: 'hold', moves: [{ from: member('alice'), to: OPERATOR, amount: msats(40) }] },
        ],
        ...(solvent && { solvent: [OPERATOR] }),
      })
    await absorb('absorbed', false)
    expect(await outcomes(absorb('not absorbed', true))).toEqual([InsufficientFunds])
    const withdraw = (operation: string, who: string, amount: number) =>
      ledger.commit({
        entries: [{ operation, step: 'post', moves: [{ from: member(who), to: WALLET, amount: msats(amount) }] }],
      })
    await fund('carol')
    expect(await ledger.balance(WALLET)).toBe(-3_000n)
    await Promise.all([withdraw('w1', 'alice', 1_059), withdraw('w2', 'bob', 1_001), withdraw('w3', 'carol', 940)])
    expect(await ledger.balance(WALLET)).toBe(0n)
    expect(await outcomes(withdraw('w4', 'carol', 60))).toEqual([InsufficientFunds])
  })
})

describe('a change while another process writes', () => {
  let other: pg.Client
  const waiting = `FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

  beforeEach(async () => {
    other = new pg.Client({ connectionString: url })
    other.on('error', () => {})
    await other.connect()
    await other.query(`BEGIN; SELECT pg_advisory_xact_lock(1396790339, hashtext('tipping'))`)
  })

  afterEach(() => other.end())

  const isWaiting = () => expect.poll(async () => (await other.query(`SELECT pid ${waiting}`)).rows.length).toBe(1)

  it('waits, and is judged by what was written meanwhile', async () => {
    const paid = outcomes(pay('a', 'alice', 'bob', 999))
    await isWaiting()
    await other.query(
      `UPDATE tipping."Account" SET "balance" = "balance" + CASE "owner" WHEN 'alice' THEN -1 ELSE 1 END WHERE "kind" = 'member'`,
    )
    await other.query('COMMIT')
    expect(await paid).toEqual([InsufficientFunds])
    await other.query(
      `UPDATE tipping."Account" SET "balance" = "balance" - CASE "owner" WHEN 'alice' THEN -1 ELSE 1 END WHERE "kind" = 'member'`,
    )
  })

  it('fails without effect if its wait is cancelled', async () => {
    const paid = outcomes(pay('a', 'alice', 'bob', 1))
    await isWaiting()
    await other.query(`SELECT pg_cancel_backend(pid) ${waiting}`)
    expect(await paid).toEqual([LedgerUnavailable])
    await other.query('ROLLBACK')
    expect(ended).toBe(0)
    await pay('b', 'alice', 'bob', 1)
    expect(await balance('bob')).toBe(1_002n)
  })

  it('ends the process without an answer if the database connection is lost', async () => {
    const paid = pay('a', 'alice', 'bob', 1)
    const heard = paid.catch(() => 'thrown by the end of the process')
    await isWaiting()
    await other.query(`SELECT pg_terminate_backend(pid) ${waiting}`)
    expect(await heard).toBe('thrown by the end of the process')
    expect(ended).toBe(1)
    await other.query('ROLLBACK')
  })
})
