import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { allowFirstBook, BookCheck, OtherBook } from '../../src/assembly/books/check-books.ts'
import { holdBooks } from '../../src/assembly/books/hold-books.ts'
import { knownBook } from '../../src/assembly/books/known-books.ts'
import { withOwnService } from '../../src/assembly/set-up/prepare-own-service.ts'
import { type Config, parseConfig } from '../../src/config/config.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { openPaymentsDatabase } from '../../src/payments-service/core/database.ts'
import { openTippingDatabase, type Tx as TippingTx } from '../../src/tipping/core/database.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { NAMES, PROJECT, type SmallBooks, smallBooks } from './small-books.ts'

/** Starts only as far as the check of the books, which are opened as `npm start` opens them, the service's first. */
async function start(config: Config, newBook = false): Promise<void> {
  const sides = config.provider ? (['bot'] as const) : (['bot', 'service'] as const)
  const check = new BookCheck(config, { sides, newBook, clock: new ManualClock() })
  const letGo = holdBooks(config, sides, () => check.files())
  try {
    if (config.provider) {
      const tipping = await openTippingDatabase(config.tippingDatabaseUrl)
      await check.ofBot(tipping).finally(() => tipping.close())
      return
    }
    const payments = await openPaymentsDatabase(config.service.databaseUrl)
    try {
      await check.ofService(payments)
      const tipping = await openTippingDatabase(config.tippingDatabaseUrl)
      await check.ofBot(tipping).finally(() => tipping.close())
    } finally {
      await payments.close()
    }
  } finally {
    letGo()
  }
}

/** Returns books that have been started once, so that their folder records them. The service has the bot's project. */
async function started(): Promise<SmallBooks> {
  const books = await withProject()
  await start(books.config)
  return books
}

async function withProject(): Promise<SmallBooks> {
  const books = await smallBooks()
  await books.service((tx) => tx.project.create({ data: { id: PROJECT, name: 'Satchel', createdAt: new Date(0) } }))
  return books
}

const set = ({ folder }: SmallBooks, environment: Record<string, string>) =>
  parseConfig({ DATA_FOLDER: folder, ...environment })
const lose = ({ folder }: SmallBooks, ...names: string[]) => {
  for (const name of names) for (const end of ['', '-wal', '-shm']) rmSync(join(folder, name + end), { force: true })
}

const charge = {
  ...{ id: 'c', projectId: PROJECT, payeeId: 'u', amount: 1000n, description: '', internalId: '', callbackUrl: '' },
  ...{ status: 'CHARGE_PENDING', invoiceRequest: '', paymentHash: 'h', createdAt: new Date(0), expiresAt: new Date(0) },
}

const account = { id: 'a', member: 'm', key: 'k', provider: 'p', createdAt: new Date(0) }
const request = { ...account, card: 'c', state: 'open', chargeId: 'x', request: 'lnurl' }
const pool = { guild: 'g', channel: 'c', public: true, slots: 1, goal: 1000n }
const payee = { lightningId: 'l', gamertag: 'g', description: '', channel: 'c', expiresAt: new Date(0) }
const name = {
  ...{ name: 'alice', state: 'live', address: 'alice@example.org', least: 1n, most: 2n, token: 't', body: '{}' },
  ...{ chargeId: 'x', request: 'lnurl' },
}

