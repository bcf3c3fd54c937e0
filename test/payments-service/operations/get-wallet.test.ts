import { beforeEach, describe, expect, it } from 'vitest'
import { msats, sats } from '../../../src/lib/money/amount.ts'
import { operations } from '../../../src/payments-api/payments-api.ts'
import { ServiceWorld, type TestProject } from '../harness.ts'
import { itKeepsEveryPromise } from '../promises.ts'

let world: ServiceWorld
let project: TestProject

beforeEach(async () => {
  world = await ServiceWorld.open()
  project = await world.project(sats(1_000))
})
const get = (path: string) => world.raw('GET', path, { apiKey: project.apiKey })

describe('Get Wallet', () => {
  it('200: shows only the calling project’s spendable balance', async () => {
    await world.user('alice')
    await project.client.payToGamertag({ amount: msats(1_001), gamertag: 'alice', description: '' })
    const answer = await get('/v0/wallet')
    expect(answer.json).toEqual({
      message: expect.any(String),
      data: { unit: 'msats', balance: '998999', network: 'regtest' },
    })
    const other = await world.project(sats(0))
    expect((await other.client.getWallet()).data.balance).toBe(0n)
  })
})

itKeepsEveryPromise(operations.getWallet)
