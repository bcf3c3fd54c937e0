import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readOrder } from '../../../src/cli/admin-order.ts'
import { ServiceWorld } from '../harness.ts'

describe('commands of the administration', () => {
  let world: ServiceWorld
  beforeAll(async () => {
    world = await ServiceWorld.open()
  })
  afterAll(() => world.close())

  /** Runs the operators' command in this process. */
  const order = async (...args: string[]) => {
    const asked = readOrder(args)
    if (typeof asked === 'string') throw new Error('nobody asked for help')
    return JSON.parse(JSON.stringify(await asked(world.administration)))
  }

  it('exist for each kind of record that operators manage', async () => {
    const project = await order('project', 'create', 'demo')
    expect(await order('project', 'fund', project.projectId, '1')).toMatchObject({ balance: '1000' })
    await expect(order('project', 'cover', '5', project.projectId)).rejects.toThrow('lacks nothing')
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

  it('list projects by id and users by gamertag, in pages and without secrets', async () => {
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
    [['project', 'create', 'x', '--scope', 'read'], '"project create" has no option --scope; it takes --fund.'],
    [['project', 'create', 'x', '--expires', '2030-01-01'], 'has no option --expires; it takes --fund'],
    [['key', 'create', 'x', '--scope', 'read', '--fund', '1'], 'has no option --fund; it takes --scope, --expires'],
    [['user', 'create', 'x_y_z', '--after', 'a'], '"user create" has no option --after; it takes --reserved'],
    [['project', 'create', 'x', '--fund', '1.5'], '--fund must be a whole number of sats above 0, not "1.5".'],
    [['project', 'create', 'x', '--fund', '0'], '--fund must be a whole number of sats above 0'],
    [['project', 'create', 'x', '--fund', '5000msat'], 'not "5000msat". Write 5.'],
    [['project', 'fund', 'x', '1500 msats'], 'SATS must be a whole number of sats above 0, not "1500 msats".'],
    [['project', 'fund', 'x', '5000000000'], 'SATS must be an amount in sats, not msats, and at most 100000000'],
    [['project', 'create', 'x', '--fund', '70000000000000'], 'If you meant msats, write 70000000000.'],
    [['project', 'deposit', '21 msat'], 'SATS must be a whole number of sats above 0, not "21 msat".'],
    [['key', 'create', 'x', '--scope', 'all'], 'read,receive,send'],
    [['key', 'create', 'x', '--scope', 'read', '--expires', 'soon'], '2030-01-01'],
    [['user', 'create'], 'GAMERTAG'],
    [['user', 'create', 'a', 'b'], 'GAMERTAG'],
    [['user', '--force'], 'force'],
    [['user', 'delete', 'carol'], 'no command "user delete"'],
    [[], 'Give a command'],
  ])('refuse the arguments %j and say what is valid', async (args, problem) => {
    await expect(order(...args)).rejects.toThrow(problem)
  })
})
