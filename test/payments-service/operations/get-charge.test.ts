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
})
const PATH = '/v0/charges'
const create = async () => {
  const body = { amount: '1000000', description: 'tea', internalId: 'order 7' }
  return (await world.raw('POST', PATH, { apiKey: project.apiKey, body })).json.data
}
const get = (id: string, { apiKey } = project) => world.raw('GET', `${PATH}/${id}`, { apiKey })

describe('Get Charge', () => {
  it('200: shows a charge as it was created, and later the time of its payment', async () => {
    const created = await create()
    const open = await get(created.id)
    expect(Object.keys(open.json)).toEqual(['success', 'message', 'data'])
    expect(open.json.data).toEqual(created)
    await world.sandbox.outside.pay(created.invoice.request)
    await world.until(async () => (await get(created.id)).json.data.status === 'completed')
    const confirmedAt = new Date(world.clock.now()).toISOString()
    expect((await get(created.id)).json.data).toEqual({ ...created, status: 'completed', confirmedAt })
  })

  it('200: shows a charge as expired if it was not paid in time', async () => {
    const { id } = await create()
    await world.clock.advance(11 * 60_000)
    await world.until(async () => (await get(id)).json.data.status === 'expired')
    expect((await get(id)).json.data.confirmedAt).toBeNull()
  })

  it('404 not_found: refuses an unknown id and another project’s charge', async () => {
    const { id } = await create()
    expectRefusal(await get('nothing'), 404, 'not_found')
    expectRefusal(await get(id, await world.project()), 404, 'not_found')
  })

  it('404 not_found: refuses the id of a gamertag charge', async () => {
    await world.user('alice')
    const body = { amount: '1000', gamertag: 'alice' }
    const gamertagCharge = await world.raw('POST', '/v0/gamertag/charges', { apiKey: project.apiKey, body })
    expectRefusal(await get(gamertagCharge.json.data.id), 404, 'not_found')
    const { id } = await create()
    expectRefusal(await world.raw('GET', `/v0/gamertag/charges/${id}`, { apiKey: project.apiKey }), 404, 'not_found')
  })
})

itKeepsEveryPromise(operations.getCharge)
