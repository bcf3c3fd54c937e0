import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openPaymentsDatabase } from '../../src/payments-service/core/database.ts'
import { openTippingDatabase } from '../../src/tipping/core/database.ts'
import { recreate } from '../support/postgres/databases.ts'

/** Tests moves from connections that ignore the book's lock: one statement trigger replaces three keys of each move. */
describe.each([
  ['tipping', openTippingDatabase],
  ['payments', openPaymentsDatabase],
] as const)('the references of moves in the %s book', (book, open) => {
  let one: pg.Client
  let other: pg.Client

  beforeEach(async () => {
    const url = await recreate(`satchel_test_references_${book}`)
    await (await open(url)).close()
    const connect = async () => {
      const client = new pg.Client({ connectionString: url, options: `-c search_path=${book}` })
      await client.connect()
      return client
    }
    ;[one, other] = [await connect(), await connect()]
    await one.query(`INSERT INTO "Account" ("id", "kind", "owner") VALUES (1, 'operator', ''), (2, 'suspense', '')`)
    await one.query(`INSERT INTO "Entry" ("id", "operation", "step", "at") VALUES (1, 'a', 'post', now())`)
    await move(one, [1, 1, 1, 2])
  })

  afterEach(async () => {
    await Promise.all([one.end(), other.end()])
  })

  /** Inserts moves with one statement. The numbers of a move are: id, entry, from, to. */
  const move = (client: pg.Client, ...moves: readonly (readonly [number, number, number, number])[]) =>
    client.query(
      `INSERT INTO "Move" ("id", "entryId", "fromId", "toId", "amount") VALUES ${moves.map((row) => `(${row}, 5)`)}`,
    )
  const moves = async () => (await one.query('SELECT "id" FROM "Move" ORDER BY "id"')).rows.map(({ id }) => Number(id))
  const missing = { code: '23503', message: 'a move names an entry or an account that is not there' }

  it.each([
    ['its entry', [2, 9, 1, 2]],
    ['the account that gives', [2, 1, 9, 2]],
    ['the account that gets', [2, 1, 1, 9]],
  ] as const)('prevent a move if %s does not exist, even among valid moves', async (_, wrong) => {
    await expect(move(one, wrong)).rejects.toMatchObject(missing)
    await expect(move(one, [3, 1, 2, 1], wrong, [4, 1, 1, 2])).rejects.toMatchObject(missing)
    expect(await moves()).toEqual([1])
    await move(one, [3, 1, 2, 1], [4, 1, 1, 2])
    expect(await moves()).toEqual([1, 3, 4])
  })

  it.each([
    ['DELETE FROM "Account" WHERE "id" = 2', 'an account is never deleted'],
    ['UPDATE "Account" SET "id" = 3 WHERE "id" = 2', 'an account keeps its id'],
    ['INSERT INTO "Account" VALUES (2, \'suspense\', \'\') ON CONFLICT ("id") DO UPDATE SET "id" = 3', 'keeps its id'],
    ['DELETE FROM "Entry"', 'append-only'],
    ['UPDATE "Entry" SET "id" = 3', 'append-only'],
    ['TRUNCATE "Account"', 'a book is never emptied'],
    ['TRUNCATE "Entry" CASCADE', 'a book is never emptied'],
    ['TRUNCATE "Move"', 'a book is never emptied'],
  ])('protect the rows that moves refer to: %s', async (statement, says) => {
    await expect(one.query(statement)).rejects.toMatchObject({ code: '23514', message: expect.stringContaining(says) })
  })

  it.each(['Account', 'Entry', 'Move', 'inserted'])('ignore a temporary table named “%s”', async (table) => {
    await one.query(`CREATE TEMPORARY TABLE "${table}" AS SELECT 9 AS "id", 1 AS "entryId", 1 AS "fromId", 2 AS "toId"`)
    const insert = (row: string) =>
      one.query(`INSERT INTO ${book}."Move" ("id", "entryId", "fromId", "toId", "amount") VALUES (${row}, 5)`)
    for (const wrong of ['2, 9, 1, 2', '2, 1, 9, 2', '2, 1, 1, 9'])
      await expect(insert(wrong)).rejects.toMatchObject(missing)
    await insert('3, 1, 2, 1')
    const { rows } = await other.query('SELECT "id" FROM "Move" ORDER BY "id"')
    expect(rows.map(({ id }) => Number(id))).toEqual([1, 3])
  })

  it('are checked by functions that search temporary tables last, as all triggers do', async () => {
    const { rows } = await one.query(
      'SELECT DISTINCT proconfig AS set FROM pg_proc WHERE pronamespace = current_schema()::regnamespace',
    )
    expect(rows).toEqual([{ set: [`search_path=${book}, pg_temp`] }])
  })

  it('are enforced while another writer’s transaction is open', async () => {
    await one.query('BEGIN')
    await one.query(`INSERT INTO "Account" ("id", "kind", "owner") VALUES (3, 'operator', 'x')`)
    await move(one, [2, 1, 3, 2])
    await expect(move(other, [3, 1, 3, 1])).rejects.toMatchObject(missing)
    await expect(other.query('DELETE FROM "Account" WHERE "id" = 2')).rejects.toThrow('never deleted')
    await one.query('ROLLBACK')
    await expect(move(other, [3, 1, 3, 1])).rejects.toMatchObject(missing)
    expect(await moves()).toEqual([1])
  })

  it('ignore an account whose creation was rolled back to a savepoint', async () => {
    await one.query('BEGIN')
    await one.query('SAVEPOINT s')
    await one.query(`INSERT INTO "Account" ("id", "kind", "owner") VALUES (3, 'operator', 'x')`)
    await one.query('ROLLBACK TO SAVEPOINT s')
    await expect(move(one, [2, 1, 3, 2])).rejects.toMatchObject(missing)
    await one.query('ROLLBACK')
  })
})
