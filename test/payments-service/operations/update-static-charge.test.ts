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
describe('Update Static Charge', () => {
  it('200: changes the given fields and keeps the code', async () => {
    const { data } = (await calls.create()).json
    const answer = await calls.update(data.id, { maxAmount: '9000', description: 'a cake', internalId: 'x' })
    expect(answer.json).toEqual({
      message: expect.any(String),
      data: { ...data, maxAmount: '9000', description: 'a cake', internalId: 'x' },
    })
    expect((await calls.get(data.id)).json.data).toEqual(answer.json.data)
    expect((await calls.update(data.id, {})).json.data).toEqual(answer.json.data)
  })

  it('an update disables a charge if it lowers the slots to the number already used', async () => {
    const { data } = (await calls.create()).json
    expect((await calls.update(data.id, { allowedSlots: 0 })).json.data).toMatchObject({ status: 'disabled', slots: 0 })
    expect(await calls.ask(data.invoice.request)).toMatchObject({ status: 'ERROR' })
  })

  it('400, 404: refuses a minimum above the maximum and other projects’ charges', async () => {
    const { data } = (await calls.create()).json
    expectRefusal(await calls.update(data.id, { minAmount: '6000' }), 400, 'invalid_amount')
    expectRefusal(await calls.update(data.id, { minAmount: '999' }), 400, 'amount_too_low')
    expectRefusal(await calls.update(data.id, { maxAmount: '10000000001' }), 400, 'amount_too_high')
    expectRefusal(await calls.update(data.id, { identifier: 'mine' }), 400, 'unknown_field')
    expectRefusal(await calls.update('nothing', {}), 404, 'not_found')
    const other = await world.project()
    expectRefusal(await calls.update(data.id, {}, other), 404, 'not_found')
    expect((await calls.get(data.id)).json.data).toEqual(data)
  })
})

itKeepsEveryPromise(operations.updateStaticCharge)
