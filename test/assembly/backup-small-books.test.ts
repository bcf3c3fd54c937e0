import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { audit } from '../../src/assembly/audit/audit.ts'
import { backUp } from '../../src/assembly/backup/backup.ts'
import { isServiceAlone } from '../../src/assembly/backup/contents.ts'
import { restore } from '../../src/assembly/backup/restore.ts'
import { parseConfig } from '../../src/config/config.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { utcMinute } from '../../src/lib/utc-minute.ts'
import { PAUSE_ENDS } from '../../src/tipping/tipping.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { NAMES, PROJECT, type SmallBooks, smallBooks } from './small-books.ts'

const clock = new ManualClock()
const AT = '2030-01-01T00:00:00.000Z'
const careful = { force: false, notPaused: false, clock }
const forced = { ...careful, force: true }
const elsewhere = { PAYMENTS_BASE_URL: 'https://pay.example.org', PAYMENTS_API_KEY: 'key' }
/** Returns the configuration of a folder with its own node; `botOnly` returns the one with a remote provider. */
const withNode = (DATA_FOLDER: string) =>
  parseConfig({
    DATA_FOLDER,
    LIGHTNING_BACKEND: 'phoenixd',
    PHOENIXD_URL: 'http://127.0.0.1:1',
    PHOENIXD_PASSWORD: 'x',
  })
const botOnly = (DATA_FOLDER: string) => parseConfig({ DATA_FOLDER, ...elsewhere })

/** Creates small books, their backup, and an empty folder into which to restore it. */
async function start(prepare: (books: SmallBooks) => unknown = () => undefined) {
  const books = await smallBooks()
  await prepare(books)
  const backup = join(books.above, 'backup')
  await backUp(books.config, backup, clock)
  const empty = join(books.above, 'empty')
  mkdirSync(empty)
  return { ...books, backup, empty, into: parseConfig({ DATA_FOLDER: empty }) }
}

/** Removes the bot from a folder, so that it has only a payments service. */
function withoutBot({ folder }: SmallBooks): void {
  for (const name of ['tipping.sqlite', 'own-project.json']) rmSync(join(folder, name))
}

const without = (folder: string) =>
  readdirSync(folder)
    .filter((name) => !/^books\.json$|-(?:lock\.sqlite|wal|shm)$/.test(name))
    .sort()
const everything = [...NAMES].sort()

