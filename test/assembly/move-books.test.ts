import { existsSync, readFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../src/assembly/audit/audit.ts'
import { backUp } from '../../src/assembly/backup/backup.ts'
import { moveBooks } from '../../src/assembly/backup/move-books.ts'
import { restoreInPlace } from '../../src/assembly/backup/restore-in-place.ts'
import { storedProject } from '../../src/assembly/own-project.ts'
import { parseConfig } from '../../src/config/config.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { isInUse } from '../../src/lib/database/sqlite/copy-databases.ts'
import { lockFolder } from '../../src/lib/folder-lock.ts'
import { openPaymentsDatabase } from '../../src/payments-service/core/database.ts'
import { openTippingDatabase } from '../../src/tipping/core/database.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { type PlayedWorld, playWorld } from './played-world.ts'

/** Tests moving books from file to file; test/postgres tests moving them to a server and back. */

const clock = new ManualClock()
let played: PlayedWorld

beforeAll(async () => {
  played = await playWorld()
  await played.stop()
}, 60_000)
afterAll(() => played.remove())

function start() {
  const folder = played.copy()
  const config = parseConfig({ DATA_FOLDER: folder })
  const [tipping, payments] = [`file:${folder}/new-tipping.sqlite`, `file:${folder}/new-payments.sqlite`]
  const sql = (file: string, text: string) => {
    const database = new Database(`${folder}/${file}.sqlite`)
    database.exec(text)
    database.close()
  }
  const auditOf = (bot: string, service: string) => {
    const projectId = storedProject(folder)?.projectId
    const provider = { kind: 'in the box', database: service, projectId } as const
    return audit({ tipping: bot, provider, clock: systemClock })
  }
  return { folder, config, tipping, payments, sql, auditOf }
}

describe('a move of books', () => {
  it('copies both books completely, and the copies match each other', async () => {
    const { folder, config, tipping, payments, auditOf } = start()
    const moved = await moveBooks(config, { tipping, payments }, clock)
    const there = await auditOf(tipping, payments)
    expect(there.findings).toEqual([])
    expect(moved).toEqual([
      { variable: 'TIPPING_DATABASE_URL', proof: there.books[0]?.proof },
      { variable: 'PAYMENTS_DATABASE_URL', proof: there.books[1]?.proof },
    ])
    expect(moved[0]?.proof.entries).toBeGreaterThan(3)
    for (const url of [config.tippingDatabaseUrl, config.service.databaseUrl, tipping, payments])
      expect(isInUse(url.replace('file:', '')), url).toBe(false)
    // The folder is free again.
    lockFolder(folder, 'bot', 'service')()
  })

  it('makes the old books unusable, with errors that name the new place', async () => {
    const { folder, config, tipping, payments, auditOf } = start()
    await moveBooks(config, { tipping, payments }, clock)
    const words = (name: string) =>
      `This book was moved to ${folder}/new-${name}.sqlite by npm run move. Everything since then is stored in the new place. Set TIPPING_DATABASE_URL or PAYMENTS_DATABASE_URL to the new place. Nothing was changed.`
    await expect(openTippingDatabase(config.tippingDatabaseUrl)).rejects.toThrow(words('tipping'))
    await expect(openPaymentsDatabase(config.service.databaseUrl)).rejects.toThrow(words('payments'))
    await expect(backUp(config, `${folder}/backup`, clock)).rejects.toThrow(words('tipping'))
    await expect(moveBooks(config, { tipping: `${tipping}-2`, payments: undefined }, clock)).rejects.toThrow(
      words('tipping'),
    )
    const { findings } = await auditOf(config.tippingDatabaseUrl, config.service.databaseUrl)
    expect(findings.map(({ what }) => what)).toEqual(expect.arrayContaining([words('tipping'), words('payments')]))
    // The books are complete at their new place, and can be moved again.
    const there = { ...config, tippingDatabaseUrl: tipping, service: { ...config.service, databaseUrl: payments } }
    expect(await moveBooks(there, { tipping: `${tipping}-2`, payments: undefined }, clock)).toHaveLength(1)
  })

  it('leaves the bot’s old book usable if the service’s book cannot be moved', async () => {
    const { config, tipping, payments, sql } = start()
    sql('payments', `UPDATE "Account" SET "balance" = "balance" + 1000 WHERE "kind" = 'wallet'`)
    await expect(moveBooks(config, { tipping, payments }, clock)).rejects.toThrow(/PAYMENTS_DATABASE_URL has a fault/)
    await (await openTippingDatabase(config.tippingDatabaseUrl)).close()
  })

  it('can be limited to one book, and then leaves the other in place', async () => {
    const { folder, config, tipping, payments } = start()
    expect(await moveBooks(config, { tipping: undefined, payments }, clock)).toMatchObject([
      { variable: 'PAYMENTS_DATABASE_URL' },
    ])
    expect(existsSync(`${folder}/new-tipping.sqlite`)).toBe(false)
    expect(await moveBooks(config, { tipping, payments: undefined }, clock)).toMatchObject([
      { variable: 'TIPPING_DATABASE_URL' },
    ])
  })

  it('never replaces a book at the new place', async () => {
    const { config, tipping } = start()
    const [moved] = await moveBooks(config, { tipping, payments: undefined }, clock)
    await expect(moveBooks(start().config, { tipping, payments: undefined }, clock)).rejects.toThrow(
      `The new place for the book in TIPPING_DATABASE_URL is not empty: it already holds ${moved?.proof.entries} entries. Choose an empty place.`,
    )
  })

  it('never replaces a book that has a project but no entry', async () => {
    const { config, payments } = start()
    const there = await openPaymentsDatabase(payments)
    await there.write.project.create({ data: { id: 'p', name: 'a shop', createdAt: new Date(0) } })
    await there.close()
    await expect(moveBooks(config, { tipping: undefined, payments }, clock)).rejects.toThrow(
      'The new place for the book in PAYMENTS_DATABASE_URL is already in use: the table Project there has rows. Choose an empty place.',
    )
    const still = await openPaymentsDatabase(payments)
    expect(await still.read.project.count()).toBe(1)
    await still.close()
  })

  it('never replaces another program’s database', async () => {
    const { folder, config } = start()
    const file = `${folder}/shop.sqlite`
    new Database(file).exec('CREATE TABLE "Orders" ("id" INTEGER)').close()
    const before = readFileSync(file)
    await expect(moveBooks(config, { tipping: `file:${file}`, payments: undefined }, clock)).rejects.toThrow(
      /contains tables that are not Satchel's \(Orders\)\. Use another database\. Nothing was changed\./,
    )
    expect(readFileSync(file)).toEqual(before)
  })

  it('is refused if a book has faults, and the error names the first one', async () => {
    const { folder, config, tipping, sql } = start()
    sql('tipping', `UPDATE "Account" SET "balance" = "balance" + 1000 WHERE "kind" = 'member'`)
    await expect(moveBooks(config, { tipping, payments: undefined }, clock)).rejects.toThrow(
      /^The book in TIPPING_DATABASE_URL has a fault: .* msats.*\. Nothing was moved. To see every fault, run "npm run audit"\.$/,
    )
    expect(existsSync(`${folder}/new-tipping.sqlite`)).toBe(false)
    lockFolder(folder, 'bot', 'service')()
  })

  it('is refused if a book is missing or a process owns the folder', async () => {
    const { folder, config, payments } = start()
    const none = { ...config, tippingDatabaseUrl: `file:${folder}/none.sqlite` }
    await expect(moveBooks(none, { tipping: payments, payments: undefined }, clock)).rejects.toThrow(
      'There is no database at',
    )
    expect(existsSync(`${folder}/none.sqlite`)).toBe(false)
    for (const side of ['bot', 'service'] as const) {
      const unlock = lockFolder(folder, side)
      await expect(moveBooks(config, { tipping: undefined, payments }, clock)).rejects.toThrow(
        /data folder|runs|process/,
      )
      unlock()
    }
  })
})

describe('a restore in place', () => {
  const at = { madeAt: new Date(0), notPaused: false, clock }

  it('is refused for SQLite files, and the error says how to restore them', async () => {
    const { config } = start()
    const words =
      '--in-place is for books on a PostgreSQL server. To restore SQLite files, leave --in-place out, and give the folder that npm run backup made.'
    await expect(restoreInPlace(config, at)).rejects.toThrow(words)
    const far = parseConfig({
      DATA_FOLDER: config.dataFolder,
      PAYMENTS_BASE_URL: 'https://pay.example.org',
      PAYMENTS_API_KEY: 'key',
    })
    await expect(restoreInPlace(far, at)).rejects.toThrow(words)
  })

  it('refuses a backup time in the future', async () => {
    const { folder } = start()
    const server = parseConfig({ DATA_FOLDER: folder, PAYMENTS_DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' })
    const tomorrow = new Date(clock.now() + 1)
    await expect(restoreInPlace(server, { ...at, madeAt: tomorrow })).rejects.toThrow(
      '--made-at is in the future. Give the time at which the backup was made, in UTC.',
    )
  })
})
