import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COMPILED } from '../../proof/world/processes/compiled.ts'
import { audit } from '../../src/assembly/audit/audit.ts'
import { backUp } from '../../src/assembly/backup/backup.ts'
import { restore } from '../../src/assembly/backup/restore.ts'
import { storedProject } from '../../src/assembly/own-project.ts'
import { parseConfig } from '../../src/config/config.ts'
import { createLedger } from '../../src/ledger/ledger.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { lockFolder } from '../../src/lib/folder-lock.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { msats } from '../../src/lib/money/amount.ts'
import { Problem } from '../../src/lib/problem.ts'
import { openAdministration } from '../../src/payments-service/administration/administration.ts'
import { DEFAULT_SETTINGS } from '../../src/payments-service/service.ts'
import { createWorld } from '../../src/playground/create-world.ts'
import { Stage, silentTeller } from '../../src/playground/tour/stage.ts'
import { CHART, member, OPERATOR } from '../../src/tipping/core/chart-of-accounts.ts'
import { openTippingDatabase, type TippingClient, type Tx } from '../../src/tipping/core/database.ts'
import { openWarm } from '../support/warm-databases.ts'
import { type PlayedWorld, playWorld } from './played-world.ts'

const configOf = (folder: string) => parseConfig({ DATA_FOLDER: folder })
/** The same folder, seen by a bot whose provider is elsewhere: only its own book is its to back up. */
const botOnly = (folder: string) =>
  parseConfig({ DATA_FOLDER: folder, PAYMENTS_BASE_URL: 'https://pay.example.org', PAYMENTS_API_KEY: 'key' })
const again = { force: true, notPaused: true, clock: systemClock }
const careful = { ...again, force: false }

let played: PlayedWorld
let backups: string
/** Taken while nothing else happened, while tips stormed, and of the bot's book alone before a payment. */
let quiet: string
let stormy: string[]
let early: string
let inUse: unknown

beforeAll(async () => {
  played = await playWorld()
  const { folder, stage } = played
  backups = join(dirname(folder), 'backups')
  quiet = join(backups, 'quiet')
  await backUp(configOf(folder), quiet, systemClock)
  inUse = await restore(configOf(folder), quiet, again).catch((error: unknown) => error)

  stormy = [join(backups, 'stormy-1'), join(backups, 'stormy-2')]
  const tips = Array.from({ length: 60 }, (_, i) =>
    stage
      .person('alice')
      .run(stage.channel(), 'tip', { to: stage.id(i % 2 ? 'bob' : 'carol'), amount: '10' })
      .answered(),
  )
  for (const backup of stormy) await backUp(configOf(folder), backup, systemClock)
  await Promise.all(tips)
  await stage.world.settled()

  early = join(backups, 'early')
  await backUp(botOnly(folder), early, systemClock)
  await stage.command('alice', 'tip', { to: stage.id('bob'), amount: '700' })
  await played.stop()
}, 120_000)

afterAll(() => played.remove())

function emptyFolder(): string {
  const folder = join(dirname(played.folder), `empty-${readdirSync(dirname(played.folder)).length}`)
  mkdirSync(folder)
  return folder
}

const auditOf = (folder: string) =>
  audit({
    tipping: `file:${folder}/tipping.sqlite`,
    provider: {
      kind: 'in the box',
      database: `file:${folder}/payments.sqlite`,
      projectId: storedProject(folder)?.projectId,
    },
    clock: systemClock,
  })

async function startIn(folder: string): Promise<Stage> {
  const runtime = { clock: systemClock, entropy: systemEntropy, logger: silentLogger }
  const world = await createWorld({
    ...runtime,
    folder,
    discordRequestsPerSecond: 100_000,
    openDatabases: openWarm,
  })
  await world.settled()
  return new Stage(world, silentTeller)
}