describe('a backup', () => {
  it('accepts a path with a trailing slash and refuses an empty path', async () => {
    const { above, config } = await smallBooks()
    expect(await backUp(config, `${join(above, 'backup')}/`, clock)).toEqual([...NAMES])
    expect(readdirSync(above).sort()).toEqual(['backup', 'data'])
    await expect(backUp(config, '', clock)).rejects.toThrow(/already exists/)
  })

  it('lists its files, records its time, and can be read only by its owner', async () => {
    const { above, folder, config } = await smallBooks()
    const backup = join(above, 'new/backup')
    mkdirSync(`${backup}.unfinished/of an earlier one`, { recursive: true })
    expect(await backUp(config, backup, clock)).toEqual([...NAMES])
    expect(readdirSync(backup).sort()).toEqual([...everything, 'manifest.json'].sort())
    expect(existsSync(`${backup}.unfinished`)).toBe(false)
    const manifest = readFileSync(join(backup, 'manifest.json'), 'utf8')
    expect(JSON.parse(manifest)).toEqual({
      ...{ kind: 'satchel-backup', at: AT },
      files: Object.fromEntries(NAMES.map((name) => [name, expect.stringMatching(/^[0-9a-f]{64}$/)])),
    })
    expect(manifest.split('\n').length).toBeGreaterThan(6)
    expect(manifest.endsWith('}\n')).toBe(true)
    expect(statSync(backup).mode & 0o777).toBe(0o700)
    for (const name of readdirSync(backup)) expect(statSync(join(backup, name)).mode & 0o777, name).toBe(0o600)
    expect(readFileSync(join(backup, 'own-project.json'), 'utf8')).toBe(
      readFileSync(join(folder, 'own-project.json'), 'utf8'),
    )
  })

  it('omits the sandbox if the node is real, and the service if the provider is remote', async () => {
    const { above, folder } = await smallBooks()
    const [node, bot] = [join(above, 'deep/node'), join(above, 'deep/bot')]
    const files = NAMES.filter((name) => !name.startsWith('lightning'))
    expect(await backUp(withNode(folder), node, clock)).toEqual(files)
    expect(await backUp(botOnly(folder), bot, clock)).toEqual(['tipping.sqlite'])
    const nothing = { toDo: [], closed: { vouchers: 0, withdrawalRequests: 0, logIns: 0 } }
    const restored = await restore(withNode(join(above, 'other-node')), node, careful)
    expect(restored).toMatchObject({ files, ...nothing })
    expect(await restore(botOnly(join(above, 'other-bot')), bot, careful)).toMatchObject({
      ...{ files: ['tipping.sqlite'], ...nothing },
    })
  })

  it('includes changes that exist only in a book’s SQLite log', async () => {
    const { above, folder, config } = await smallBooks()
    const written = new Database(join(folder, 'payments.sqlite'))
    written.pragma('journal_mode = WAL')
    written.exec(`INSERT INTO "Lease" VALUES ('upkeep', 'x', 1, '${AT}')`)
    await backUp(config, join(above, 'backup'), clock)
    written.close()
    const copy = new Database(join(above, 'backup/payments.sqlite'), { readonly: true })
    expect(copy.prepare('SELECT "name" FROM "Lease"').pluck().all()).toEqual(['upkeep'])
    copy.close()
  })

  it('is refused if its target folder exists or if there is nothing to back up', async () => {
    const { above, folder, config } = await smallBooks()
    mkdirSync(join(above, 'there'))
    await expect(backUp(config, join(above, 'there'), clock)).rejects.toThrow(
      /there already exists\. Choose a folder that does not exist yet\.$/,
    )
    for (const name of NAMES.filter((name) => name.endsWith('.sqlite'))) rmSync(join(folder, name))
    // A key alone is worth nothing without its books.
    await expect(backUp(config, join(above, 'none'), clock)).rejects.toThrow(
      `There is nothing to back up in ${folder}. Set DATA_FOLDER to the folder that contains the books.`,
    )
    expect(readdirSync(above).sort()).toEqual(['data', 'there'])
  })

  it('leaves no files behind when it fails, and explains what to do', async () => {
    const { above, folder, config } = await smallBooks()
    rmSync(join(folder, 'own-project.json'))
    mkdirSync(join(folder, 'own-project.json'))
    await expect(backUp(config, join(above, 'backup'), clock)).rejects.toThrow(
      /^No backup could be made in \S+backup: EISDIR.*, then back up again\. Nothing was left behind\.$/,
    )
    expect(readdirSync(above)).toEqual(['data'])
  })

  it('is refused, as is a restore, if a book is on a PostgreSQL server', async () => {
    const { above, folder } = await smallBooks()
    const server = 'postgresql://satchel@127.0.0.1:1/satchel'
    const words =
      'This command copies SQLite files, but at least one book is on a PostgreSQL server. Use PostgreSQL’s own tools instead: pg_dump, or a base backup with its write-ahead log. After restoring a backup with these tools, run npm run restore -- --in-place. docs/SCALING.md shows how.'
    for (const urls of [
      { TIPPING_DATABASE_URL: server },
      { PAYMENTS_DATABASE_URL: server },
      { TIPPING_DATABASE_URL: server, ...elsewhere },
    ]) {
      const config = parseConfig({ DATA_FOLDER: folder, ...urls })
      await expect(backUp(config, join(above, 'backup'), clock)).rejects.toThrow(words)
      await expect(restore(config, join(above, 'backup'), careful)).rejects.toThrow(words)
    }
    // This bot uses another provider, so a service's book here belongs to nobody.
    const config = parseConfig({ DATA_FOLDER: folder, ...elsewhere, PAYMENTS_DATABASE_URL: server })
    expect(await backUp(config, join(above, 'backup'), clock)).toEqual(['tipping.sqlite'])
  })
})