const missing =
  /^The (bot|service)’s book is missing: there (is none at|is nothing in) \S+sqlite, but a book existed earlier \(/
const remedy =
  /Mount its disk, correct (TIPPING|PAYMENTS)_DATABASE_URL or DATA_FOLDER, or restore a backup\. Nothing was changed\. Start with --new-book only if the whole book may be forgotten/

describe('existing books', () => {
  it('are noted in their folder and opened again, and --new-book is refused', async () => {
    const books = await started()
    await start(books.config)
    expect(knownBook(books.folder, 'bot')).toEqual({
      ...{ place: join(books.folder, 'tipping.sqlite'), begun: true },
      first: 'fund post 2030-01-01T00:00:00.000Z',
    })
    await expect(start(books.config, true)).rejects.toThrow(
      '--new-book creates missing books, but the bot’s book and the service’s book already exist. Leave the option out.',
    )
  })

  it('are opened after their folder has moved', async () => {
    const books = await started()
    renameSync(books.folder, join(books.above, 'moved'))
    await start(parseConfig({ DATA_FOLDER: join(books.above, 'moved') }))
  })
})

describe('a new installation', () => {
  it('creates its books without the option --new-book', async () => {
    const { above } = await smallBooks()
    const config = parseConfig({ DATA_FOLDER: join(above, 'new') })
    await start(config)
    await start(config)
  })

  it('may create the bot’s book for a project with sats if setup has allowed this', async () => {
    const books = await withProject()
    lose(books, 'tipping.sqlite')
    allowFirstBook(books.config)
    await start(books.config)
  })

  it.each([
    ['stopped before using its book', async () => undefined],
    ['held no sats', (tx: TippingTx) => tx.opening.create({ data: { id: 1, amount: 0n, at: new Date(0) } })],
  ])('can switch from no custody to a bundled service if its bot %s', async (_, write) => {
    const books = await smallBooks()
    lose(books, ...NAMES)
    await books.bot(write)
    await start(set(books, { CUSTODY: 'none' }))
    const around = { clock: systemClock, entropy: systemEntropy, logger: silentLogger }
    await withOwnService(books.config, around, async () => undefined)
    await start(books.config)
  })
})

describe('a lost book', () => {
  it.each([
    ['the bot’s book is deleted', (b: SmallBooks) => lose(b, 'tipping.sqlite'), {}],
    ['the service’s book is deleted', (b: SmallBooks) => lose(b, 'payments.sqlite'), {}],
    ['both books are deleted', (b: SmallBooks) => lose(b, 'tipping.sqlite', 'payments.sqlite'), {}],
    [
      'the bot’s book is an empty file',
      ({ folder }: SmallBooks) => writeFileSync(join(folder, 'tipping.sqlite'), ''),
      {},
    ],
    ['there is a typo in its URL', () => undefined, { TIPPING_DATABASE_URL: 'file:./typo/tipping.sqlite' }],
    ['its disk is not mounted', () => undefined, { PAYMENTS_DATABASE_URL: 'file:/mnt/not-there-0/payments.sqlite' }],
  ] as const)('prevents a start and is not replaced if %s', async (_, damage, environment) => {
    const books = await started()
    damage(books)
    const config = set(books, environment)
    const sizes = () => readdirSync(books.folder).map((name) => [name, statSync(join(books.folder, name)).size])
    const before = sizes().filter(([name]) => !/lock/.test(String(name)))
    const refused = await start(config).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(OtherBook)
    expect((refused as Error).message).toMatch(missing)
    expect((refused as Error).message).toMatch(remedy)
    expect(sizes().filter(([name]) => !/lock/.test(String(name)))).toEqual(before)
    expect(['./typo', '/mnt/not-there-0'].filter((made) => existsSync(made))).toEqual([])
  })

  it('is detected from the project’s key or the other book if the folder has no note', async () => {
    // An installation of an earlier version.
    const one = await withProject()
    lose(one, 'payments.sqlite')
    await expect(start(one.config)).rejects.toThrow(
      /own-project\.json, the key of the bot’s project, still exists\)\. Mount/,
    )
    const other = await withProject()
    lose(other, 'tipping.sqlite')
    await expect(start(other.config)).rejects.toThrow(
      /own-project\.json, the key of the bot’s project, still exists\)\. Mount/,
    )
    const third = await withProject()
    lose(third, 'payments.sqlite', 'own-project.json')
    await expect(start(third.config)).rejects.toThrow(/the bot’s book still exists\)\. Mount/)
  })

  it('is detected from the folder’s note if the provider is remote', async () => {
    const books = await smallBooks()
    const config = set(books, { PAYMENTS_BASE_URL: 'http://127.0.0.1:9', PAYMENTS_API_KEY: 'key' })
    await start(config)
    lose(books, 'tipping.sqlite')
    await expect(start(config)).rejects.toThrow(
      `The bot’s book is missing: there is none at ${books.folder}/tipping.sqlite, but a book existed earlier (it was at ${books.folder}/tipping.sqlite). Mount its disk`,
    )
  })

  it('is detected if its log is lost and its file holds no entries', async () => {
    const books = await started()
    const file = join(books.folder, 'tipping.sqlite')
    lose(books, 'tipping.sqlite')
    await (await openTippingDatabase(`file:${file}`)).close()
    await expect(start(books.config)).rejects.toThrow(/bot’s book is missing: there is nothing in \S+tipping\.sqlite/)
  })

  it('is detected from a bot’s lease file in the folder', async () => {
    const { above } = await smallBooks()
    const folder = join(above, 'server')
    mkdirSync(folder)
    writeFileSync(join(folder, 'bot-lease.json'), '{}')
    await expect(start(parseConfig({ DATA_FOLDER: folder }))).rejects.toThrow(/bot-lease\.json still exists/)
  })

  it('is not suspected if a bot and a service ran and booked nothing', async () => {
    const { above } = await smallBooks()
    const folder = join(above, 'server')
    mkdirSync(folder)
    for (const side of ['bot', 'service']) writeFileSync(join(folder, `${side}-lease.json`), '{}')
    const row = { data: { name: 'upkeep', holder: '', fence: 1, renewedAt: new Date(0) } }
    const tipping = await openTippingDatabase(`file:${folder}/tipping.sqlite`)
    await tipping.write.lease.create(row).finally(() => tipping.close())
    const payments = await openPaymentsDatabase(`file:${folder}/payments.sqlite`)
    await payments.write.lease.create(row).finally(() => payments.close())
    await start(parseConfig({ DATA_FOLDER: folder }))
  })

  it('also prevents the start of a bot without custody if the project’s key exists', async () => {
    const books = await withProject()
    lose(books, 'tipping.sqlite')
    await expect(start(set(books, { CUSTODY: 'none' }))).rejects.toThrow(
      /own-project\.json, .+, still exists\)\. Mount/,
    )
  })

  it.each(['tipping.sqlite', 'payments.sqlite', 'own-project.json', 'lightning-sandbox.sqlite'])(
    'is distinguished from an unfinished restore that did not put %s in place',
    async (name) => {
      const books = await withProject()
      renameSync(join(books.folder, name), join(books.folder, `${name}.restoring`))
      await expect(start(books.config)).rejects.toThrow(
        `A restore did not finish: ${join(books.folder, name)}.restoring exists, but ${join(books.folder, name)} does not. Restore again with npm run restore -- FOLDER --force`,
      )
    },
  )

  it('can be replaced with --new-book if it is the service’s, and the key is set aside', async () => {
    const books = await started()
    lose(books, 'payments.sqlite')
    await start(books.config, true)
    const names = readdirSync(books.folder)
    expect(names).not.toContain('own-project.json')
    expect(names).toContain('own-project.json.before-2030-01-01T00-00-00-000Z')
    // The permission was given once: a supervisor that restarts it needs no other.
    await start(books.config)
  })

  it('can be replaced with --new-book if it is the bot’s', async () => {
    const books = await started()
    lose(books, 'tipping.sqlite')
    await start(books.config, true)
    expect(knownBook(books.folder, 'bot')?.begun).toBe(false)
    await start(books.config)
  })
})

