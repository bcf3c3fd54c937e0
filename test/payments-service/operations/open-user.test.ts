import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { operations } from '../../../src/payments-api/payments-api.ts'
import { ServiceWorld, type TestProject } from '../harness.ts'
import { itKeepsEveryPromise } from '../promises.ts'

let world: ServiceWorld
let project: TestProject

beforeEach(async () => {
  world = await ServiceWorld.open()
  project = await world.project(sats(0))
})
const open = (reference: string, gamertag: string, { apiKey } = project) =>
  world.raw('POST', '/v0/users', { apiKey, body: { reference, gamertag } })

describe('Open User', () => {
  it('200: opens a user on the first call and then returns that user', async () => {
    const first = (await open('member-1', 'alice')).json
    expect(first).toMatchObject({ success: true, data: { gamertag: 'alice', created: true } })
    await world.administration.renameUser(first.data.id, 'alicia')
    const again = (await open('member-1', 'somebody')).json
    expect(again.data).toEqual({ id: first.data.id, gamertag: 'alicia', created: false })
    expect((await world.administration.listUsers()).length).toBe(1)
  })

  it('200: opens only one user for several simultaneous calls', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => open('member-1', 'alice')))
    expect(new Set(answers.map(({ json }) => json.data.id)).size).toBe(1)
    expect(answers.filter(({ json }) => json.data.created)).toHaveLength(1)
  })

  it('200: chooses another name if the requested name is taken, released or reserved', async () => {
    const lately = await world.user('carol')
    await world.administration.renameUser(lately, 'caroline')
    await world.user('bob')
    expect((await open('member-1', 'Bob')).json.data.gamertag).toBe('Bob2')
    expect((await open('member-2', 'bob')).json.data.gamertag).toBe('bob3')
    expect((await open('member-3', 'carol')).json.data.gamertag).toBe('carol2')
    expect((await open('member-4', 'admin')).json.data.gamertag).toMatch(/^tipper-[0-9a-f]{8}$/)
    await open('member-5', 'x'.repeat(30))
    expect((await open('member-6', 'x'.repeat(30))).json.data.gamertag).toBe(`${'x'.repeat(29)}2`)
  })

  it('409 too_many_identifiers: refuses new users at the limit but returns known users', async () => {
    await world.restart({ usersPerProject: 2 })
    for (const [reference, name] of [
      ['member-1', 'alice'],
      ['member-2', 'bob'],
    ] as const) {
      expect((await open(reference, name)).status).toBe(200)
    }
    const refused = await open('member-3', 'carol')
    expect([refused.status, refused.json]).toEqual([
      409,
      expect.objectContaining({ code: 'too_many_identifiers', message: expect.stringContaining('USERS_PER_PROJECT') }),
    ])
    expect((await open('member-1', 'whatever')).json.data).toMatchObject({ gamertag: 'alice', created: false })
    const other = await world.project(sats(0))
    expect((await open('member-1', 'carol', other)).status).toBe(200)
  })

  it('200: opens another user if another project sends the same reference', async () => {
    const other = await world.project(sats(0))
    const mine = (await open('member-1', 'alice')).json.data.id
    expect((await open('member-1', 'alice', other)).json.data.id).not.toBe(mine)
  })
})

itKeepsEveryPromise(operations.openUser)