describe('a backup', () => {
  it('holds both books, the network and the key, for its owner’s eyes only', () => {
    const names = [
      'lightning-sandbox.sqlite',
      'manifest.json',
      'own-project.json',
      'payments.sqlite',
      'tipping.sqlite',
      'wallet-key',
    ]
    expect(readdirSync(quiet).sort()).toEqual(names)
    for (const name of names) expect(statSync(join(quiet, name)).mode & 0o777).toBe(0o600)
    expect(statSync(quiet).mode & 0o777).toBe(0o700)
  })

  it('during a storm of tips copies one moment: its books hold and cover each other', async () => {
    for (const backup of stormy) {
      const folder = emptyFolder()
      await restore(configOf(folder), backup, careful)
      expect((await auditOf(folder)).findings).toEqual([])
    }
  })

  it('never overwrites anything', async () => {
    await expect(backUp(configOf(played.folder), quiet, systemClock)).rejects.toThrow('exists already')
    await expect(backUp(configOf(emptyFolder()), join(backups, 'none'), systemClock)).rejects.toThrow(
      'nothing to back up',
    )
    expect(existsSync(join(backups, 'none'))).toBe(false)
  })
})

/** Leaves the operator's account one msat short of nothing. The book proves anyway. */
async function giveTheOperatorsAway(folder: string): Promise<void> {
  const database = await openTippingDatabase(`file:${folder}/tipping.sqlite`)
  const ledger = createLedger<Tx, TippingClient>({ database, chart: CHART, clock: systemClock })
  const amount = msats((await ledger.balance(OPERATOR)) + 1n)
  await ledger.commit({
    entries: [{ operation: 'away', step: 'post', moves: [{ from: OPERATOR, to: member('1'), amount }] }],
  })
  await ledger.close()
  await database.close()
}

/** Has 7 sats arrive in the bot's wallet that its book knows nothing of. */
async function fundTheBot(folder: string): Promise<void> {
  const administration = await openAdministration({
    databaseUrl: `file:${folder}/payments.sqlite`,
    clock: systemClock,
    entropy: systemEntropy,
    settings: DEFAULT_SETTINGS,
    sandbox: true,
  })
  const { cover } = await auditOf(folder)
  const missing = (cover?.expected ?? 0n) + (cover?.mayHaveArrived ?? 0n) - (cover?.wallet ?? 0n)
  await administration.fundProject(storedProject(folder)?.projectId ?? '', msats(missing + 7_000n))
  await administration.close()
}

describe('a restored book', () => {
  it('starts with payments paused, is proven against the wallet, and pays again', async () => {
    const folder = emptyFolder()
    // Discord itself does not forget who its people are.
    const discord = readdirSync(played.folder).filter((name) => name.startsWith('playground.sqlite'))
    for (const name of discord) copyFileSync(join(played.folder, name), join(folder, name))
    const { files, setAside } = await restore(configOf(folder), stormy[0] ?? '', careful)
    expect(files).toContain('tipping.sqlite')
    expect(setAside).toEqual([])
    expect((await auditOf(folder)).paused).toEqual([expect.stringMatching(/^restore: the books were restored/)])
    const stage = await startIn(folder)
    try {
      await stage.until('the book is proven', async () => {
        await stage.world.bot.tipping.audit()
        return (await auditOf(folder)).paused.length === 0
      })
      const before = await stage.holds('service', 'wallet', 'bob')
      await stage.command('alice', 'tip', { to: stage.id('bob'), amount: '100' })
      expect((await stage.holds('service', 'wallet', 'bob')) - before).toBe(100)
    } finally {
      await stage.world.close()
    }
  }, 60_000)

  it('waits for an operator too where it is not told otherwise', async () => {
    const folder = emptyFolder()
    const discord = readdirSync(played.folder).filter((name) => name.startsWith('playground.sqlite'))
    for (const name of discord) copyFileSync(join(played.folder, name), join(folder, name))
    await restore(configOf(folder), quiet, { ...careful, notPaused: false })
    const stage = await startIn(folder)
    try {
      const { tipping } = stage.world.bot
      await stage.until('the book is proven', async () => {
        await tipping.audit()
        return (await tipping.administration.status()).paused?.source === 'operator'
      })
      const before = await stage.holds('service', 'wallet', 'bob')
      await stage.command('alice', 'tip', { to: stage.id('bob'), amount: '100' })
      expect(await stage.holds('service', 'wallet', 'bob')).toBe(before)
      expect(await tipping.administration.resume({ operator: 'one' })).toBeUndefined()
    } finally {
      await stage.world.close()
    }
  }, 60_000)

  it('is put in place though something is to be done, which is told with what to do', async () => {
    const source = played.copy()
    await giveTheOperatorsAway(source)
    await fundTheBot(source)
    const backup = join(backups, 'to-do')
    await backUp(configOf(source), backup, systemClock)
    const folder = emptyFolder()
    const { toDo } = await restore(configOf(folder), backup, careful)
    expect(toDo.map(({ what }) => what)).toEqual([
      expect.stringMatching(/msats, 7000 more than the bot’s book accounts for$/),
      'The operator’s account stands at -1 msats: not all is covered',
    ])
    expect(toDo.at(-1)?.advice).toContain('/admin book')
    expect(await auditOf(folder)).toMatchObject({ findings: toDo })
  })

  it('older than later payments stays paused, and says how much is missing', async () => {
    const folder = played.copy()
    const { setAside } = await restore(botOnly(folder), early, again)
    expect(existsSync(join(setAside[0] ?? '', 'tipping.sqlite'))).toBe(true)
    const stage = await startIn(folder)
    try {
      const { faults } = await stage.world.bot.tipping.audit()
      expect(faults).toEqual(["the provider's wallet holds 700000 msats less than the books account for"])
      const before = await stage.holds('service', 'wallet', 'bob')
      await stage.command('alice', 'tip', { to: stage.id('bob'), amount: '100' })
      expect(await stage.holds('service', 'wallet', 'bob')).toBe(before)
      const report = await auditOf(folder)
      expect(report.paused.map((pause) => pause.split(':')[0]).sort()).toEqual(['cover', 'restore'])
      expect(report.findings[0]?.advice).toContain('payments made since the backup')
    } finally {
      await stage.world.close()
    }
  }, 60_000)
})