describe('a book that does not fit the installation', () => {
  it('is refused if it belongs to another installation or lacks the bot’s project', async () => {
    const books = await started()
    const other = await smallBooks()
    const database = new Database(join(other.folder, 'tipping.sqlite'))
    const sql = database.prepare(`SELECT "sql" FROM "sqlite_master" WHERE "type" = 'trigger'`).pluck().all() as string[]
    for (const name of database.prepare(`SELECT "name" FROM "sqlite_master" WHERE "type" = 'trigger'`).pluck().all())
      database.exec(`DROP TRIGGER "${name}"`)
    database.exec(`UPDATE "Entry" SET "operation" = 'another'`)
    for (const each of sql) database.exec(each)
    database.close()
    lose(books, 'tipping.sqlite')
    copyFileSync(join(other.folder, 'tipping.sqlite'), join(books.folder, 'tipping.sqlite'))
    await expect(start(books.config)).rejects.toThrow(
      /^The bot’s book at \S+ is not the book with which the data folder \S+ was last used \(at \S+\): the journals of the two books begin with different entries\. Correct TIPPING_DATABASE_URL .* move the file \S+books\.json away/,
    )
    const keyless = await smallBooks()
    await expect(start(keyless.config)).rejects.toThrow(
      /^The service’s book at \S+ does not belong to the bot: it lacks the bot’s project project-1, whose key is in own-project\.json in/,
    )
  })

  it('is refused if the key of the bot’s project is missing', async () => {
    const books = await started()
    lose(books, 'own-project.json')
    await expect(start(books.config)).rejects.toThrow(/own-project\.json, the key of the bot’s project, is missing/)
  })

  it.each<[string, (tx: TippingTx) => Promise<unknown>]>([
    ['a deposit', (tx) => tx.deposit.create({ data: { ...request, amount: 1000n } })],
    ['a fundraiser', (tx) => tx.fundraiser.create({ data: { ...request, ...pool, amount: 1000n } })],
    ['an invoice', (tx) => tx.invoice.create({ data: { ...request, ...payee, amount: 1000n } })],
    ['a Lightning Address', (tx) => tx.address.create({ data: { ...account, ...name } })],
    [
      'a code that is being redeemed',
      (tx) => tx.redemption.create({ data: { ...account, card: 'c', code: '1', state: 'unknown' } }),
    ],
  ])('is refused without the project’s key even if it contains only %s', async (_, write) => {
    const books = await withProject()
    lose(books, 'tipping.sqlite')
    await books.bot(async (tx) => {
      await tx.opening.create({ data: { id: 1, amount: 0n, at: new Date(0) } })
      await write(tx)
    })
    await start(books.config)
    lose(books, 'own-project.json')
    await expect(start(books.config)).rejects.toThrow(/own-project\.json, the key of the bot’s project, is missing/)
  })

  it('is refused if it was copied into a new folder without the other files', async () => {
    for (const name of ['tipping.sqlite', 'payments.sqlite']) {
      const books = await started()
      const folder = join(books.above, 'copy')
      mkdirSync(folder)
      cpSync(join(books.folder, name), join(folder, name))
      const starting = start(parseConfig({ DATA_FOLDER: folder }))
      await expect(starting).rejects.toThrow(OtherBook)
    }
  })

  it.each<[string, (books: SmallBooks) => Promise<void>]>([
    ['sats', async () => {}],
    ['charges', ({ service }) => service((tx) => tx.charge.create({ data: charge }))],
  ])('is refused if the data folder is empty and the project has %s', async (what, use) => {
    const books = await started()
    await use(books)
    if (what === 'charges') books.spoil('payments.sqlite', `UPDATE "Account" SET "balance" = 0 WHERE "kind" = 'wallet'`)
    const folder = join(books.above, 'empty')
    mkdirSync(folder)
    const config = parseConfig({ DATA_FOLDER: folder, PAYMENTS_DATABASE_URL: books.payments })
    const words =
      /contains the project “Satchel”, which is in use, but the data folder \S+ has neither the bot’s book nor own-project/
    // Every attempt fails: nothing is noted that would let a later one pass.
    for (const _ of [1, 2]) await expect(start(config)).rejects.toThrow(words)
    expect(readdirSync(folder)).not.toContain('tipping.sqlite')
    await start(config, true)
  })

  it('is accepted for a new bot if it is the service’s and the folder’s note names it', async () => {
    const books = await withProject()
    lose(books, 'tipping.sqlite', 'own-project.json')
    const check = new BookCheck(books.config, { sides: ['service'], newBook: false, clock: new ManualClock() })
    const payments = await openPaymentsDatabase(books.payments)
    await check.ofService(payments).finally(() => payments.close())
    await start(books.config)
  })
})

