import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { operations } from '../../../src/payments-api/payments-api.ts'
import { expectRefusal, ServiceWorld, type TestProject } from '../harness.ts'
import { itKeepsEveryPromise } from '../promises.ts'
import { WithdrawalCalls } from '../withdrawal-calls.ts'

let world: ServiceWorld
let project: TestProject
let calls: WithdrawalCalls

beforeEach(async () => {
  world = await ServiceWorld.open()
  project = await world.project(sats(10_000))
  calls = new WithdrawalCalls(world, project)
})

describe('Retrieve Withdrawal Request', () => {
  it('shows the request as it was created', async () => {
    const { json } = await calls.create({ amount: '1000', callbackUrl: 'https://example.com/c' })
    expect((await calls.retrieve(json.data.id)).json.data).toEqual(json.data)
  })

  it('does not show unknown requests or other projects’ requests', async () => {
    const { json } = await calls.create({ amount: '1000' })
    expectRefusal(await calls.retrieve(json.data.id, await world.project()), 404, 'not_found')
    expectRefusal(await calls.retrieve('nothing'), 404, 'not_found')
  })
})

itKeepsEveryPromise(operations.retrieveWithdrawalRequest)
