import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../src/lib/amount.ts'
import { createAdministration } from '../../src/payments-service/administration.ts'
import { expectRefusal, ServiceWorld } from './harness.ts'

describe('gamertags', () => {
  let world: ServiceWorld
  beforeEach(async () => {
    world = await ServiceWorld.open()
  })
  afterEach(() => world.close())

  it('are unique without regard to case', async () => {
    await world.user('Alice')
    await expect(world.user('aLICE')).rejects.toMatchObject({ code: 'identifier_taken' })
  })

  it('stay reserved for thirty days after a rename; only their former owner may take them back', async () => {
    const alice = await world.user('alice')
    await world.administration.renameUser(alice, 'alicia')
    await expect(world.user('alice')).rejects.toThrow('reserved')
    await world.administration.renameUser(alice, 'alice')
    await expect(world.user('alicia')).rejects.toThrow('reserved')
    world.clock.jump(30 * 24 * 3_600_000)
    await world.user('alicia')
    await expect(world.administration.renameUser(alice, 'alicia')).rejects.toThrow('taken')
  })

  it('are free at once where nothing is reserved', async () => {
    await world.close()
    world = await ServiceWorld.open({ settings: { gamertagReservedDays: 0 } })
    const alice = await world.user('alice')
    await world.administration.renameUser(alice, 'alicia')
    await world.user('alice')
  })

  it('can change their case only', async () => {
    const { apiKey } = await world.project()
    const alice = await world.user('alice')
    await world.administration.renameUser(alice, 'ALICE')
    const shown = await world.raw('GET', `/v0/gamertag/user-id/${alice}`, { apiKey })
    expect(shown.json).toEqual({ success: true, message: expect.any(String), data: { gamertag: 'ALICE' } })
    const found = await world.raw('GET', '/v0/user-id/gamertag/aliCE', { apiKey })
    expect(found.json).toEqual({ success: true, data: { id: alice } })
    expectRefusal(await world.raw('GET', '/v0/user-id/gamertag/bob', { apiKey }), 404, 'gamertag_not_found')
    expectRefusal(await world.raw('GET', '/v0/gamertag/user-id/bob', { apiKey }), 404, 'user_not_found')
  })

  it('are 3 to 30 letters, digits, underscores or hyphens', async () => {
    for (const gamertag of ['ab', 'x'.repeat(31), 'a b c', 'алиса', '']) {
      await expect(world.administration.createUser(gamertag)).rejects.toThrow('3 to 30')
    }
  })

  it('cannot be given to a user that does not exist', async () => {
    await expect(world.administration.renameUser('nobody', 'bobby')).rejects.toMatchObject({ code: 'user_not_found' })
    await expect(world.administration.userToken('nobody')).rejects.toThrow('no user')
  })
})

describe('projects', () => {
  it('are funded only where the money is not real', async () => {
    const world = await ServiceWorld.open()
    const real = createAdministration({ ...world.service.parts, sandbox: false })
    const { projectId } = await real.createProject('real')
    await expect(real.fundProject(projectId, sats(1))).rejects.toThrow('sandbox')
    expect(await world.balance({ kind: 'project', id: projectId })).toBe(0n)
    await world.close()
  })
})

describe('the command line', () => {
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
      const env = { ...process.env, PAYMENTS_DATABASE_URL: `file:${join(world.folder, 'payments.sqlite')}` }
      execFile(process.execPath, [script, ...args], { cwd: folder, env }, (error, out, err) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
      )
    })
  const json = async (...args: string[]) => {
    const { out } = await admin(...args)
    expect(out.trim().split('\n')).toHaveLength(1)
    return JSON.parse(out)
  }

  // Each command is a process of its own, and a busy machine takes its time to start one.
  const PATIENCE_MS = 60_000

  it('works beside the running service, one line of JSON each', { timeout: PATIENCE_MS }, async () => {
    const [project, user] = await Promise.all([
      json('project', 'create', 'demo', '--fund', '5000'),
      json('user', 'create', 'carol'),
    ])
    expect(Object.keys(project)).toEqual(['projectId', 'apiKey', 'callbackSecret'])
    expect(Object.keys(user)).toEqual(['userId', 'gamertag', 'token'])
    const [funded, key, renamed] = await Promise.all([
      json('project', 'fund', project.projectId, '1000'),
      json('key', 'create', project.projectId, '--scope', 'read', '--expires', '2999-01-01T00:00:00Z'),
      json('user', 'rename', user.userId, 'caroline'),
    ])
    expect(funded).toMatchObject({ balance: '6000' })
    expect(renamed).toMatchObject({ gamertag: 'caroline' })
    const wallet = await world.raw('GET', '/v0/wallet', { apiKey: key.apiKey })
    expect(wallet.json).toEqual({ message: expect.any(String), data: { unit: 'msats', balance: '6000' } })
    const [keys, callbacks, redelivered] = await Promise.all([
      json('key', 'list', project.projectId),
      json('callbacks', 'list'),
      json('callbacks', 'redeliver'),
    ])
    expect(keys).toHaveLength(2)
    expect({ callbacks, redelivered }).toEqual({ callbacks: [], redelivered: { redelivered: 0 } })
  })

  it.each([
    [['user', 'rename', 'nobody', 'x_y_z'], 'no user'],
    [['project', 'create', 'x', '--fund', '1.5'], 'whole number'],
    [['key', 'create', 'x', '--scope', 'all'], 'read,receive,send'],
    [['user', 'create'], 'GAMERTAG'],
  ])('%j: says what is wrong on the error stream, and ends with 1', { timeout: PATIENCE_MS }, async (args, words) => {
    const { code, out, err } = await admin(...args)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain(words)
    expect(err).not.toContain('    at ')
  })
})
