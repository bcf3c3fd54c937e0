import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { audit } from '../../src/assembly/audit/audit.ts'
import { providerToAudit } from '../../src/assembly/audit/provider-to-audit.ts'
import { backUp } from '../../src/assembly/backup/backup.ts'
import { moveBooks } from '../../src/assembly/backup/move-books.ts'
import { restore } from '../../src/assembly/backup/restore.ts'
import { BookCheck, mustHaveServicesBook } from '../../src/assembly/books/check-books.ts'
import { holdBooks } from '../../src/assembly/books/hold-books.ts'
import { confirmClock } from '../../src/assembly/confirm-clock.ts'
import { openForOperators } from '../../src/assembly/open-for-operators.ts'
import { rotateWalletKey } from '../../src/assembly/rotate-wallet-key.ts'
import { withOwnService } from '../../src/assembly/set-up/prepare-own-service.ts'
import { sidesOf, startAll, startBotAlone } from '../../src/assembly/start-all.ts'
import { startSandbox } from '../../src/assembly/start-sandbox.ts'
import { startService } from '../../src/assembly/start-service.ts'
import { openWalletKeys } from '../../src/assembly/wallet-keys.ts'
import { takePlaygroundFolder } from '../../src/cli/open-playground.ts'
import { inWords } from '../../src/cli/run.ts'
import { SATCHEL_COMMANDS } from '../../src/cli/satchel-commands.ts'
import { type Config, parseConfig, readEnvFile } from '../../src/config/config.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { openAdministration } from '../../src/payments-service/administration/administration.ts'
import type { OperatorAccess } from '../../src/tipping/operator-access.ts'
import { canBeReadOnly, onlyRead } from '../support/read-only.ts'
import { olderBook, PROJECT, type SmallBooks, smallBooks } from './small-books.ts'

/**
 * Runs each command in each state of an installation, and checks what must happen. The commands' own functions run in
 * this process. Discord is unreachable, so a bot that gets as far as calling Discord has accepted its books.
 */

const runtime = { clock: systemClock, entropy: systemEntropy, logger: silentLogger }
/** The message of a bot that has accepted its books. */
const ACCEPTED = /^Discord cannot be reached/

const DISCORD = {
  DISCORD_TOKEN: 'a.b.c',
  DISCORD_API_URL: 'http://127.0.0.1:9/api',
  SERVICE_PORT: '0',
  CALLBACK_PORT: '0',
}
const ELSEWHERE = { PAYMENTS_BASE_URL: 'http://127.0.0.1:9', PAYMENTS_API_KEY: 'key' }

interface Here {
  readonly folder: string
  readonly config: (environment?: Record<string, string>) => Config
  /** A backup of intact books. */
  readonly backup: string
}

/** Starts as a command does: takes the lock, creates the check of the books, and calls `run`. */
async function started(
  config: Config,
  sides: readonly ('bot' | 'service')[],
  run: (check: BookCheck) => Promise<unknown>,
) {
  const check = new BookCheck(config, { sides, newBook: false, clock: systemClock })
  const letGo = holdBooks(config, sides, () => check.files())
  try {
    await run(check)
  } finally {
    letGo()
  }
}

/** Runs an operator's command at the terminal, beside a bot. */
async function beside(config: Config, run: (access: OperatorAccess) => Promise<unknown>) {
  const access = await openForOperators(config, 1, runtime)
  await run(access).finally(() => access.close())
}

