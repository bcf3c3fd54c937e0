import { beforeEach, describe, expect, it } from 'vitest'
import { msats, sats } from '../../../src/lib/money/amount.ts'
import { operations } from '../../../src/payments-api/payments-api.ts'
import { expectRefusal, ServiceWorld, type TestProject } from '../harness.ts'
import { itKeepsEveryPromise } from '../promises.ts'

let world: ServiceWorld
let project: TestProject

beforeEach(async () => {
  world = await ServiceWorld.open()
  project = await world.project(sats(1_000))
})
const get = (id: string, { apiKey } = project) => world.raw('GET', `/v0/gamertag/transaction/${id}`, { apiKey })

describe('Get Payment (gamertag)', () => {
  it('200: shows a payment by its transaction id', async () => {
    const receiverId = await world.user('alice')
    const paid = await project.client.payToGamertag({ amount: msats(1_234), gamertag: 'alice', description: 'hi' })
    const id = paid.data.transactionId ?? ''
    const settledAt = paid.data.settledAt?.toISOString()
    const answer = await get(id)
    expect(Object.keys(answer.json)).toEqual(['success', 'message', 'data'])
    expect(answer.json.data).toEqual({
      id,
      receiverId,
      amount: '1234',
      fee: '0',
      unit: 'msats',
      processedAt: settledAt,
      confirmedAt: settledAt,
      comment: 'hi',
      status: 'TRANSACTION_STATUS_COMPLETED',
    })
    expect((await project.client.getGamertagPayment({ id })).data).toMatchObject({ amount: 1_234n, comment: 'hi' })
  })

  it('404 not_found: refuses an unknown id and another project’s payment', async () => {
    await world.user('alice')
    const paid = await project.client.payToGamertag({ amount: msats(1), gamertag: 'alice', description: '' })
    expectRefusal(await get('nothing'), 404, 'not_found')
    expectRefusal(await get(paid.data.transactionId ?? '', await world.project()), 404, 'not_found')
  })
})

itKeepsEveryPromise(operations.getGamertagPayment)
