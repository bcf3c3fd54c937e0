import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lockFolder } from '../../src/lib/folder-lock.ts'
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

/** Runs the command `admin` in its own process, on the running service's database. */
const admin = (...args: string[]) => adminWith({}, ...args)

const adminWith = (environment: Record<string, string>, ...args: string[]) =>
  new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const script = join(import.meta.dirname, '../../src/cli/admin.ts')
    const env = {
      ...process.env,
      PAYMENTS_DATABASE_URL: `file:${join(world.folder, 'payments.sqlite')}`,
      SERVICE_PUBLIC_URL: world.url,
      SERVICE_PORT: '1',
      ...environment,
    }
    execFile(process.execPath, [script, ...args], { cwd: folder, env }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    )
  })

describe('the command npm run admin', () => {
  it('creates a project while the service runs, and prints one line of JSON', async () => {
    const { code, out, err } = await admin('project', 'create', 'demo', '--fund', '5')
    expect({ code, err, lines: out.trim().split('\n').length }).toEqual({ code: 0, err: '', lines: 1 })
    const project = JSON.parse(out)
    expect(Object.keys(project)).toEqual(['projectId', 'keyId', 'apiKey', 'callbackSecret'])
    const wallet = await world.raw('GET', '/v0/wallet', { apiKey: project.apiKey })
    expect(wallet.json).toEqual({
      message: expect.any(String),
      data: { unit: 'msats', balance: '5000', network: 'regtest' },
    })
  })

  it.each([
    ['a new user', async () => ['user', 'create', 'zoe']],
    ['an existing user', async () => ['user', 'token', await world.user('yann')]],
  ])('prints a single-use link that opens the wallet of %s', async (_who, command) => {
    const { out } = await admin(...(await command()))
    const { link, token } = JSON.parse(out)
    expect(link).toBe(`${world.url}/wallet/sign-in?token=${token}`)
    const path = link.slice(world.url.length)
    // The command uses this machine's clock, and the service's is frozen.
    await world.leap(Date.now() - world.clock.now())
    const browser = new Browser(world)
    expect(words(await browser.open(path))).toContain('Open the wallet of')
    expect(words(await browser.submit('/wallet/sign-in'))).toContain('Your balance')
    const again = await new Browser(world).open(path)
    expect([again.status, words(again)]).toEqual([400, expect.stringContaining('already been used')])
  })

  it('prints a link with the playground’s port, or with SERVICE_PORT if a token is set', async () => {
    const data = join(folder, 'playground')
    mkdirSync(data, { recursive: true })
    writeFileSync(join(data, 'ports.json'), '{"emulator":22080,"service":22087,"callbacks":22089}')
    const { out } = await adminWith({ SERVICE_PUBLIC_URL: '', DATA_FOLDER: data }, 'user', 'create', 'ports')
    expect(JSON.parse(out).link).toMatch(/^http:\/\/127\.0\.0\.1:22087\//)
    const token = {
      SERVICE_PUBLIC_URL: '',
      DATA_FOLDER: data,
      DISCORD_TOKEN: 'a.b.c',
      SERVICE_PORT: '8787',
      DISCORD_API_URL: 'http://127.0.0.1:9',
    }
    const onDiscord = await adminWith(token, 'user', 'create', 'other_ports')
    expect(JSON.parse(onDiscord.out).link).toMatch(/^http:\/\/127\.0\.0\.1:8787\//)
  })

  it.each([
    ['a user', ['user', 'token', 'nobody'], 'There is no user nobody. "user list" shows all users.'],
    ['a project', ['key', 'list', 'nothing'], 'There is no project nothing. "project list" shows all projects.'],
    [
      'a key',
      ['key', 'revoke', 'none'],
      /^There is no key none that can be revoked\. "project list" shows all projects, and "key list PROJECTID" shows/,
    ],
  ])('names the list command if %s cannot be found', async (_, command, words) => {
    const { code, err } = await admin(...command)
    expect(code).toBe(1)
    expect(err.trim()).toMatch(words)
  })

  it('shows an invoice for a deposit into a project, and waits until it is paid', async () => {
    await world.leap(Date.now() - world.clock.now())
    const { projectId, apiKey } = JSON.parse((await admin('project', 'create', 'float')).out)
    const script = join(import.meta.dirname, '../../src/cli/admin.ts')
    const child = spawn(process.execPath, [script, 'project', 'deposit', '2500', projectId], {
      cwd: folder,
      env: {
        ...process.env,
        PAYMENTS_DATABASE_URL: `file:${join(world.folder, 'payments.sqlite')}`,
        SERVICE_PORT: new URL(world.url).port,
      },
    })
    let [out, err] = ['', '']
    child.stdout.on('data', (chunk) => {
      out += chunk
    })
    for await (const chunk of child.stderr) {
      err += chunk
      const invoice = /^lnbc\w+$/m.exec(err)?.[0]
      if (invoice === undefined || !err.includes('any wallet')) continue
      expect(out).toBe('')
      await world.sandbox.outside.pay(invoice)
      break
    }
    expect(await once(child, 'close')).toEqual([0, null])
    expect(JSON.parse(out)).toEqual({ projectId, amount: '2500000', kept: '0', paid: true })
    const wallet = await world.raw('GET', '/v0/wallet', { apiKey })
    expect(wallet.json).toMatchObject({ data: { balance: '2500000' } })
    const keys = JSON.parse((await admin('key', 'list', projectId)).out)
    expect(keys.filter((key: { revokedAt: string | null }) => key.revokedAt === null)).toHaveLength(1)
  })

  it('refuses a deposit while the service is down, and says how to start the service', async () => {
    const { code, err } = await admin('project', 'deposit', '100', 'a-project')
    expect([code, err]).toEqual([1, expect.stringMatching(/does not answer at .*npm run service/)])
    expect((await admin('project', 'deposit', '0.5')).err).toContain('SATS must be a whole number')
  })

  it('refuses to give the book another node while a service uses the data folder', async () => {
    const data = join(folder, 'in-use')
    mkdirSync(data)
    const unlock = lockFolder(data, 'service')
    const order = ['node', 'adopt', 'lnd', `02${'cd'.repeat(32)}`, 'regtest']
    const { code, err } = await adminWith({ DATA_FOLDER: data }, ...order)
    unlock()
    expect([code, err]).toEqual([1, expect.stringContaining('in use by another process')])
  })

  it('prints an error to stderr and exits with status 1', async () => {
    const { code, out, err } = await admin('user', 'rename', 'nobody', 'x_y_z')
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toBe('There is no user nobody. "user list" shows all users.\n')
  })
})
