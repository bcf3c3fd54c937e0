import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compareHoldings, type ExpectedHolding, examineJournal, readExpectedHoldings } from '../../src/ledger/ledger.ts'
import { readBook } from '../../src/lib/database/database.ts'
import type { ReadRows } from '../../src/lib/database/engine/reader.ts'
import { msats } from '../../src/lib/money/amount.ts'
import { held, member, pot } from '../../src/tipping/core/chart-of-accounts.ts'
import { move, openBook, type TestBook } from './book.ts'

let book: TestBook

beforeEach(async () => {
  book = await openBook()
  await book.fund('alice', 1_000)
  await book.send('tip-1', move('alice', 'bob', 100))
  await book.send('tip-2', move('bob', 'carol', 50))
  await book.send('tip-3', move('alice', 'bob', 25))
})

afterEach(() => book.close())

const look = <T>(read: (rows: ReadRows) => Promise<T>) => readBook({ ...book.database, durable: true }, read)
const lines = () => look(examineJournal)
const faults = async () => (await book.ledger.prove()).faults

describe('a proof of the book', () => {
  it('gives counts and totals, but no faults, if the book is correct', async () => {
    expect(await book.ledger.prove()).toEqual({
      holds: true,
      accounts: 4,
      entries: 4,
      moves: 4,
      totals: { member: 1_000n, wallet: -1_000n },
      faults: [],
    })
    expect(await lines()).toEqual([])
  })

  it('reports a wrong total and a balance that is not the sum of the account’s moves', async () => {
    await book.spoil(`UPDATE "Account" SET "balance" = 76 WHERE "owner" = 'bob'`)
    expect(await book.ledger.prove()).toMatchObject({
      holds: false,
      faults: ['all balances together are 1 msats, not 0', 'member bob shows 76 msats, but its moves make 75'],
    })
  })

  it('reports an account with the wrong sign or an unknown kind', async () => {
    await book.spoil(
      `UPDATE "Account" SET "kind" = 'wallet' WHERE "owner" = 'carol'; UPDATE "Account" SET "kind" = 'purse' WHERE "owner" = 'bob'`,
    )
    expect(await faults()).toEqual([
      'purse bob is of a kind that the chart of accounts does not have',
      'wallet carol stands at 50 msats, on the wrong side',
    ])
  })

  it('reports an account whose chain of moves is broken in the middle', async () => {
    await book.send('tip-4', move('alice', 'bob', 1))
    await book.spoil(`UPDATE "Move" SET "fromPreviousId" = 1 WHERE "id" = 4`)
    expect(await faults()).toEqual(['the moves of member alice are not chained as they were made'])
  })

  it('reports entries without moves', async () => {
    await book.spoil(
      `INSERT INTO "Entry" ("id", "operation", "step", "at") VALUES (5, 'x', 'post', '2030-01-01 00:00:00')`,
    )
    expect(await faults()).toEqual(['1 entries move nothing'])
    expect(await lines()).toEqual(['entry 5 (x, post) has no moves: they were removed'])
  })
})

describe('a proof of the book reports moves', () => {
  it('if they belong to an entry that does not exist', async () => {
    await book.spoil('DELETE FROM "Entry" WHERE "id" = 2')
    expect(await faults()).toEqual(['moves name entries that do not exist'])
  })

  it('if they belong to entry 0, which never exists', async () => {
    await book.spoil('DELETE FROM "Entry" WHERE "id" = 1; UPDATE "Move" SET "entryId" = 0 WHERE "id" = 1')
    expect(await faults()).toEqual(['moves name entries that do not exist'])
  })

  it('if their account does not exist, even though all balances sum to 0', async () => {
    await book.send('tip-4', move('carol', 'bob', 50))
    await book.spoil(`DELETE FROM "Account" WHERE "owner" = 'carol'`)
    expect(await faults()).toEqual(['moves name accounts that do not exist'])
  })
})

describe('an inspection of the journal’s lines', () => {
  it('names each missing line', async () => {
    await book.spoil('DELETE FROM "Move" WHERE "id" = 2')
    expect(await lines()).toEqual([
      'moves jump from 1 to 3: move 2 is missing from the journal',
      'entry 2 (tip-1, post) has no moves: they were removed',
      'move 3 of member bob says that it follows 2, but it follows nothing in the journal',
      'move 4 of member alice says that it follows 2, but it follows 1 in the journal',
    ])
    await book.spoil('DELETE FROM "Move" WHERE "id" = 1; DELETE FROM "Entry" WHERE "id" IN (1, 2)')
    expect((await lines()).slice(0, 2)).toEqual([
      'entries jump from 0 to 3: entries 1 to 2 are missing from the journal',
      'moves jump from 0 to 3: moves 1 to 2 are missing from the journal',
    ])
  })

  it('names the accounts whose last line is missing', async () => {
    await book.spoil('DELETE FROM "Move" WHERE "id" = 4; DELETE FROM "Entry" WHERE "id" = 4')
    expect(await lines()).toEqual([
      'the account member alice says that its newest move is 4, but the journal says 2',
      'the account member bob says that its newest move is 4, but the journal says 3',
    ])
  })

  it('names a line that was moved to an account that does not exist', async () => {
    await book.spoil(`UPDATE "Move" SET "toId" = 99 WHERE "id" = 4`)
    expect(await lines()).toEqual([
      'move 4 of an account that does not exist says that it follows 3, but it follows nothing in the journal',
      'the account member bob says that its newest move is 4, but the journal says 3',
    ])
  })
})

