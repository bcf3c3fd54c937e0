import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { operations } from '../../../src/payments-api/payments-api.ts'
import { expectRefusal, ServiceWorld, type TestProject } from '../harness.ts'
import { itKeepsEveryPromise } from '../promises.ts'

let world: ServiceWorld
let project: TestProject
let alice: string

beforeEach(async () => {
  world = await ServiceWorld.open({ settings: { gamertagReservedDays: 0 } })
  project = await world.project(sats(1_000))
  alice = await world.user('Alice')
})
const PATH = '/v0/gamertag/send-payment'
const pay = (body: object, headers: Record<string, string> = {}) =>
  world.raw('POST', PATH, {
    apiKey: project.apiKey,
    body: { amount: '1000', gamertag: 'alice', description: '', ...body },
    headers,
  })

describe('Pay to Gamertag', () => {
  it('200: moves the amount immediately without a fee and shows the payment', async () => {
    const answer = await pay({ amount: '250000', description: 'thanks!' })
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.json)).toEqual(['success', 'message', 'data'])
    expect(answer.json.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'settled',
      transactionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      receiverId: alice,
      amount: '250000',
      comment: 'thanks!',
      settledAt: new Date(world.clock.now()).toISOString(),
    })
    expect(await world.balance({ kind: 'user', id: alice })).toBe(250_000n)
    expect(await world.balance({ kind: 'project', id: project.projectId })).toBe(750_000n)
  })

  it('200: pays a single msat and the wallet’s last msat', async () => {
    expect((await pay({ amount: '1' })).status).toBe(200)
    expect((await pay({ amount: '999999' })).status).toBe(200)
    expect(await world.balance({ kind: 'project', id: project.projectId })).toBe(0n)
  })

  it('200: pays the current owner of the gamertag', async () => {
    await world.administration.renameUser(alice, 'Alicia')
    const mallory = await world.user('alice')
    await pay({})
    expect(await world.balance({ kind: 'user', id: mallory })).toBe(1_000n)
    expect(await world.balance({ kind: 'user', id: alice })).toBe(0n)
  })

  it('409 receiver_mismatch: moves no sats if the receiver no longer has the gamertag', async () => {
    await world.administration.renameUser(alice, 'Alicia')
    const mallory = await world.user('alice')
    expectRefusal(await pay({ receiverId: alice }), 409, 'receiver_mismatch')
    expect(await world.balance({ kind: 'user', id: mallory })).toBe(0n)
    expect((await pay({ receiverId: alice, gamertag: 'alicia' })).status).toBe(200)
  })

  it('404 gamertag_not_found: refuses an unknown gamertag', async () => {
    expectRefusal(await pay({ gamertag: 'nobody' }), 404, 'gamertag_not_found')
  })

  it('400 insufficient_funds: states the shortfall and moves nothing', async () => {
    const answer = await pay({ amount: '1500000' })
    expectRefusal(answer, 400, 'insufficient_funds')
    expect(answer.json.message).toContain('500')
    expect(await world.balance({ kind: 'user', id: alice })).toBe(0n)
  })

  it('400: refuses invalid amounts', async () => {
    for (const amount of ['0', '-1', '1.5', '1e3', '01', '', ' 1', 1000, null, [], {}]) {
      expectRefusal(await pay({ amount }), 400, 'invalid_amount')
    }
    expectRefusal(await pay({ amount: '10000000001' }), 400, 'amount_too_high')
    expectRefusal(await pay({ amount: '9'.repeat(19) }), 400, 'amount_too_high')
  })

  it('422 missing_field, 400 unknown_field: refuses a missing or an unknown field', async () => {
    const answer = await pay({ description: undefined })
    expectRefusal(answer, 422, 'missing_field')
    expect(answer.json.message).toContain('description')
    expectRefusal(await pay({ extra: 1 }), 400, 'unknown_field')
  })

  it('401, 403: requires a key that may send', async () => {
    expectRefusal(await world.raw('POST', PATH, { body: {} }), 401, 'missing_api_key')
    expectRefusal(await world.raw('POST', PATH, { apiKey: 'nonsense', body: {} }), 401, 'unknown_api_key')
    const { apiKey } = await world.administration.createKey(project.projectId, { scopes: ['read', 'receive'] })
    expectRefusal(await world.raw('POST', PATH, { apiKey, body: {} }), 403, 'missing_scope')
  })

  it('a wallet is never overdrawn by simultaneous payments', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => pay({ amount: '30000' })))
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(33)
    expect(await world.balance({ kind: 'user', id: alice })).toBe(990_000n)
  })
})

itKeepsEveryPromise(operations.payToGamertag)
