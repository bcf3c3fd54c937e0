import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COMPILED } from '../../proof/world/processes/compiled.ts'
import { type PlayedWorld, playWorld } from './played-world.ts'

/** A data folder in which only the payments service runs, for bots elsewhere: `npm run service`. */

let played: PlayedWorld
let backup: string

beforeAll(async () => {
  played = await playWorld()
  await played.stop()
  backup = join(dirname(played.folder), 'backup')
  expect(run('backup', alone(), backup)).toMatchObject({ status: 0, stderr: '' })
}, 120_000)
afterAll(() => played.remove())

function alone(): string {
  const folder = played.copy()
  rmSync(join(folder, 'tipping.sqlite'))
  rmSync(join(folder, 'own-project.json'))
  rmSync(join(folder, 'wallet-key'))
  return folder
}

function emptyFolder(): string {
  const folder = played.copy()
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true })
  return folder
}

function run(name: string, folder: string, ...args: string[]) {
  const cli = new URL(`../../src/cli/${name}.ts`, import.meta.url).pathname
  return spawnSync(process.execPath, [cli, ...args], {
    env: { PATH: process.env.PATH, ...COMPILED, DATA_FOLDER: folder },
    encoding: 'utf8',
    cwd: folder,
  })
}

describe('where the payments service runs alone', () => {
  it('an audit proves its book', () => {
    const folder = alone()
    const { status, stdout } = run('audit', folder)
    expect(stdout).toMatch(/The service’s book[\s\S]*proven[\s\S]*Everything agrees/)
    expect(stdout).not.toContain('The bot’s book')
    expect(status).toBe(0)
    const database = new Database(join(folder, 'payments.sqlite'))
    database.exec(`UPDATE "Account" SET "balance" = "balance" + 5 WHERE "kind" = 'wallet'`)
    database.close()
    expect(run('audit', folder)).toMatchObject({ status: 1, stdout: expect.stringMatching(/service: \S*wallet/) })
  })

  it('a bot’s book that was lost is not taken for one that never was', () => {
    const folder = played.copy()
    rmSync(join(folder, 'tipping.sqlite'))
    expect(run('audit', folder)).toMatchObject({ status: 1, stderr: expect.stringContaining('tipping.sqlite') })
  })

  it('a backup is restored by itself', () => {
    const folder = emptyFolder()
    const { status, stdout, stderr } = run('restore', folder, backup)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(/^Restored payments\.sqlite, lightning-sandbox\.sqlite as of/)
    expect(stdout).toContain('Tell the operators of its bots')
    expect(stdout).not.toContain('/admin')
    expect(run('audit', folder).status).toBe(0)
    expect(run('restore', folder, backup)).toMatchObject({ status: 1, stderr: expect.stringContaining('--force') })
    expect(run('restore', folder, backup, '--force')).toMatchObject({ status: 0, stderr: '' })
  })

  it('a backup is not a backup of a bot beside it, and nothing pauses', () => {
    const folder = played.copy()
    const before = readdirSync(folder)
    const refused = run('restore', folder, backup, '--force')
    expect(refused.stderr).toMatch(/holds the payments service alone.*\(tipping\.sqlite, own-project\.json\)/)
    expect(refused.status).toBe(1)
    expect(readdirSync(folder)).toEqual(before)
    expect(run('restore', emptyFolder(), backup, '--not-paused').stderr).toMatch(
      /--not-paused is about what leaves a bot/,
    )
  })
})
