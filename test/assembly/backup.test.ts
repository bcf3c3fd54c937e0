import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COMPILED } from '../../proof/world/processes/compiled.ts'
import { audit } from '../../src/assembly/audit/audit.ts'
import { backUp } from '../../src/assembly/backup/backup.ts'
import { restore } from '../../src/assembly/backup/restore.ts'
import { storedProject } from '../../src/assembly/own-project.ts'
import { parseConfig } from '../../src/config/config.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { lockFolder } from '../../src/lib/folder-lock.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { createWorld } from '../../src/playground/create-world.ts'
import { Stage, silentTeller } from '../../src/playground/flows/stage.ts'
import { openWarm } from '../support/warm-databases.ts'
import { type PlayedWorld, playWorld } from './played-world.ts'

const configOf = (folder: string) => parseConfig({ DATA_FOLDER: folder })
/**
 * Returns the configuration of a bot with a remote provider in the same folder: only the bot's own book belongs to its
 * backup.
 */
const botOnly = (folder: string) =>
  parseConfig({ DATA_FOLDER: folder, PAYMENTS_BASE_URL: 'https://pay.example.org', PAYMENTS_API_KEY: 'key' })
const again = { force: true, notPaused: true, clock: systemClock }
const careful = { ...again, force: false }

let played: PlayedWorld
let backups: string
/**
 * A backup taken while nothing else happened; `stormy` were taken during a storm of tips, and `early` before a payment,
 * of the bot's book alone.
 */
let quiet: string
let stormy: string[]
let early: string

beforeAll(async () => {
  played = await playWorld()
  const { folder, stage } = played
  backups = join(dirname(folder), 'backups')
  quiet = join(backups, 'quiet')
  await backUp(configOf(folder), quiet, systemClock)

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
  it('copies both books as of one moment, even during a storm of tips', async () => {
    for (const backup of stormy) {
      const folder = emptyFolder()
      await restore(configOf(folder), backup, careful)
      expect((await auditOf(folder)).findings).toEqual([])
    }
  })
})

describe('a bot with a restored book', () => {
  it('starts paused even with --not-paused, but pays again once the book is proven', async () => {
    const folder = emptyFolder()
    // Discord itself remembers its people.
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

  it('stays paused without --not-paused until an operator resumes payments', async () => {
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

  it('keeps payments paused and names the missing sats if it paid after the backup', async () => {
    const folder = played.copy()
    const { setAside } = await restore(botOnly(folder), early, again)
    expect(existsSync(join(setAside[0] ?? '', 'tipping.sqlite'))).toBe(true)
    const stage = await startIn(folder)
    try {
      const { faults } = await stage.world.bot.tipping.audit()
      expect(faults).toEqual(["the provider's wallet holds 700 sats less than the books account for"])
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

describe('a restore', () => {
  it('is refused, and nothing is restored, if another process owns the folder', async () => {
    const folder = emptyFolder()
    const unlock = lockFolder(folder, 'bot')
    await expect(restore(configOf(folder), quiet, again).finally(unlock)).rejects.toThrow('in use by another process')
    expect(readdirSync(folder).filter((name) => !name.endsWith('-lock.sqlite'))).toEqual([])
  })

  it('tells the operator to inform the bots’ operators if it restores only a service', async () => {
    const alone = played.copy()
    for (const name of ['tipping.sqlite', 'own-project.json', 'wallet-key']) rmSync(join(alone, name))
    await backUp(configOf(alone), join(backups, 'alone'), systemClock)
    const folder = emptyFolder()
    const cli = new URL('../../src/cli/restore.ts', import.meta.url).pathname
    const env = { PATH: process.env.PATH, ...COMPILED, DATA_FOLDER: folder }
    const { status, stdout } = spawnSync(process.execPath, [cli, join(backups, 'alone')], { env, encoding: 'utf8' })
    expect(status).toBe(0)
    expect(stdout).toContain('Tell the operators of its bots')
    expect(stdout).not.toContain('/admin')
  })
})