const COMMANDS = {
  start: async ({ config }: Here) => {
    const it = config(DISCORD)
    await started(it, sidesOf(it), async (check) => await startAll(it, runtime, check))
  },
  bot: async ({ config }: Here) => {
    const it = config({ ...DISCORD, ...ELSEWHERE })
    await started(it, ['bot'], async (check) => await startBotAlone(it, runtime, check))
  },
  service: async ({ config }: Here) => {
    const it = config({ SERVICE_PORT: '0' })
    await started(it, ['service'], async (check) =>
      (await startService({ config: it, checkBook: check.ofService, ...runtime })).close(),
    )
  },
  playground: async ({ folder }: Here) => takePlaygroundFolder(folder, { fresh: false, clock: systemClock }).unlock(),
  'playground --fresh': async ({ folder }: Here) =>
    takePlaygroundFolder(folder, { fresh: true, clock: systemClock }).unlock(),
  setup: async ({ config }: Here) => await withOwnService(config(), runtime, async () => undefined),
  backup: async ({ config, folder }: Here) => await backUp(config(), join(folder, '..', 'copy'), systemClock),
  restore: async ({ config, backup }: Here) =>
    await restore(config(), backup, { force: false, notPaused: false, clock: systemClock }),
  'restore --force': async ({ config, backup }: Here) =>
    await restore(config(), backup, { force: true, notPaused: false, clock: systemClock }),
  move: async ({ config, folder }: Here) => {
    const to = (name: string) => `file:${join(folder, '..', 'new', name)}`
    await moveBooks(config(), { tipping: to('tipping.sqlite'), payments: to('payments.sqlite') }, systemClock)
  },
  audit: async ({ config }: Here) => {
    const { source, close } = await providerToAudit(config(), runtime)
    const report = await audit({ tipping: config().tippingDatabaseUrl, provider: source, clock: systemClock }).finally(
      close,
    )
    if (!report.holds) throw new Error(report.findings.map(({ what }) => what).join('; '))
  },
  admin: async ({ config, folder }: Here) => {
    mustHaveServicesBook(config())
    const settings = config().service
    const options = { ...runtime, databaseUrl: settings.databaseUrl, settings, sandbox: true, sandboxFolder: folder }
    const administration = await openAdministration(options)
    await administration.listProjects().finally(() => administration.close())
  },
  'admin unknown': async ({ config }: Here) =>
    await beside(config(), async ({ administration }) => await administration.unknown(10)),
  // 'adopt-claims' opens the book in the same way.
  'wind-down': async ({ config }: Here) => await beside(config(), async ({ windDown }) => await windDown.status()),
  'confirm-clock': async ({ config }: Here) => void (await confirmClock(config(), systemClock)),
  'rotate-wallet-key': async ({ config }: Here) => void (await rotateWalletKey(config())),
  sandbox: async ({ folder }: Here) =>
    await (
      await startSandbox(parseConfig({ DATA_FOLDER: join(folder, 'sandbox'), SANDBOX_PORT: '0' }), runtime)
    ).close(),
} as const
type Command = keyof typeof COMMANDS
const NAMES = Object.keys(COMMANDS) as Command[]

interface State {
  /** Returns whether the state is possible on this machine; left out if it always is. */
  readonly possible?: () => boolean
  /** Brings books that were started once into the state. The returned function ends the state. */
  readonly make: (books: SmallBooks) => (() => void) | undefined | Promise<undefined>
  /** Returns the variables for where the command looks for the books, if not in their own folder. */
  readonly dataFolder?: (books: SmallBooks) => Record<string, string>
  /** The message of each command; `ok` if the command does its work. */
  readonly says: Partial<Record<Command, RegExp | 'ok'>> & { readonly others: RegExp | 'ok' }
}

