import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { operations } from '../../../src/payments-api/payments-api.ts'
import { expectRefusal, ServiceWorld, type TestProject } from '../harness.ts'
import { itKeepsEveryPromise } from '../promises.ts'

let world: ServiceWorld
let project: TestProject

beforeEach(async () => {
  world = await ServiceWorld.open()
  project = await world.project(sats(1_000))
})
const get = (path: string) => world.raw('GET', path, { apiKey: project.apiKey })

describe('Get ID by Gamertag', () => {
  it('200: finds the user by the gamertag in any letter case', async () => {
    const alice = await world.user('Alice')
    expect((await get('/v0/user-id/gamertag/aLiCe')).json).toEqual({ success: true, data: { id: alice } })
  })

  it('404 gamertag_not_found: refuses a free name, a former gamertag and an identifier', async () => {
    const alice = await world.user('alice')
    await world.administration.renameUser(alice, 'alicia')
    const body = { minAmount: '1000', maxAmount: '1000', description: '', identifier: 'coffee' }
    await world.raw('POST', '/v0/static-charges', { apiKey: project.apiKey, body })
    for (const gamertag of ['alice', 'nobody', 'coffee', 'a%2Fb', "'--"]) {
      expectRefusal(await get(`/v0/user-id/gamertag/${gamertag}`), 404, 'gamertag_not_found')
    }
  })
})

itKeepsEveryPromise(operations.getIdByGamertag)