describe('a restore refuses', () => {
  it('to touch data that a running bot uses, even when forced', () => {
    expect(String(inUse)).toMatch(/tipping\.sqlite is in use\. Stop the bot and the service first/)
  })

  it('while another process has the data folder, though it has opened nothing yet', async () => {
    const folder = emptyFolder()
    const unlock = lockFolder(folder, 'bot')
    await expect(restore(configOf(folder), quiet, again).finally(unlock)).rejects.toThrow('in use by another process')
    expect(readdirSync(folder).filter((name) => !name.endsWith('-lock.sqlite'))).toEqual([])
  })

  it('to replace data that is there unless it is told to, and then sets it aside', async () => {
    const folder = played.copy()
    await expect(restore(configOf(folder), quiet, careful)).rejects.toThrow(/holds data already \(tipping\.sqlite/)
    const { setAside } = await restore(configOf(folder), quiet, again)
    expect(readdirSync(setAside[0] ?? '')).toEqual(expect.arrayContaining(['tipping.sqlite', 'own-project.json']))
  })

  it('a backup of the bot’s book alone where the service runs, and changes nothing', async () => {
    const folder = played.copy()
    const before = await stateOf(folder)
    await expect(restore(configOf(folder), early, again)).rejects.toThrow(
      /lacks payments\.sqlite, lightning-sandbox\.sqlite, own-project\.json.*set the same PAYMENTS_BASE_URL/,
    )
    expect(await stateOf(folder)).toEqual(before)
    await expect(restore(botOnly(emptyFolder()), quiet, careful)).rejects.toThrow(/holds \S+, which .* not use/)
  })

  it('a backup that was touched, that lacks a file, or that is none', async () => {
    const touched = join(backups, 'touched')
    await backUp(configOf(quiet), touched, systemClock)
    appendFileSync(join(touched, 'payments.sqlite'), 'x')
    const changed = restore(configOf(emptyFolder()), touched, careful)
    await expect(changed).rejects.toThrow(/payments\.sqlite has changed since the backup/)
    rmSync(join(touched, 'payments.sqlite'))
    await expect(restore(configOf(emptyFolder()), touched, careful)).rejects.toThrow(/lacks payments\.sqlite/)
    writeFileSync(join(touched, 'manifest.json'), '{}')
    await expect(restore(configOf(emptyFolder()), touched, careful)).rejects.toThrow(/no whole backup/)
    await expect(restore(configOf(emptyFolder()), emptyFolder(), careful)).rejects.toThrow(/is no backup/)
  })

  it('a backup whose books do not hold, and leaves what is there alone', async () => {
    const source = played.copy()
    const database = new Database(join(source, 'tipping.sqlite'))
    database.exec(`UPDATE "Account" SET "balance" = "balance" + 5 WHERE "kind" = 'member'`)
    database.close()
    const spoilt = join(backups, 'spoilt')
    await backUp(configOf(source), spoilt, systemClock)
    const folder = emptyFolder()
    await expect(restore(configOf(folder), spoilt, careful)).rejects.toThrow(/do not hold[\s\S]*member \d+ shows/)
    expect(readdirSync(folder).filter((name) => !name.endsWith('-lock.sqlite'))).toEqual([])
  })
})

/** Which files there are, and what the books in them prove. A database's log comes and goes. */
async function stateOf(folder: string): Promise<object> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const files = entries
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !/-(?:wal|shm)$/.test(path))
  const { books, findings } = await auditOf(folder)
  return { files: files.sort(), proofs: books.map(({ proof }) => proof), findings }
}

