import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readOrder } from '../../src/cli/admin-order.ts'
import { decodeInvoice } from '../../src/lib/lightning/bolt11.ts'
import { type Msats, msats, sats } from '../../src/lib/money/amount.ts'
import { createAdministration } from '../../src/payments-service/administration/administration.ts'
import { coverOperator } from '../../src/payments-service/administration/cover-operator.ts'
import { NODE, OPERATOR } from '../../src/payments-service/core/chart-of-accounts.ts'
import { creditSettlement } from '../../src/payments-service/receiving/settlement-consumer.ts'
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

  it('stay reserved for thirty days after a rename, for their former owner', async () => {
    const alice = await world.user('alice')
    await world.administration.renameUser(alice, 'alicia')
    await expect(world.user('alice')).rejects.toThrow('reserved')
    await world.administration.renameUser(alice, 'alice')
    await expect(world.user('alicia')).rejects.toThrow('reserved')
    await world.leap(30 * 24 * 3_600_000)
    expect(await world.user('alicia')).not.toBe(alice)
    await expect(world.administration.renameUser(alice, 'alicia')).rejects.toThrow('taken')
  })

  it('are free at once where nothing is reserved', async () => {
    await world.close()
    world = await ServiceWorld.open({ settings: { gamertagReservedDays: 0 } })
    const alice = await world.user('alice')
    await world.administration.renameUser(alice, 'alicia')
    const other = await world.user('alice')
    expect(other).not.toBe(alice)
    const { apiKey } = await world.project()
    const owner = async (name: string) =>
      (await world.raw('GET', `/v0/user-id/gamertag/${name}`, { apiKey })).json.data.id
    expect([await owner('alice'), await owner('alicia')]).toEqual([other, alice])
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

  it('that look official are nobody’s; an operator may give one away', async () => {
    await world.close()
    world = await ServiceWorld.open({ settings: { reservedNames: ['Lightning Lounge'] } })
    for (const gamertag of ['admin', 'Adm1n', 'support_team', 'satche1', 'r00t', 'lightning-l0unge']) {
      await expect(world.user(gamertag)).rejects.toMatchObject({ code: 'identifier_taken' })
    }
    const { userId } = await world.administration.createUser('support', true)
    await expect(world.administration.renameUser(userId, 'admin')).rejects.toThrow('reserved')
    await world.administration.renameUser(userId, 'admin', true)
    // Anybody who has such a name keeps it, and has it back.
    await world.administration.renameUser(userId, 'support')
    await world.administration.renameUser(userId, 'SUPPORT')
    const { apiKey } = await world.project()
    const found = await world.raw('GET', '/v0/user-id/gamertag/support', { apiKey })
    expect(found.json.data.id).toBe(userId)
  })

  it('are released by an operator: one in use by a rename, a reserved one at once', async () => {
    const alice = await world.user('alice')
    const { administration } = world
    await expect(administration.releaseName('alice')).rejects.toThrow('Rename the user first')
    await expect(administration.releaseName('nobody')).rejects.toThrow('Nobody has the name')
    await administration.renameUser(alice, 'alicia')
    expect(await administration.releaseName('ALICE')).toEqual({ name: 'alice', reservedUntil: null })
    await world.user('alice')
  })

  it('of static charges, too: the address ends, and is reserved for thirty days', async () => {
    const { apiKey } = await world.project()
    const body = { minAmount: '1000', maxAmount: '9000', description: 'x', identifier: 'coffee' }
    const made = await world.raw('POST', '/v0/static-charges', { apiKey, body })
    expect((await world.raw('GET', '/.well-known/lnurlp/coffee')).status).toBe(200)
    const released = await world.administration.releaseName('coffee')
    const monthLater = new Date(world.clock.now() + 30 * 24 * 3_600_000).toISOString()
    expect(released).toEqual({ name: 'coffee', reservedUntil: monthLater })
    expect((await world.raw('GET', '/.well-known/lnurlp/coffee')).json.status).toBe('ERROR')
    await expect(world.user('coffee')).rejects.toThrow('reserved')
    expect((await world.raw('GET', `/v0/static-charges/${made.json.data.id}`, { apiKey })).status).toBe(200)
    await world.administration.releaseName('coffee')
    await world.user('coffee')
  })

  it('cannot be given to a user that does not exist', async () => {
    await expect(world.administration.renameUser('nobody', 'bobby')).rejects.toThrow('"user list" shows them')
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

describe('what the operator bore', () => {
  let world: ServiceWorld
  let project: { projectId: string; apiKey: string }
  beforeEach(async () => {
    world = await ServiceWorld.open()
    project = await world.project(sats(100))
  })
  afterEach(() => world.close())

  const operator = () => world.service.parts.ledger.balance(OPERATOR)
  const has = () => world.balance({ kind: 'project', id: project.projectId })

  /** Somebody pays an invoice of the project, and the node keeps a part; resolves to the payment hash. */
  async function payShort(amount: Msats, received: Msats): Promise<string> {
    const charge = { minAmount: `${amount}`, maxAmount: `${amount}`, description: 'x', allowedSlots: 1 }
    const made = await world.raw('POST', '/v0/static-charges', { apiKey: project.apiKey, body: charge })
    const path = `/v0/request-static-charges/${made.json.data.id}/callback?amount=${amount}`
    const { paymentHash } = decodeInvoice((await world.raw('GET', path)).json.pr)
    await creditSettlement(world.service.parts, {
      ...{ cursor: paymentHash, paymentHash, received, preimage: '00'.repeat(32), keysend: false },
      settledAt: new Date(world.clock.now()),
    })
    return paymentHash
  }

  it('for the operator’s own payment comes out of that payment, once', async () => {
    const paymentHash = await payShort(sats(50), sats(28))
    expect([await operator(), await has()]).toEqual([-22_000n, sats(150)])
    expect(await world.administration.bearShort(paymentHash)).toBe(22_000n)
    expect(await world.administration.bearShort(paymentHash)).toBe(22_000n)
    expect([await operator(), await has()]).toEqual([0n, sats(128)])
    expect(await world.administration.bearShort(await payShort(sats(5), sats(5)))).toBe(0n)
    expect(await world.administration.bearShort('ab'.repeat(32))).toBe(0n)
    expect([await operator(), await has()]).toEqual([0n, sats(133)])
  })

  it('for members is made up for once, though two operators do it at once', async () => {
    await payShort(sats(50), sats(28))
    const cover = (amount = sats(22)) => world.administration.coverOperator(project.projectId, amount)
    await expect(cover(sats(23))).rejects.toThrow('lacks 22000 msats')
    const both = await Promise.allSettled([cover(), cover()])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect([await operator(), await has()]).toEqual([0n, sats(128)])
  })

  it('for members is covered by no more than is missing, though income comes between', async () => {
    await payShort(sats(50), sats(28))
    const { ledger, database } = world.service.parts
    const income = () => {
      const moves = [{ from: NODE, to: OPERATOR, amount: sats(2) }]
      return ledger.commit({ entries: [{ operation: 'income', step: 'post', moves }] })
    }
    const account = {
      findUnique: async (asked: never) => {
        const found = await database.read.account.findUnique(asked)
        await income()
        return found
      },
    }
    const read = { project: database.read.project, account } as unknown as typeof database.read
    const between = coverOperator({ ledger, database: { ...database, read } })
    await expect(between.coverOperator(project.projectId, sats(22))).rejects.toThrow('has just changed. Nothing moved')
    expect([await operator(), await has()]).toEqual([-20_000n, sats(150)])
    await world.administration.coverOperator(project.projectId, sats(20))
    expect([await operator(), await has()]).toEqual([0n, sats(130)])
  })

  it('for members comes out of the float by a command, once, and never back', async () => {
    await payShort(sats(50), msats(28_500))
    const order = async (amount: string, id = project.projectId) => {
      const asked = readOrder(['project', 'cover', amount, id])
      return typeof asked === 'string' ? asked : await asked(world.administration)
    }
    await expect(order('23')).rejects.toThrow('lacks 21500 msats')
    expect(await order('20')).toMatchObject({ covered: '20000', operator: '-1500', balance: '130000' })
    expect(await order('2')).toMatchObject({ operator: '500' })
    await expect(order('1')).rejects.toThrow('lacks nothing')
    await expect(order('1', 'nothing')).rejects.toThrow('"project list" shows them')
    const { projectId } = await world.project(sats(0))
    await payShort(sats(50), sats(28))
    await expect(order('5', projectId)).rejects.toThrow('too little. Have more paid in first')
    expect(() => readOrder(['project', 'cover'])).toThrow('SATS')
  })
})

describe('orders of the command line', () => {
  let world: ServiceWorld
  beforeAll(async () => {
    world = await ServiceWorld.open()
  })
  afterAll(() => world.close())

  /** Runs the command in this process. */
  const order = async (...args: string[]) => {
    const asked = readOrder(args)
    if (typeof asked === 'string') throw new Error('nobody asked for help')
    return JSON.parse(JSON.stringify(await asked(world.administration)))
  }

  it('has a command for each thing to administer', async () => {
    const project = await order('project', 'create', 'demo')
    expect(await order('project', 'fund', project.projectId, '1')).toMatchObject({ balance: '1000' })
    const { callbackSecret } = await order('project', 'rotate-secret', project.projectId)
    expect(callbackSecret).not.toBe(project.callbackSecret)
    const user = await order('user', 'create', 'carol')
    expect(Object.keys(user)).toEqual(['userId', 'gamertag', 'token'])
    expect(await order('user', 'rename', user.userId, 'caroline')).toMatchObject({ gamertag: 'caroline' })
    expect(await order('name', 'release', 'carol')).toEqual({ name: 'carol', reservedUntil: null })
    expect(await order('user', 'create', 'helpdesk', '--reserved')).toMatchObject({ gamertag: 'helpdesk' })
    expect((await order('user', 'token', user.userId)).token).not.toBe(user.token)
    const expires = '2999-01-01T00:00:00.000Z'
    const key = await order('key', 'create', project.projectId, '--scope', 'read', '--expires', expires)
    expect(key).toMatchObject({ scopes: ['read'], expiresAt: expires })
    expect((await world.raw('GET', '/v0/wallet', { apiKey: key.apiKey })).json.data.balance).toBe('1000')
    const keys = await order('key', 'list', project.projectId)
    expect(keys.map((line: { keyId: string }) => line.keyId).sort()).toEqual([project.keyId, key.keyId].sort())
    expect(await order('key', 'revoke', key.keyId)).toMatchObject({ keyId: key.keyId })
    expect(await order('callbacks', 'list')).toEqual([])
    expect(await order('callbacks', 'redeliver')).toEqual({ redelivered: 0 })
    expect(readOrder(['--help'])).toMatch(/project create NAME/)
  })

  it('lists projects by id and users by gamertag, in pages, without secrets', async () => {
    const made = [await order('project', 'create', 'one'), await order('project', 'create', 'two')]
    const projects: { projectId: string; name: string }[] = await order('project', 'list')
    const ids = projects.map(({ projectId }) => projectId)
    expect(ids).toEqual([...ids].sort())
    const at = { createdAt: expect.stringMatching(/Z$/) }
    for (const [index, { projectId }] of made.entries()) {
      expect(projects).toContainEqual({ projectId, name: ['one', 'two'][index], ...at })
    }
    expect(await order('project', 'list', '--after', ids[0] ?? '')).toEqual(projects.slice(1))

    for (const gamertag of ['Berta', 'anna', 'cleo', 'dora']) await order('user', 'create', gamertag)
    const later: { userId: string; gamertag: string }[] = await order('user', 'list', '--after', 'BERTA')
    expect(later.map(({ gamertag }) => gamertag)).not.toContain('Berta')
    const cleo = later.find(({ gamertag }) => gamertag === 'cleo') ?? { userId: '' }
    await order('user', 'rename', cleo.userId, 'Aaron')
    const users: { userId: string; gamertag: string }[] = await order('user', 'list', '--after', 'aa')
    const names = users.map(({ gamertag }) => gamertag)
    expect(names.slice(0, 3)).toEqual(['Aaron', 'anna', 'Berta'])
    expect(names).not.toContain('cleo')
    expect(users[0]).toEqual({ userId: cleo.userId, gamertag: 'Aaron', ...at })
    const listed = JSON.stringify([projects, users])
    for (const { apiKey, callbackSecret } of made) {
      expect([listed.includes(apiKey), listed.includes(callbackSecret)]).toEqual([false, false])
    }
  })

  it.each([
    [['project', 'create', 'x', '--scope', 'read'], '"project create" has no --scope; it takes --fund.'],
    [['project', 'create', 'x', '--expires', '2030-01-01'], 'has no --expires; it takes --fund'],
    [['key', 'create', 'x', '--scope', 'read', '--fund', '1'], 'has no --fund; it takes --scope, --expires'],
    [['user', 'create', 'x_y_z', '--after', 'a'], '"user create" has no --after; it takes --reserved'],
    [['project', 'create', 'x', '--fund', '1.5'], '--fund must be a whole number of sats above 0, not "1.5".'],
    [['project', 'create', 'x', '--fund', '0'], '--fund must be a whole number of sats above 0'],
    [['project', 'create', 'x', '--fund', '5000msat'], 'not "5000msat". Write 5.'],
    [['project', 'fund', 'x', '1500 msats'], 'SATS must be a whole number of sats above 0, not "1500 msats".'],
    [['project', 'fund', 'x', '5000000000'], 'SATS counts sats, not msats, and is at most 100000000'],
    [['project', 'create', 'x', '--fund', '70000000000000'], 'If you meant msats, write 70000000000.'],
    [['project', 'deposit', '21 msat'], 'SATS must be a whole number of sats above 0, not "21 msat".'],
    [['key', 'create', 'x', '--scope', 'all'], 'read,receive,send'],
    [['key', 'create', 'x', '--scope', 'read', '--expires', 'soon'], '2030-01-01'],
    [['user', 'create'], 'GAMERTAG'],
    [['user', 'create', 'a', 'b'], 'GAMERTAG'],
    [['user', '--force'], 'force'],
    [['user', 'delete', 'carol'], 'no command "user delete"'],
    [[], 'Name a command'],
  ])('does not understand %j, and says what it takes', async (args, problem) => {
    await expect(order(...args)).rejects.toThrow(problem)
  })
})
