import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { systemEntropy } from '../../../src/lib/entropy.ts'
import { msats } from '../../../src/lib/money/amount.ts'
import { openAdministration } from '../../../src/payments-service/administration/administration.ts'
import { wallet } from '../../../src/payments-service/core/chart-of-accounts.ts'
import { hashSecret } from '../../../src/payments-service/core/secrets.ts'
import { databaseFor, onPostgres } from '../../support/postgres/databases.ts'
import { warmPaymentsDatabase } from '../../support/warm-databases.ts'
import { AdministrationWorld, MORE_THAN_A_PAGE, refusalOf } from './administration-world.ts'

let world: AdministrationWorld
beforeEach(async () => {
  world = await AdministrationWorld.open()
})
const NO_PROJECT = 'There is no project nobody. "project list" shows all projects.'
const walletOf = (id: string) => wallet({ kind: 'project', id })

describe('a project', () => {
  it('is created with a callback secret and a key for all scopes; the key is hashed', async () => {
    const made = await world.administration.createProject('The shop')
    const createdAt = world.time().toISOString()
    expect(await world.administration.listProjects()).toEqual([
      { projectId: made.projectId, name: 'The shop', createdAt },
    ])
    expect(await world.administration.listKeys(made.projectId)).toEqual([
      { keyId: made.keyId, scopes: ['read', 'receive', 'send'], createdAt, expiresAt: null, revokedAt: null },
    ])
    expect(made.apiKey).toMatch(/^satchel_[\w-]{43}$/)
    expect(await world.database.read.apiKey.findMany()).toMatchObject([{ hash: hashSecret(made.apiKey) }])
    expect(made.callbackSecret).toMatch(/^whsec_.{40,}/)
    expect(await world.database.read.callbackSecret.findMany()).toMatchObject([
      { projectId: made.projectId, secret: made.callbackSecret, createdAt: world.time(), retiredAt: null },
    ])
    expect(await world.entries()).toEqual([])
  })

  it('needs a name that is not blank', async () => {
    for (const name of ['', '  ']) {
      expect(await refusalOf(world.administration.createProject(name))).toBe('A project needs a name.')
    }
    expect(await world.administration.listProjects()).toEqual([])
  })

  it('can start with test sats in the sandbox and get more later', async () => {
    const { projectId } = await world.administration.createProject('The shop', msats(5_000))
    const fund = () => world.administration.fundProject(projectId, msats(1_000))
    expect(await fund()).toEqual({ projectId, balance: '6000' })
    expect(await fund()).toEqual({ projectId, balance: '7000' })
    expect(await world.balance(walletOf(projectId))).toBe(7_000n)
    const entries = await world.entries()
    expect(entries).toEqual(Array(3).fill(expect.stringMatching(/^funding:[0-9a-f-]{36} post$/)))
  })

  it('receives no test sats on a real node', async () => {
    const real = world.administrationWith({ sandbox: false })
    expect(await refusalOf(real.createProject('The shop', msats(5_000)))).toBe(
      'This command works only on the sandbox. Elsewhere, pay sats in with "project deposit SATS PROJECTID".',
    )
    expect(await world.entries()).toEqual([])
  })

  it('that does not exist gets no sats, secret or key; the refusal says where to look', async () => {
    const { administration } = world
    const asked = [
      () => administration.fundProject('nobody', msats(1_000)),
      () => administration.rotateSecret('nobody'),
      () => administration.createKey('nobody', { scopes: ['read'] }),
      () => administration.listKeys('nobody'),
    ]
    for (const ask of asked) expect(await refusalOf(ask())).toBe(NO_PROJECT)
    expect(await world.entries()).toEqual([])
  })

  it('keeps its two newest secrets after a rotation, which affects no other project', async () => {
    const { administration } = world
    const other = await administration.createProject('Another')
    const { projectId, callbackSecret } = await administration.createProject('The shop')
    const secrets = [callbackSecret]
    for (let times = 0; times < 3; times += 1) {
      await world.clock.advance(1_000)
      const rotated = await administration.rotateSecret(projectId)
      expect(rotated).toEqual({ projectId, callbackSecret: expect.stringMatching(/^whsec_/) })
      secrets.push(rotated.callbackSecret)
    }
    const rows = await world.database.read.callbackSecret.findMany({ where: { projectId } })
    const retiredAt = new Map(rows.map((row) => [row.secret, row.retiredAt]))
    expect(secrets.map((secret) => retiredAt.get(secret))).toEqual([world.time(-1_000), world.time(), null, null])
    expect(await world.database.read.callbackSecret.findMany({ where: { projectId: other.projectId } })).toMatchObject([
      { secret: other.callbackSecret, retiredAt: null },
    ])
  })

  it('is listed by id in pages of 1,000', async () => {
    const ids = Array.from({ length: MORE_THAN_A_PAGE }, (_, at) => `p${String(at).padStart(4, '0')}`)
    const data = ids.toReversed().map((id) => ({ id, name: id, createdAt: world.time() }))
    await world.haveMany('Project', data)
    const listed = async (after?: string) =>
      (await world.administration.listProjects(after)).map(({ projectId }) => projectId)
    expect(await listed()).toEqual(ids.slice(0, 1_000))
    expect(await listed('p0999')).toEqual(['p1000'])
  })
})

