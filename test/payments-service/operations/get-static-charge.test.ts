import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { operations } from '../../../src/payments-api/payments-api.ts'
import { expectRefusal, ServiceWorld, type TestProject } from '../harness.ts'
import { itKeepsEveryPromise } from '../promises.ts'
import { StaticChargeCalls } from '../static-charge-calls.ts'

let world: ServiceWorld
let project: TestProject
let calls: StaticChargeCalls

beforeEach(async () => {
  world = await ServiceWorld.open()
  project = await world.project(sats(0))
  calls = new StaticChargeCalls(world, project)
})
describe('Get Static Charge', () => {
  it('200: shows the charge as it was created and the slots taken since', async () => {
    const { data } = (await calls.create({ internalId: 'table 4' })).json
    expect((await calls.get(data.id)).json).toEqual({ message: expect.any(String), data })
    await calls.pay(data.invoice.request, 5)
    await calls.slotsTaken(data.id, 1)
    expect((await calls.get(data.id)).json.data).toEqual({ ...data, slots: 1 })
  })

  it('404 not_found: refuses an unknown id and another project’s static charge', async () => {
    const { data } = (await calls.create()).json
    expectRefusal(await calls.get('nothing'), 404, 'not_found')
    expectRefusal(await calls.get(data.id, await world.project()), 404, 'not_found')
  })
})

itKeepsEveryPromise(operations.getStaticCharge)
