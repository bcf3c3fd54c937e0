import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { operations } from '../../../src/payments-api/payments-api.ts'
import { expectRefusal, ServiceWorld, type TestProject } from '../harness.ts'
import { itKeepsEveryPromise } from '../promises.ts'

let world: ServiceWorld
let project: TestProject

beforeEach(async () => {
  world = await ServiceWorld.open()
  project = await world.project(sats(0))
  await world.user('alice')
})
const PATH = '/v0/gamertag/charges'
const create = async () =>
  (await world.raw('POST', PATH, { apiKey: project.apiKey, body: { amount: '1000000', gamertag: 'alice' } })).json.data
const get = (id: string, { apiKey } = project) => world.raw('GET', `${PATH}/${id}`, { apiKey })

describe('Get Gamertag Charge', () => {
  it('200: shows a charge as it was created, and later the time of its payment', async () => {
    const created = await create()
    const open = await get(created.id)
    expect(Object.keys(open.json)).toEqual(['success', 'data'])
    const record = { ...created, confirmedAt: null, invoice: { request: created.invoiceRequest } }
    expect(open.json.data).toEqual(record)
    await world.sandbox.outside.pay(created.invoiceRequest)
    await world.until(async () => (await get(created.id)).json.data.status === 'CHARGE_COMPLETED')
    const confirmedAt = new Date(world.clock.now()).toISOString()
    expect((await get(created.id)).json.data).toEqual({ ...record, status: 'CHARGE_COMPLETED', confirmedAt })
  })

  it('404 not_found: refuses an unknown id and another project’s charge', async () => {
    const { id } = await create()
    expectRefusal(await get('nothing'), 404, 'not_found')
    expectRefusal(await get(id, await world.project()), 404, 'not_found')
  })
})

itKeepsEveryPromise(operations.getGamertagCharge)