describe('a restore', () => {
  it('puts each file in its place, readable by its owner alone, and pauses payments', async () => {
    const { backup, empty, into, above } = await start()
    await clock.advance(86_400_000)
    expect(await restore(into, backup, careful)).toEqual({
      ...{ at: AT, files: [...NAMES], setAside: [], toDo: [] },
      closed: { vouchers: 0, withdrawalRequests: 0, logIns: 0 },
    })
    expect(without(empty)).toEqual(everything)
    for (const name of NAMES) expect(statSync(join(empty, name)).mode & 0o777, name).toBe(0o600)
    const provider = { kind: 'in the box' as const, database: `file:${empty}/payments.sqlite`, projectId: PROJECT }
    const report = await audit({ tipping: `file:${empty}/tipping.sqlite`, provider, clock })
    expect(report).toMatchObject({ holds: true, cover: { wallet: 5_000n } })
    const minute = utcMinute(new Date(AT))
    expect([...report.paused].sort()).toEqual([
      `operator: the books were restored from a backup of ${minute}, and what was paid since is being looked for. ${PAUSE_ENDS.operator}`,
      `restore: the books were restored from a backup of ${minute} and are not proven yet. ${PAUSE_ENDS.restore}`,
    ])
    // The backup is unchanged, and so is its folder.
    expect(readdirSync(above).sort()).toEqual(['backup', 'data', 'empty'])
    expect((await restore(into, backup, { ...forced, notPaused: true })).setAside).toHaveLength(1)
    const again = await audit({ tipping: `file:${empty}/tipping.sqlite`, provider, clock })
    expect(again.paused).toEqual([expect.stringMatching(/^restore: /)])
  })

  it('moves old files into a folder that is named after the time of the restore', async () => {
    const { backup, folder, config } = await start()
    const asideName = `before-restore-${new Date(clock.now()).toISOString().replaceAll(/[:.]/g, '-')}`
    writeFileSync(join(folder, 'own-project.json'), '{"of":"another time"}')
    expect((await restore(config, backup, forced)).setAside).toEqual([join(folder, asideName)])
    expect(without(join(folder, asideName))).toEqual(everything)
    expect(statSync(join(folder, asideName)).mode & 0o777).toBe(0o700)
    expect(readFileSync(join(folder, asideName, 'own-project.json'), 'utf8')).toBe('{"of":"another time"}')
    expect(JSON.parse(readFileSync(join(folder, 'own-project.json'), 'utf8')).projectId).toBe(PROJECT)
    expect(without(folder)).toEqual([asideName, ...everything].sort())
  })

  it('reports the sats that the wallet lacks, even if the books are proven', async () => {
    const { into, backup } = await start(({ folder }) =>
      writeFileSync(
        join(folder, 'own-project.json'),
        JSON.stringify({ projectId: 'x', apiKey: 'k', callbackSecret: 's' }),
      ),
    )
    const { toDo } = await restore(into, backup, careful)
    expect(toDo).toMatchObject([
      { side: 'bot', what: 'The provider’s wallet holds 0 sats, 5 less than the bot’s book accounts for' },
    ])
  })

  it('refuses unproven books, and names each book and its faults', async () => {
    const { backup, empty, into } = await start(({ spoil }) => {
      spoil('tipping.sqlite', `UPDATE "Account" SET "balance" = 5001 WHERE "kind" = 'member'`)
      spoil('payments.sqlite', `UPDATE "Account" SET "balance" = 5002 WHERE "kind" = 'wallet'`)
    })
    await expect(restore(into, backup, careful)).rejects.toThrow(
      [
        'The books in the backup have faults:',
        '  - bot: all balances together are 1 msats, not 0',
        '  - bot: member alice shows 5001 msats, but its moves make 5000',
        '  - service: all balances together are 2 msats, not 0',
        `  - service: wallet project:${PROJECT} shows 5002 msats, but its moves make 5000`,
        'Nothing was restored. Use another backup.',
      ].join('\n'),
    )
    expect(without(empty)).toEqual([])
  })

  it('refuses an incomplete or changed backup, and a folder that is not a backup', async () => {
    const { above, backup, empty, into } = await start()
    const remedy = 'Give the folder that "npm run backup -- FOLDER" made.'
    await expect(restore(into, above, careful)).rejects.toThrow(
      `${above} is not a backup: it has no manifest.json. ${remedy}`,
    )
    const original = readFileSync(join(backup, 'manifest.json'), 'utf8')
    const rewrite = (change: object) =>
      writeFileSync(join(backup, 'manifest.json'), JSON.stringify({ ...JSON.parse(original), ...change }))
    for (const change of [
      { kind: 'another' },
      { at: 'then' },
      { files: { 'tipping.sqlite': 'f'.repeat(63) } },
      { files: { 'tipping.sqlite': `${'f'.repeat(64)}0` } },
    ]) {
      rewrite(change)
      await expect(restore(into, backup, careful)).rejects.toThrow(
        `${backup} is not a complete backup: its manifest.json cannot be read. ${remedy}`,
      )
    }
    const { files } = JSON.parse(original)
    rewrite({ files: { ...files, 'strange.sqlite': '0'.repeat(64) } })
    await expect(restore(into, backup, careful)).rejects.toThrow(
      `The backup ${backup} holds strange.sqlite, which this configuration does not use: the backup was made with another provider. Give PAYMENTS_BASE_URL the value that it had when the backup was made, or remove the variable if it had no value.`,
    )
    const { 'tipping.sqlite': book, ...others } = files
    rewrite({ files: others })
    await expect(restore(into, backup, careful)).rejects.toThrow(
      `The backup ${backup} lacks tipping.sqlite, the bot’s book. Use another backup.`,
    )
    rewrite({ files: { 'tipping.sqlite': book } })
    await expect(restore(into, backup, careful)).rejects.toThrow(
      `The backup ${backup} lacks payments.sqlite, lightning-sandbox.sqlite, own-project.json, and this configuration has the bundled payments service. If the backup was made with another provider, set that provider’s PAYMENTS_BASE_URL and PAYMENTS_API_KEY; otherwise, use another backup.`,
    )
    writeFileSync(join(backup, 'manifest.json'), original)
    appendFileSync(join(backup, 'own-project.json'), ' ')
    await expect(restore(into, backup, careful)).rejects.toThrow(
      `${join(backup, 'own-project.json')} has changed since the backup (its SHA-256 differs). Use another backup.`,
    )
    rmSync(join(backup, 'own-project.json'))
    await expect(restore(into, backup, careful)).rejects.toThrow(
      `The backup ${backup} lacks own-project.json. Use another backup.`,
    )
    mkdirSync(join(backup, 'own-project.json'))
    await expect(restore(into, backup, careful)).rejects.toThrow(
      /^\S+backup could not be restored: EISDIR.*, then restore again\. Nothing was changed\.$/,
    )
    expect(readdirSync(empty)).toEqual([])
  })

  it('refuses to replace data without --force, and data in use even with --force', async () => {
    const { backup, folder, config } = await start()
    await expect(restore(config, backup, careful)).rejects.toThrow(
      `${folder} already holds data (${NAMES.join(', ')}). Use --force to set the data aside, or set DATA_FOLDER to an empty folder.`,
    )
    const used = new Database(join(folder, 'payments.sqlite'))
    used.pragma('journal_mode = WAL')
    used.prepare('SELECT count(*) FROM "Account"').get()
    await expect(restore(config, backup, forced)).rejects.toThrow(
      `${join(folder, 'payments.sqlite')} is in use. Stop the bot and the service, then run this again.`,
    )
    used.close()
    expect(without(folder)).toEqual(everything)
  })

  it('locks out the bot, the service and other users while it runs', async () => {
    const { backup, empty, into } = await start()
    for (const name of NAMES) chmodSync(join(backup, name), 0o644)
    // The leftovers of an earlier one.
    mkdirSync(join(empty, 'restoring/of-an-earlier-one'), { recursive: true })
    const isLocked = (side: string) => {
      const lock = new Database(join(empty, `${side}-lock.sqlite`), { timeout: 0 })
      try {
        lock.exec('BEGIN EXCLUSIVE')
        return false
      } catch {
        return true
      } finally {
        lock.close()
      }
    }
    const modeOf = (path: string) => (statSync(join(empty, path)).mode & 0o777).toString(8)
    const seen: object[] = []
    const now = () => {
      const there = readdirSync(join(empty, 'restoring')).filter((name) => !/-(?:wal|shm)$/.test(name))
      const modes = ['restoring', ...there.map((name) => `restoring/${name}`)].map(modeOf)
      seen.push({ locked: ['bot', 'service'].map(isLocked), modes })
      return clock.now()
    }
    await restore(into, backup, { ...careful, clock: { ...systemClock, now } })
    expect(seen.length).toBeGreaterThan(0)
    for (const each of seen) expect(each).toEqual({ locked: [true, true], modes: ['700', ...NAMES.map(() => '600')] })
    expect(['bot', 'service'].map(isLocked)).toEqual([false, false])
  })

  it('explains a file system error and keeps the old data', async () => {
    const { backup, folder, config } = await start()
    // A file in the place of its working folder.
    mkdirSync(join(folder, 'tipping.sqlite.restoring/full'), { recursive: true })
    await expect(restore(config, backup, forced)).rejects.toThrow(
      /^The backup could not be put in place: .*Check what is there, then restore again\. Nothing was changed: what was there before is in its place\.$/,
    )
    expect(without(folder)).toEqual([...everything, 'tipping.sqlite.restoring'].sort())
  })
})

