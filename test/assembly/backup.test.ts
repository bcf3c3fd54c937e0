import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audit } from '../../src/assembly/audit/audit.ts'
import { backUp } from '../../src/assembly/backup/backup.ts'
import { restore } from '../../src/assembly/backup/restore.ts'
import { keptProject } from '../../src/assembly/own-project.ts'
import { parseConfig } from '../../src/config/config.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { createWorld } from '../../src/playground/create-world.ts'
import { Stage, silentTeller } from '../../src/playground/tour/stage.ts'
import { openWarm } from '../support/warm-databases.ts'
import { type PlayedWorld, playWorld } from './played-world.ts'

const configOf = (folder: string) => parseConfig({ DATA_FOLDER: folder })
/** The same folder, seen by a bot whose provider is elsewhere: only its own book is its to back up. */
const botOnly = (folder: string) =>
  parseConfig({ DATA_FOLDER: folder, PAYMENTS_BASE_URL: 'https://pay.example.org', PAYMENTS_API_KEY: 'key' })
const again = { force: true, clock: systemClock }
const careful = { force: false, clock: systemClock }

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
      projectId: keptProject(folder)?.projectId,
    },
    clock: systemClock,
  })

async function startIn(folder: string): Promise<Stage> {
  const surroundings = { clock: systemClock, entropy: systemEntropy, logger: silentLogger }
  const world = await createWorld({
    ...surroundings,
    folder,
    discordRequestsPerSecond: 100_000,
    openDatabases: openWarm,
  })
  await world.settled()
  return new Stage(world, silentTeller)
}

describe('a backup', () => {
  it('holds both books, the network and the key, for its owner’s eyes only', () => {
    const names = ['lightning-sandbox.sqlite', 'manifest.json', 'own-project.json', 'payments.sqlite', 'tipping.sqlite']
    expect(readdirSync(quiet).sort()).toEqual(names)
    for (const name of names) expect(statSync(join(quiet, name)).mode & 0o777).toBe(0o600)
    expect(statSync(quiet).mode & 0o777).toBe(0o700)
  })

  it('taken during a storm of tips is of one moment: its books hold, and cover each other', async () => {
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

describe('a restored book', () => {
  it('starts with its exits paused, is proven against the wallet, and then pays again', async () => {
    const folder = emptyFolder()
    // Discord itself does not forget who its people are.
    const discord = readdirSync(played.folder).filter((name) => name.startsWith('playground.sqlite'))
    for (const name of discord) copyFileSync(join(played.folder, name), join(folder, name))
    const { files, setAside } = await restore(configOf(folder), stormy[0] ?? '', careful)
    expect(files).toContain('tipping.sqlite')
    expect(setAside).toBeUndefined()
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

  it('that is older than payments which were made since stays paused, and says how much is missing', async () => {
    const folder = played.copy()
    const { setAside } = await restore(botOnly(folder), early, again)
    expect(existsSync(join(setAside ?? '', 'tipping.sqlite'))).toBe(true)
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
    writeFileSync(join(folder, 'bot.lock'), `${process.ppid}\n`)
    await expect(restore(configOf(folder), quiet, again)).rejects.toThrow(`in use by another process (${process.ppid})`)
    expect(readdirSync(folder)).toEqual(['bot.lock'])
  })

  it('to replace data that is there unless it is told to, and then sets it aside', async () => {
    const folder = played.copy()
    await expect(restore(configOf(folder), quiet, careful)).rejects.toThrow(/holds data already \(tipping\.sqlite/)
    const { setAside } = await restore(configOf(folder), quiet, again)
    expect(readdirSync(setAside ?? '')).toEqual(expect.arrayContaining(['tipping.sqlite', 'own-project.json']))
  })

  it('a backup that was touched, that lacks a file, or that is none', async () => {
    const touched = join(backups, 'touched')
    await backUp(configOf(quiet), touched, systemClock)
    appendFileSync(join(touched, 'payments.sqlite'), 'x')
    await expect(restore(configOf(emptyFolder()), touched, careful)).rejects.toThrow(
      /payments\.sqlite is not as it was/,
    )
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
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('the commands', () => {
  const run = (name: string, folder: string, ...args: string[]) => {
    const cli = new URL(`../../src/cli/${name}.ts`, import.meta.url).pathname
    const env = { PATH: process.env.PATH, DATA_FOLDER: folder }
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
})