describe('a restore that comes to nothing', () => {
  const at = Date.UTC(2030, 0, 31)
  const then = { ...again, clock: { ...systemClock, now: () => at } }

  it.each([
    ['while it copies', 'payments.sqlite.restoring'],
    ['while it sets the old files aside', 'before-restore-2030-01-31T00-00-00-000Z/own-project.json/full'],
  ])('%s leaves every file where it was, and says so with what to do', async (_, obstacle) => {
    const folder = played.copy()
    mkdirSync(join(folder, obstacle), { recursive: true })
    const before = await stateOf(folder)
    const thrown = await restore(configOf(folder), quiet, then).catch((error: unknown) => error)
    expect(thrown).toBeInstanceOf(Problem)
    expect(String(thrown)).toMatch(
      /could not be put in place: .*, then restore again\. Nothing was changed: what was there/,
    )
    expect(await stateOf(folder)).toEqual(before)
  })

  it('is not what becomes of a restore over a file that is damaged', async () => {
    const folder = emptyFolder()
    writeFileSync(join(folder, 'tipping.sqlite'), 'these are not the books')
    const { setAside } = await restore(configOf(folder), quiet, again)
    expect(readFileSync(join(setAside[0] ?? '', 'tipping.sqlite'), 'utf8')).toBe('these are not the books')
    expect((await auditOf(folder)).findings).toEqual([])
  })
})

describe('the commands', () => {
  const run = (name: string, folder: string, ...args: string[]) => {
    const cli = new URL(`../../src/cli/${name}.ts`, import.meta.url).pathname
    const env = { PATH: process.env.PATH, ...COMPILED, DATA_FOLDER: folder }
    return spawnSync(process.execPath, [cli, ...args], { env, encoding: 'utf8', cwd: folder })
  }

  it('take a copy and put it back', () => {
    const copy = join(backups, 'by-command')
    expect(run('backup', played.folder, copy)).toMatchObject({ status: 0, stderr: '' })
    const folder = emptyFolder()
    const restored = run('restore', folder, copy)
    expect(restored).toMatchObject({ status: 0, stderr: '' })
    expect(restored.stdout).toContain('the books hold')
    expect(run('backup', played.folder)).toMatchObject({ status: 1, stderr: expect.stringContaining('FOLDER') })
    expect(run('restore', folder, copy)).toMatchObject({ status: 1, stderr: expect.stringContaining('--force') })
  })

  it('say what the file system refuses, and which options there are not', async () => {
    const folder = emptyFolder()
    const file = join(folder, 'file')
    writeFileSync(file, '')
    const refused = run('backup', played.folder, join(file, 'backup'))
    expect(refused.stderr).toMatch(/^No backup could be made in \S+: ENOTDIR.*, then back up again\. Nothing was left/)
    const broken = join(backups, 'no-key')
    const source = played.copy()
    writeFileSync(join(source, 'own-project.json'), '{}')
    await backUp(configOf(source), broken, systemClock)
    const keyless = run('restore', folder, broken)
    expect(keyless.stderr).toMatch(/own-project\.json cannot be read as the key.* Restore it from a backup\.$/m)
    const option = run('restore', folder, '--oops')
    expect(option.stderr).toMatch(/^Unknown option '--oops'/)
    for (const { status, stderr } of [refused, keyless, option]) {
      expect(status).toBe(1)
      expect(stderr).not.toMatch(/\n\s+at /)
    }
  })
})
