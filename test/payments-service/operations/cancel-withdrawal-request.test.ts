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
  project = await world.project(sats(1_000))
  calls = new WithdrawalCalls(world, project)
})
const cancel = (id: string, { apiKey } = project) =>
  world.raw('POST', `/v0/withdrawal-requests/${id}/cancel`, { apiKey, body: {} })

async function create(): Promise<{ id: string; code: string }> {
  const { data } = (await calls.create({ amount: '100000', maxFee: '10000', expiresIn: 600 })).json
  return { id: data.id, code: data.invoice.request }
}

describe('Cancel Withdrawal Request', () => {
  it('200: expires the request, returns the reserved sats once and refuses claims', async () => {
    const { id, code } = await create()
    expect(await calls.balance()).toBe(890_000n)
    const answers = await Promise.all([cancel(id), cancel(id), cancel(id)])
    expect(answers.map(({ json }) => json.data.status)).toEqual(['expired', 'expired', 'expired'])
    expect(await calls.balance()).toBe(1_000_000n)
    expect((await calls.retrieve(id)).json.data.status).toBe('expired')
    await expect(world.sandbox.outside.claim(code)).rejects.toThrow()
    expect(await calls.balance()).toBe(1_000_000n)
  })

  it('200: does not change a request that a wallet has claimed', async () => {
    const { id, code } = await create()
    await world.sandbox.outside.claim(code)
    expect((await cancel(id)).json.data.status).toMatch(/processing|completed/)
    await world.until(async () => (await calls.retrieve(id)).json.data.status === 'completed')
    expect((await cancel(id)).json.data.status).toBe('completed')
  })

  it('404 not_found: refuses an unknown id and another project’s request', async () => {
    const { id } = await create()
    expectRefusal(await cancel(id, await world.project(sats(0))), 404, 'not_found')
    expectRefusal(await cancel('nothing'), 404, 'not_found')
    expect((await calls.retrieve(id)).json.data.status).toBe('pending')
  })
})

itKeepsEveryPromise(operations.cancelWithdrawalRequest)
