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

describe('Get Gamertag By User ID', () => {
  it('200: shows the user’s current gamertag in its original letter case', async () => {
    const alice = await world.user('Alice')
    expect((await get(`/v0/gamertag/user-id/${alice}`)).json).toEqual({
      success: true,
      message: expect.any(String),
      data: { gamertag: 'Alice' },
    })
    await world.administration.renameUser(alice, 'Alicia')
    expect((await project.client.getGamertagByUserId({ id: alice })).data).toEqual({ gamertag: 'Alicia' })
  })

  it('404 user_not_found: refuses an unknown id', async () => {
    expectRefusal(await get('/v0/gamertag/user-id/nobody'), 404, 'user_not_found')
  })
})

itKeepsEveryPromise(operations.getGamertagByUserId)
