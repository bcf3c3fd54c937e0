import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { msats, sats } from '../../../src/lib/amount.ts'
import { expectRefusal, ServiceWorld, type TestProject } from '../harness.ts'

let world: ServiceWorld
let project: TestProject

beforeEach(async () => {
  world = await ServiceWorld.open()
  project = await world.project(sats(1_000))
})
afterEach(() => world.close())

const get = (path: string) => world.raw('GET', path, { apiKey: project.apiKey })

describe('Get Wallet', () => {
  it('200: shows what the calling project can spend, and nobody else’s', async () => {
    await world.user('alice')
    await project.client.payToGamertag({ amount: msats(1_001), gamertag: 'alice', description: '' })
    const answer = await get('/v0/wallet')
    expect(answer.json).toEqual({ message: expect.any(String), data: { unit: 'msats', balance: '998999' } })
    const other = await world.project(sats(0))
    expect((await other.client.getWallet()).data.balance).toBe(0n)
  })
})

describe('Get Gamertag By User ID', () => {
  it('200: shows the gamertag as its owner writes it now', async () => {
    const alice = await world.user('Alice')
    expect((await get(`/v0/gamertag/user-id/${alice}`)).json).toEqual({
      success: true,
      message: expect.any(String),
      data: { gamertag: 'Alice' },
    })
    await world.administration.renameUser(alice, 'Alicia')
    expect((await project.client.getGamertagByUserId({ id: alice })).data).toEqual({ gamertag: 'Alicia' })
  })

  it('404 user_not_found: for an id that nobody has', async () => {
    expectRefusal(await get('/v0/gamertag/user-id/nobody'), 404, 'user_not_found')
  })
})

describe('Get ID by Gamertag', () => {
  it('200: finds the user in any case', async () => {
    const alice = await world.user('Alice')
    expect((await get('/v0/user-id/gamertag/aLiCe')).json).toEqual({ success: true, data: { id: alice } })
  })

  it('404 gamertag_not_found: for a gamertag that nobody has, had, or that names a static charge', async () => {
    const alice = await world.user('alice')
    await world.administration.renameUser(alice, 'alicia')
    const body = { minAmount: '1000', maxAmount: '1000', description: '', identifier: 'coffee' }
    await world.raw('POST', '/v0/static-charges', { apiKey: project.apiKey, body })
    for (const gamertag of ['alice', 'nobody', 'coffee', 'a%2Fb', "'--"]) {
      expectRefusal(await get(`/v0/user-id/gamertag/${gamertag}`), 404, 'gamertag_not_found')
    }
  })
})