describe('an API key', () => {
  let projectId: string
  let first: string
  beforeEach(async () => {
    const made = await world.administration.createProject('The shop')
    projectId = made.projectId
    first = made.keyId
  })

  const keys = () => world.administration.listKeys(projectId)

  it('is listed by age, with its scopes and its expiry', async () => {
    await world.administration.createProject('Another')
    await world.clock.advance(1_000)
    const expiresAt = world.time(1)
    const short = await world.administration.createKey(projectId, { scopes: ['read', 'send'], expiresAt })
    expect(short).toMatchObject({ scopes: ['read', 'send'], expiresAt: expiresAt.toISOString() })
    await world.clock.advance(1_000)
    const endless = await world.administration.createKey(projectId, { scopes: ['receive'] })
    expect(endless).toMatchObject({ scopes: ['receive'], expiresAt: null })
    expect(await keys()).toMatchObject([
      { keyId: first, createdAt: world.time(-2_000).toISOString() },
      { keyId: short.keyId, scopes: ['read', 'send'], expiresAt: expiresAt.toISOString(), revokedAt: null },
      { keyId: endless.keyId, scopes: ['receive'], expiresAt: null },
    ])
  })

  it('is listed by the time of its creation even if the clock was set back', async () => {
    world.clock.jump(-5_000)
    const older = await world.administration.createKey(projectId, { scopes: ['read'] })
    expect((await keys()).map(({ keyId }) => keyId)).toEqual([older.keyId, first])
  })

  it('is not created if its expiry is not in the future', async () => {
    for (const expiresAt of [world.time(), world.time(-1)]) {
      expect(await refusalOf(world.administration.createKey(projectId, { scopes: ['read'], expiresAt }))).toBe(
        `${expiresAt.toISOString()} is in the past. Give a later time.`,
      )
    }
    expect(await keys()).toHaveLength(1)
  })

  it('can be revoked once; the time is shown, and no other key is affected', async () => {
    const other = await world.administration.createKey(projectId, { scopes: ['read'] })
    await world.clock.advance(1_000)
    const revokedAt = world.time().toISOString()
    expect(await world.administration.revokeKey(first)).toEqual({ keyId: first, revokedAt })
    await world.clock.advance(1_000)
    for (const keyId of [first, 'nobody']) {
      expect(await refusalOf(world.administration.revokeKey(keyId))).toBe(
        `There is no key ${keyId} that can be revoked. "project list" shows all projects, and "key list PROJECTID" shows the keys of a project.`,
      )
    }
    const revoked = new Map((await keys()).map((key) => [key.keyId, key.revokedAt]))
    expect([revoked.get(first), revoked.get(other.keyId)]).toEqual([revokedAt, null])
  })
})

describe('the token of the sandbox', () => {
  it('is read from the sandbox’s folder', async () => {
    const administration = world.administrationWith({ sandboxFolder: world.folder })
    const { token } = await administration.sandboxToken()
    expect(token).toBe(readFileSync(join(world.folder, 'sandbox-token'), 'utf8').trim())
    expect(await administration.sandboxToken()).toEqual({ token })
  })

  it('does not exist without a sandbox', async () => {
    expect(await refusalOf(world.administration.sandboxToken())).toBe(
      'There is no sandbox here, so there is no token. Only a service with LIGHTNING_BACKEND=sandbox has a token.',
    )
  })
})

describe('the administration in its own process', () => {
  it('opens the book at the given address and finishes its work before it closes', async () => {
    const file = join(world.folder, 'other.sqlite')
    await (await warmPaymentsDatabase(file)).close()
    const databaseUrl = onPostgres() ? await databaseFor(file, 'payments') : `file:${file}`
    const settings = { gamertagReservedDays: 30, reservedNames: [] }
    const { clock } = world
    const open = () => openAdministration({ databaseUrl, clock, entropy: systemEntropy, settings, sandbox: true })
    const administration = await open()
    const making = administration.createProject('The shop')
    await administration.close()
    const { projectId } = await making
    await expect(administration.createProject('Another')).rejects.toThrow()
    // The last connection takes the log of its file with it.
    expect(existsSync(`${file}-wal`)).toBe(false)
    const next = await open()
    expect(await next.listProjects()).toMatchObject([{ projectId, name: 'The shop' }])
    await next.close()
  })
})