describe('an inspection of the links between lines', () => {
  it('names a line wrongly marked as first and an account wrongly marked as empty', async () => {
    await book.spoil(`UPDATE "Move" SET "fromPreviousId" = NULL WHERE "id" = 4;
      UPDATE "Account" SET "lastMoveId" = NULL WHERE "kind" = 'member' AND "owner" = 'bob'`)
    expect(await lines()).toEqual([
      expect.stringMatching(/^move 4 of \S+ \S+ says that it follows nothing, but it follows \d in the journal$/),
      expect.stringMatching(/^the account member bob says that its newest move is none, but the journal says \d$/),
    ])
  })
})

describe('an inspection of accounts’ lines', () => {
  it('names an account that refers to a move but has none', async () => {
    await book.spoil(`INSERT INTO "Account" ("id", "kind", "owner", "lastMoveId") VALUES (99, 'member', 'dave', 4)`)
    expect(await lines()).toEqual(['the account member dave says that its newest move is 4, but the journal says none'])
  })
})

describe('a reserved amount', () => {
  const since = new Date(0)
  const record = (about: Partial<ExpectedHolding>): ExpectedHolding => ({
    ...{ kind: 'held', owner: 'alice', operation: 'w-1', noun: 'withdrawal', state: 'sending', amount: 300n, since },
    ...about,
  })
  const compare = (...records: ExpectedHolding[]) =>
    look((rows) => compareHoldings(rows, { held: 'operation', pot: 'account' }, records))

  beforeEach(async () => {
    const to = held('alice')
    await book.ledger.commit({
      entries: [{ operation: 'w-1', step: 'reserve', moves: [{ ...move('alice', '', 300), to }] }],
    })
    await book.ledger.commit({
      entries: [{ operation: 'w-2', step: 'reserve', moves: [{ ...move('alice', '', 10), to }] }],
    })
    await book.ledger.commit({
      entries: [{ operation: 'w-2', step: 'void', moves: [{ from: to, to: member('alice'), amount: msats(10) }] }],
    })
    const drop = pot('d-1')
    await book.ledger.commit({
      entries: [{ operation: 'd-1', step: 'reserve', moves: [{ ...move('alice', '', 90), to: drop }] }],
    })
    await book.ledger.commit({
      entries: [{ operation: 'c-1', step: 'post', moves: [{ from: drop, to: member('bob'), amount: msats(30) }] }],
    })
  })

  it('is compared with the open record of its operation or pot', async () => {
    const drop = record({ kind: 'pot', owner: 'd-1', operation: undefined, amount: 60n })
    expect(await compare(record({}), drop)).toEqual([])
    expect(await compare(record({ amount: 299n }), { ...drop, noun: 'drop', state: 'open', amount: 90n })).toEqual([
      { about: 'w-1', what: 'held alice holds 300 msats for w-1, but its record (withdrawal, sending) says 299' },
      { about: 'd-1', what: 'pot d-1 holds 60 msats for d-1, but its record (drop, open) says 90' },
    ])
  })

  it('is reported if its record is missing or names another owner', async () => {
    expect((await compare()).map(({ what }) => what)).toEqual([
      'held alice holds 300 msats for w-1, but no open record explains them',
      'pot d-1 holds 60 msats for d-1, but no open record explains them',
    ])
    const wrong = await compare(
      record({ owner: 'bob' }),
      record({ kind: 'pot', owner: 'd-1', operation: undefined, amount: 60n }),
    )
    expect(wrong.map(({ what }) => what)).toEqual([
      'held alice holds 300 msats for w-1, but no open record explains them',
      'held bob holds 0 msats for w-1, but its record (withdrawal, sending) says 300',
    ])
  })

  it('is reported separately for each operation and owner if it has no record', async () => {
    const reserve = (operation: string, from: string, amount: number) =>
      book.ledger.commit({
        entries: [{ operation, step: 'reserve', moves: [{ ...move(from, '', amount), to: held(from) }] }],
      })
    await reserve('w-3', 'alice', 7)
    await reserve('w-4', 'bob', 5)
    expect((await compare(record({}))).map(({ what }) => what)).toEqual([
      'held alice holds 7 msats for w-3, but no open record explains them',
      'held bob holds 5 msats for w-4, but no open record explains them',
      'pot d-1 holds 60 msats for d-1, but no open record explains them',
    ])
  })

  it('is expected for each record found, and the oldest record comes first', async () => {
    const queries = [
      `SELECT 'held', 'a', 'o', 'thing', 'open', 5, '2030-01-02T00:00:00.000+00:00'`,
      `SELECT 'pot', 'b', NULL, 'thing', 'open', 6, '2030-01-01T00:00:00.000+00:00'`,
    ]
    expect(await look((rows) => readExpectedHoldings(rows, queries))).toEqual([
      {
        kind: 'pot',
        owner: 'b',
        operation: undefined,
        noun: 'thing',
        state: 'open',
        amount: 6n,
        since: new Date('2030-01-01'),
      },
      {
        kind: 'held',
        owner: 'a',
        operation: 'o',
        noun: 'thing',
        state: 'open',
        amount: 5n,
        since: new Date('2030-01-02'),
      },
    ])
  })
})