const used = /in use by another process/
const lost = /^The (bot|service)’s book is missing: there is none at \S+ but a book existed earlier \(/
const noBot = /tipping\.sqlite|bot’s book/
const foreign = /contains tables that are not Satchel's|cannot be read|lacks the migration|no such table|not Satchel/
const newer = /made by a newer version of Satchel/
const folderReadOnly =
  /^The data folder \S+ cannot be used: there is no permission to write \S+\. Give the folder, with everything in it, to the user that runs Satchel/
const bookInFolderReadOnly = /^The data folder \S+ cannot be used: there is no permission to write \S+\.sqlite\. Give /
const notWritten =
  /^The books could not be written: there is no permission to write there\. Make the folder writable .*, then start again\./
const bookReadOnly =
  /^The database \S+\.sqlite (could not be opened|cannot be read): there is no permission to write there\. Make the folder writable/
const noBotsBook = /^The bot's book is not at \S+, and no book was created\. Start the bot first/
const noProject = /^The bot has no project in \S+ yet\. .*, or set DATA_FOLDER to where its data is\.$/
const noKey =
  /^There is no key at \S+\. Start the bot once, which creates the key, or set WALLET_KEY_FILE to the right file\. Nothing was changed\.$/
/** The results of commands that operators run beside a running bot. */
const BESIDE = { 'admin unknown': 'ok', 'wind-down': 'ok', 'confirm-clock': 'ok', 'rotate-wallet-key': 'ok' } as const
/** The results of commands that do not use a bot's books. */
const APART = { playground: 'ok', 'playground --fresh': 'ok', sandbox: 'ok' } as const

const sql = ({ folder }: SmallBooks, name: string, text: string) =>
  void new Database(join(folder, name)).exec(text).close()
const newerMigration = `INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name") VALUES ('x', 'x', '29991231000000_later')`

const STATES: Readonly<Record<string, State>> = {
  empty: {
    make: ({ folder }) => {
      rmSync(folder, { recursive: true })
      mkdirSync(folder)
      return undefined
    },
    says: {
      ...{
        ...APART,
        start: ACCEPTED,
        bot: ACCEPTED,
        service: 'ok',
        setup: 'ok',
        restore: 'ok',
        'restore --force': 'ok',
      },
      ...{ 'admin unknown': noBotsBook, 'wind-down': noBotsBook, 'confirm-clock': 'ok', 'rotate-wallet-key': noKey },
      backup: /There is nothing to back up/,
      admin: /The service's book is not at \S+, and no book was created/,
      others: /There is no database at/,
    },
  },
  stopped: {
    make: () => undefined,
    says: { ...APART, start: ACCEPTED, bot: ACCEPTED, restore: /already holds data/, others: 'ok' },
  },
  running: {
    make: ({ config }) => holdBooks(config, ['bot', 'service']),
    says: { ...{ ...APART, ...BESIDE }, backup: 'ok', audit: 'ok', admin: 'ok', others: used },
  },
  'running, with another folder': {
    make: ({ config }) => holdBooks(config, ['bot', 'service']),
    dataFolder: ({ above, folder }) => ({
      DATA_FOLDER: join(above, 'other'),
      TIPPING_DATABASE_URL: `file:${folder}/tipping.sqlite`,
      PAYMENTS_DATABASE_URL: `file:${folder}/payments.sqlite`,
    }),
    says: {
      ...{ ...APART, admin: 'ok', 'confirm-clock': 'ok' },
      // The keys are in the other folder.
      ...{ 'admin unknown': noProject, 'wind-down': noProject, 'rotate-wallet-key': noKey },
      ...{
        start: /own-project\.json, the key of the bot’s project, is missing/,
        setup: /own-project\.json/,
        backup: /own-project\.json/,
      },
      audit: /own-project\.json, which names the bot’s project, is not in the data folder/,
      others: used,
    },
  },
  'without the bot’s book': {
    make: ({ folder }) => void rmSync(join(folder, 'tipping.sqlite')) as undefined,
    says: {
      ...{ ...APART, service: 'ok', admin: 'ok', restore: /already holds data/, 'restore --force': 'ok' },
      ...{ audit: noBot, move: noBot, 'admin unknown': noBotsBook, 'wind-down': noBotsBook, 'confirm-clock': 'ok' },
      others: lost,
    },
  },
  'without the service’s book': {
    make: ({ folder }) => void rmSync(join(folder, 'payments.sqlite')) as undefined,
    says: {
      ...{ ...APART, ...BESIDE, bot: ACCEPTED, restore: /already holds data/, 'restore --force': 'ok' },
      ...{ audit: /There is no database at/, move: /There is no database at/, admin: /The service's book is not at/ },
      others: lost,
    },
  },
  'with another program’s database in place of each book': {
    make: (books) => {
      for (const name of ['tipping.sqlite', 'payments.sqlite']) {
        rmSync(join(books.folder, name))
        sql(books, name, 'CREATE TABLE "Orders" ("id" INTEGER)')
      }
      return undefined
    },
    says: { ...APART, restore: /already holds data/, 'restore --force': 'ok', others: foreign },
  },
  'with books of a newer version': {
    make: (books) => {
      for (const name of ['tipping.sqlite', 'payments.sqlite']) sql(books, name, newerMigration)
      return undefined
    },
    says: { ...APART, restore: /already holds data/, 'restore --force': 'ok', others: newer },
  },
  'with books of an older version': {
    make: ({ folder }) => {
      olderBook(
        join(folder, 'tipping.sqlite'),
        'tipping',
        `INSERT INTO "Opening" VALUES (1, 0, '2030-01-01T00:00:00.000Z')`,
      )
      olderBook(
        join(folder, 'payments.sqlite'),
        'payments',
        `INSERT INTO "Project" ("id", "name", "createdAt") VALUES ('${PROJECT}', 'Satchel', '2030-01-01T00:00:00.000Z')`,
      )
      return undefined
    },
    says: {
      ...{ ...APART, start: ACCEPTED, bot: ACCEPTED, restore: /already holds data/, audit: /lacks the migration/ },
      others: 'ok',
    },
  },
  'in a folder that can only be read': {
    possible: canBeReadOnly,
    make: ({ folder }) => onlyRead([folder]),
    // A reader of a book needs a file beside it.
    says: {
      ...{ backup: bookReadOnly, audit: bookReadOnly, admin: bookReadOnly, 'admin unknown': bookReadOnly },
      ...{ 'wind-down': bookReadOnly, 'confirm-clock': bookReadOnly, 'rotate-wallet-key': bookReadOnly },
      others: folderReadOnly,
    },
  },
  'with books that can only be read': {
    possible: canBeReadOnly,
    make: ({ folder }) => onlyRead(['tipping.sqlite', 'payments.sqlite'].map((name) => join(folder, name))),
    says: {
      ...{ ...BESIDE, sandbox: 'ok', backup: 'ok', audit: 'ok', admin: 'ok' },
      ...{ 'confirm-clock': notWritten, 'rotate-wallet-key': notWritten },
      others: bookInFolderReadOnly,
    },
  },
  'with a backup of a newer version': {
    make: async ({ above }) => {
      const backup = join(above, 'backup')
      const database = new Database(join(backup, 'tipping.sqlite'))
      database.pragma('journal_mode = DELETE')
      database.exec(newerMigration).close()
      const manifest = JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8'))
      manifest.files['tipping.sqlite'] = createHash('sha256')
        .update(readFileSync(join(backup, 'tipping.sqlite')))
        .digest('hex')
      writeFileSync(join(backup, 'manifest.json'), JSON.stringify(manifest))
      return undefined
    },
    says: {
      ...APART,
      start: ACCEPTED,
      bot: ACCEPTED,
      restore: /already holds data/,
      'restore --force': newer,
      others: 'ok',
    },
  },
}

/** Returns the number of files of books, wherever a command has put them. */
function kept(above: string): number {
  const all = readdirSync(above, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return all.filter(({ name }) => /^(tipping|payments)\.sqlite$/.test(name)).length
}

describe.each(Object.entries(STATES))('an installation (%s)', (_, { possible, make, dataFolder, says }) => {
  // If the file system cannot stop root from writing, nothing is read-only.
  it.skipIf(possible?.() === false).each(NAMES)(
    'accepts or refuses the command %s as the test’s table says, and loses no book',
    async (name) => {
      const books = await smallBooks()
      await books.service((tx) => tx.project.create({ data: { id: PROJECT, name: 'Satchel', createdAt: new Date(0) } }))
      writeFileSync(
        join(books.folder, 'books.json'),
        JSON.stringify({ bot: { place: 'x', begun: true }, service: { place: 'x', begun: true } }),
      )
      const backup = join(books.above, 'backup')
      openWalletKeys(books.config.walletKeyFile)
      await backUp(books.config, backup, systemClock)
      // The small books' network is a placeholder: a service makes its own.
      rmSync(join(books.folder, 'lightning-sandbox.sqlite'))
      const end = await make(books)
      const environment = dataFolder?.(books) ?? { DATA_FOLDER: books.folder }
      const here: Here = {
        folder: environment.DATA_FOLDER ?? '',
        config: (more = {}) => parseConfig({ ...environment, ...more }),
        backup,
      }
      mkdirSync(here.folder, { recursive: true })
      const before = kept(books.above)
      const said = await COMMANDS[name](here).then(
        () => 'ok',
        (error: unknown) => inWords(error) ?? `No words, but a stack: ${error}`,
      )
      end?.()
      const expected = says[name] ?? says.others
      if (expected === 'ok') expect(said).toBe('ok')
      else expect(said).toMatch(expected)
      // No command loses a book.
      expect(kept(books.above)).toBeGreaterThanOrEqual(before)
    },
  )
})

describe('an .env file', () => {
  // `verify` needs no setting, `tour` makes its own world.
  const readers = Object.entries(SATCHEL_COMMANDS).filter(([name]) => !['verify', 'tour'].includes(name))

  it.each(readers)('is read by %s in the same way as by other commands', (_, { file }) => {
    const source = readFileSync(join(import.meta.dirname, '../..', file), 'utf8')
    // Both ways of set-up read the same settings.
    expect(source).toMatch(/readConfig\(|setUpParts\(/)
    expect(source).not.toMatch(/loadEnvFile|parseEnv/)
  })

  it.each([
    ['half-written', 'LOG_LEVEL=warn\nDISCORD_TO', /line 2, is not NAME=value/],
    ['UTF-16', Buffer.from('\uFEFFLOG_LEVEL=warn\n', 'utf16le'), /is not UTF-8/],
  ])('is refused if it is %s', async (_, content, words) => {
    const { above } = await smallBooks()
    const file = join(above, '.env')
    writeFileSync(file, content)
    expect(() => readEnvFile(file)).toThrow(words)
  })

  it('is read even if it begins with a byte order mark', async () => {
    const { above } = await smallBooks()
    writeFileSync(join(above, '.env'), '\uFEFFLOG_LEVEL=warn\n')
    expect(readEnvFile(join(above, '.env'))).toEqual({ LOG_LEVEL: 'warn' })
  })
})