describe('a payments service without a bot', () => {
  it('is recognized if the folder has its book, but no bot’s book and no project key', async () => {
    const books = await smallBooks()
    expect(isServiceAlone(books.config)).toBe(false)
    expect(isServiceAlone(botOnly(books.folder))).toBe(false)
    rmSync(join(books.folder, 'tipping.sqlite'))
    // A bot's book that was lost differs from one that never existed: its key remains.
    expect(isServiceAlone(books.config)).toBe(false)
    rmSync(join(books.folder, 'own-project.json'))
    expect(isServiceAlone(books.config)).toBe(true)
    rmSync(join(books.folder, 'payments.sqlite'))
    expect(isServiceAlone(books.config)).toBe(false)
  })

  it('is restored with its book and its sandbox’s network', async () => {
    const { backup, empty, into } = await start(withoutBot)
    expect(await restore(into, backup, careful)).toEqual({
      ...{ at: expect.any(String), files: ['payments.sqlite', 'lightning-sandbox.sqlite'], setAside: [], toDo: [] },
      closed: { vouchers: 0, withdrawalRequests: 0, logIns: 0 },
    })
    expect(without(empty)).toEqual(['lightning-sandbox.sqlite', 'payments.sqlite'])
  })

  it('is not restored beside a bot or with the option --not-paused', async () => {
    const { backup, folder, empty, into, config, above } = await start(withoutBot)
    await expect(restore(into, backup, { ...careful, notPaused: true })).rejects.toThrow(
      `--not-paused concerns a bot’s outgoing payments, but the backup ${backup} contains only the payments service. Leave --not-paused out.`,
    )
    const other = await smallBooks()
    for (const name of ['tipping.sqlite', 'own-project.json'])
      copyFileSync(join(other.folder, name), join(folder, name))
    await expect(restore(config, backup, forced)).rejects.toThrow(
      `The backup ${backup} contains only the payments service, but ${folder} holds a bot’s data as well (tipping.sqlite, own-project.json): the bot’s book would contain payments that are missing from the restored service. Use a backup of both the bot and the service, or set DATA_FOLDER to an empty folder.`,
    )
    expect(readdirSync(empty)).toEqual([])
    expect(readdirSync(above).sort()).toEqual(['backup', 'data', 'empty'])
  })

  it('is not restored from a backup that lacks its sandbox’s network', async () => {
    const { backup, into } = await start(withoutBot)
    const manifest = JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8'))
    const { 'payments.sqlite': book } = manifest.files
    writeFileSync(join(backup, 'manifest.json'), JSON.stringify({ ...manifest, files: { 'payments.sqlite': book } }))
    await expect(restore(into, backup, careful)).rejects.toThrow(
      /lacks lightning-sandbox\.sqlite, and this configuration/,
    )
  })
})