describe('two processes', () => {
  it.each(['tipping.sqlite', 'payments.sqlite'])('cannot both open %s from different data folders', async (name) => {
    const books = await withProject()
    const variable = name.startsWith('tipping') ? 'TIPPING_DATABASE_URL' : 'PAYMENTS_DATABASE_URL'
    const other = parseConfig({ DATA_FOLDER: join(books.above, 'other'), [variable]: `file:${books.folder}/${name}` })
    const letGo = holdBooks(books.config, ['bot', 'service'])
    expect(() => holdBooks(other, ['bot', 'service'])).toThrow(
      `The book ${books.folder}/${name} is in use by another process, perhaps with another data folder. Stop that process first.`,
    )
    letGo()
    holdBooks(other, ['bot', 'service'])()
  })

  it('cannot both open a book, even if one uses a link to its file or its folder', async () => {
    const books = await withProject()
    symlinkSync(books.folder, join(books.above, 'link'))
    symlinkSync(join(books.folder, 'tipping.sqlite'), join(books.above, 'tipping-link.sqlite'))
    const letGo = holdBooks(books.config, ['bot'])
    for (const path of ['link/tipping.sqlite', 'tipping-link.sqlite', 'link/../data/./tipping.sqlite']) {
      const config = parseConfig({
        DATA_FOLDER: join(books.above, 'other'),
        TIPPING_DATABASE_URL: `file:${books.above}/${path}`,
      })
      expect(() => holdBooks(config, ['bot'])).toThrow(/is in use by another process/)
    }
    letGo()
  })

  it.each(['tipping.sqlite', 'payments.sqlite'])(
    'are both refused access to %s while it has a second name (a hard link)',
    async (name) => {
      const books = await withProject()
      linkSync(join(books.folder, name), join(books.above, 'second-name.sqlite'))
      const variable = name.startsWith('tipping') ? 'TIPPING_DATABASE_URL' : 'PAYMENTS_DATABASE_URL'
      const other = { DATA_FOLDER: join(books.above, 'other'), [variable]: `file:${books.above}/second-name.sqlite` }
      for (const config of [books.config, parseConfig(other)]) {
        expect(() => holdBooks(config, ['bot', 'service'])).toThrow(
          / has 2 names \(hard links\).*Nothing was changed\.$/,
        )
      }
      rmSync(join(books.above, 'second-name.sqlite'))
      // Each folder in the path gives the data folder one more name.
      const inPlace = parseConfig({ DATA_FOLDER: join(books.above, 'other'), [variable]: `file:${books.above}` })
      await expect(start(inPlace)).rejects.not.toThrow(/hard links/)
      holdBooks(books.config, ['bot', 'service'])()
    },
  )
})
