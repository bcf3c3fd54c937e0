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
function list(id: string, after: string, { apiKey } = project) {
  return world.raw('GET', `/v0/static-charges/${id}/payments/${after}`, { apiKey })
}

describe('List Static Charge Payments', () => {
  it('200: lists the payments slot by slot with the payers’ notes', async () => {
    const { data } = (await calls.create({ minAmount: '1000', maxAmount: '9000' })).json
    expect((await list(data.id, '0')).json).toEqual({ message: expect.any(String), data: { payments: [] } })
    await calls.pay(data.invoice.request, 3, 'for the coffee')
    await calls.slotsTaken(data.id, 1)
    await calls.pay(data.invoice.request, 7)
    await calls.slotsTaken(data.id, 2)
    const [first, second] = (await list(data.id, '0')).json.data.payments
    const known = { id: expect.any(String), settledAt: expect.stringMatching(/Z$/) }
    expect(first).toEqual({ ...known, slot: 1, amount: '3000', comment: 'for the coffee' })
    expect(second).toEqual({ ...known, slot: 2, amount: '7000', comment: '' })
    expect((await list(data.id, '1')).json.data.payments).toEqual([second])
    expect((await list(data.id, '2')).json.data.payments).toEqual([])
  })

  it('404 not_found: refuses an unknown id and another project’s static charge', async () => {
    const { data } = (await calls.create()).json
    expectRefusal(await list('nothing', '0'), 404, 'not_found')
    expectRefusal(await list(data.id, '0', await world.project()), 404, 'not_found')
  })

  it('400 invalid_field: refuses a slot that is not a number', async () => {
    const { data } = (await calls.create()).json
    expectRefusal(await list(data.id, 'last'), 400, 'invalid_field')
  })
})

itKeepsEveryPromise(operations.listStaticChargePayments)
