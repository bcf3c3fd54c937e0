import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { BookWatch } from '../../proof/judge/book-watch.ts'
import { Faults } from '../../proof/judge/faults.ts'
import { Neighbours } from '../../proof/judge/neighbours.ts'

let book: Database.Database
let found: () => string[]

beforeEach(() => {
  book = new Database(':memory:').defaultSafeIntegers()
  book.exec(`
    CREATE TABLE "Lease" ("name", "holder");
    CREATE TABLE "Payment" ("id", "status", "sender");
    CREATE TABLE "Callback" ("id" INTEGER, "resource", "attempts" INTEGER, "claimedBy", "deliveredAt", "parkedAt", "url");
    CREATE TABLE "Cursor" ("value");
    CREATE TABLE "Payout" ("id", "state", "process");
    CREATE TABLE "Withdrawal" ("id", "state", "process");
    CREATE TABLE "Voucher" ("id", "state", "process");
    CREATE TABLE "Redemption" ("id", "state", "process");
    INSERT INTO "Lease" VALUES ('process:a', 'a'), ('process:b', 'b');
    INSERT INTO "Payment" VALUES ('p', 'unknown', 'a');
    INSERT INTO "Callback" VALUES (1, 'r', 0, 'a', NULL, NULL, 'u'), (2, 'r', 0, NULL, NULL, NULL, 'u');
    INSERT INTO "Cursor" VALUES ('9')`)
  const source = {
    rows: <Row>(sql: string, ...values: unknown[]) => book.prepare(sql).all(...values) as Row[],
    close: () => {},
  }
  // One file for both books: their tables have different names, but for the leases.
  const [faults, watch] = [new Faults(), new BookWatch('service', source, {})]
  const neighbours = new Neighbours(faults)
  found = () => {
    neighbours.look(watch, watch)
    return faults.found
  }
})

afterEach(() => book.close())

it('the judge reports work taken from a service whose lease still exists', () => {
  expect(found()).toEqual([])
  book.exec(`DELETE FROM "Lease" WHERE "holder" = 'a'; UPDATE "Payment" SET "sender" = 'b'`)
  book.exec(`UPDATE "Callback" SET "claimedBy" = 'b' WHERE "id" = 1`)
  expect(found()).toEqual([])
  book.exec(`INSERT INTO "Lease" VALUES ('process:c', 'c'); UPDATE "Payment" SET "sender" = 'c'`)
  expect(found()).toEqual(['payment p was taken over by another service, though the one that had it lives'])
})

it.each(['Payout', 'Withdrawal', 'Voucher', 'Redemption'])(
  'the judge reports a %s taken from a bot that is sending it and holds a lease',
  (table) => {
    book.exec(`INSERT INTO "${table}" VALUES ('x', 'reserved', 'a'), ('y', 'sending', 'b'), ('z', 'sending', 'a')`)
    expect(found()).toEqual([])
    book.exec(`DELETE FROM "Lease" WHERE "holder" = 'a'; UPDATE "${table}" SET "state" = 'paid' WHERE "id" = 'z'`)
    book.exec(`UPDATE "${table}" SET "state" = 'kept', "process" = 'b' WHERE "id" = 'x'`)
    expect(found()).toEqual([])
    book.exec(`INSERT INTO "Lease" VALUES ('process:c', 'c')`)
    book.exec(`UPDATE "${table}" SET "state" = 'unknown', "process" = 'c' WHERE "id" = 'y'`)
    const taken = `${table.toLowerCase()} y was taken over by another bot, though the one that had it lives`
    expect(found()).toEqual([taken])
  },
)

it('the judge reports a takeover of an open callback, but not of a failed callback', () => {
  expect(found()).toEqual([])
  book.exec(`UPDATE "Callback" SET "attempts" = 1, "claimedBy" = 'b' WHERE "id" = 1`)
  expect(found()).toEqual([])
  book.exec(`UPDATE "Callback" SET "claimedBy" = 'a' WHERE "id" = 1`)
  expect(found()).toEqual([expect.stringContaining('attempt 1 of callback 1 was taken over')])
})

it('the judge accepts a callback before an older one only if the latter was given up', () => {
  book.exec(
    `UPDATE "Callback" SET "parkedAt" = 1 WHERE "id" = 1; UPDATE "Callback" SET "deliveredAt" = 1 WHERE "id" = 2`,
  )
  expect(found()).toEqual([])
  book.exec(`UPDATE "Callback" SET "parkedAt" = NULL WHERE "id" = 1`)
  expect(found()).toEqual(['callback 2 was delivered before an older one of r'])
})

it('the judge reports a settlement cursor that decreases', () => {
  expect(found()).toEqual([])
  book.exec(`UPDATE "Cursor" SET "value" = '10'`)
  expect(found()).toEqual([])
  book.exec(`UPDATE "Cursor" SET "value" = '9'`)
  expect(found()).toEqual(['the cursor of settlements went back from 10 to 9'])
})
