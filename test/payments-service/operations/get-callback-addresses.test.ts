import { beforeEach, describe, expect, it } from 'vitest'
import { operations } from '../../../src/payments-api/payments-api.ts'
import { ServiceWorld, type TestProject } from '../harness.ts'
import { itKeepsEveryPromise } from '../promises.ts'

let world: ServiceWorld
let project: TestProject

beforeEach(async () => {
  world = await ServiceWorld.open()
  project = await world.project()
})
const get = () => world.raw('GET', '/v0/prod-ips', { apiKey: project.apiKey })

describe('Get Callback Addresses', () => {
  it('200: returns an empty list and mentions signatures if no addresses are set', async () => {
    const { json } = await get()
    expect(Object.keys(json)).toEqual(['success', 'message', 'data'])
    expect([json.data, json.message]).toEqual([{ ips: [] }, expect.stringContaining('webhook-signature')])
  })

  it('200: returns the addresses that the operator has set', async () => {
    const callbackSourceIps = ['203.0.113.7', '2001:db8::/48']
    await world.restart({ callbackSourceIps })
    expect((await get()).json.data).toEqual({ ips: callbackSourceIps })
  })
})

itKeepsEveryPromise(operations.getCallbackAddresses)
