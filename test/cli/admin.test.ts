import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ServiceWorld } from '../payments-service/harness.ts'
import { Browser, words } from '../payments-service/wallet-page/browser.ts'

let world: ServiceWorld
let folder: string
beforeAll(async () => {
  world = await ServiceWorld.open()
  folder = mkdtempSync(join(tmpdir(), 'admin-'))
})
afterAll(async () => {
  await world.close()
  rmSync(folder, { recursive: true })
})

/** Runs the command in a process of its own, against the database of the running service. */
const admin = (...args: string[]) =>
  new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const script = join(import.meta.dirname, '../../src/cli/admin.ts')
    const env = {
      ...process.env,
      PAYMENTS_DATABASE_URL: `file:${join(world.folder, 'payments.sqlite')}`,
      SERVICE_PUBLIC_URL: world.url,
    }
    execFile(process.execPath, [script, ...args], { cwd: folder, env }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    )
  })

describe('npm run admin', () => {
  it('works beside the running service, and prints one line of JSON', async () => {
    const { code, out, err } = await admin('project', 'create', 'demo', '--fund', '5000')
    expect({ code, err, lines: out.trim().split('\n').length }).toEqual({ code: 0, err: '', lines: 1 })
    const project = JSON.parse(out)
    expect(Object.keys(project)).toEqual(['projectId', 'keyId', 'apiKey', 'callbackSecret'])
    const wallet = await world.raw('GET', '/v0/wallet', { apiKey: project.apiKey })
    expect(wallet.json).toEqual({ message: expect.any(String), data: { unit: 'msats', balance: '5000' } })
  })

  it.each([
    ['a new user', async () => ['user', 'create', 'zoe']],
    ['a user who is known', async () => ['user', 'token', await world.user('yann')]],
  ])('prints a link that opens the wallet of %s once', async (_who, command) => {
    const { out } = await admin(...(await command()))
    const { link, token } = JSON.parse(out)
    expect(link).toBe(`${world.url}/wallet/sign-in?token=${token}`)
    const path = link.slice(world.url.length)
    // Its time is by this machine's clock, and the service's stands still.
    await world.leap(Date.now() - world.clock.now())
    const browser = new Browser(world)
    expect(words(await browser.open(path))).toContain('Open the wallet of')
    expect(words(await browser.submit('/wallet/sign-in'))).toContain('Your balance')
    const again = await new Browser(world).open(path)
    expect([again.status, words(again)]).toEqual([400, expect.stringContaining('used already')])
  })

  it.each([
    ['a user', ['user', 'token', 'nobody'], 'There is no user nobody; "user list" shows them.'],
    ['a project', ['key', 'list', 'nothing'], 'There is no project nothing; "project list" shows them.'],
    ['a key', ['key', 'revoke', 'none'], /^There is no key none that could be revoked; "key list PROJECTID" shows/],
  ])('says by which command one finds %s', async (_, command, words) => {
    const { code, err } = await admin(...command)
    expect(code).toBe(1)
    expect(err.trim()).toMatch(words)
  })

  it('says what is wrong on the error stream, and ends with 1', async () => {
    const { code, out, err } = await admin('user', 'rename', 'nobody', 'x_y_z')
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toBe('There is no user nobody; "user list" shows them.\n')
  })
})
