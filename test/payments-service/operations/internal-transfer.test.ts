import { beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { operations } from '../../../src/payments-api/payments-api.ts'
import { expectRefusal, ServiceWorld, type TestProject } from '../harness.ts'
import { itKeepsEveryPromise } from '../promises.ts'

let world: ServiceWorld
let shop: TestProject
let game: TestProject
let foreign: TestProject

beforeEach(async () => {
  world = await ServiceWorld.open()
  shop = await world.project(sats(100))
  game = await world.project(sats(0))
  foreign = await world.project(sats(0))
  await world.restart({ transferGroups: [[shop.projectId, game.projectId, 'never-made']] })
})
const transfer = (body: object = {}, headers: Record<string, string> = {}, { apiKey } = shop) =>
  world.raw('POST', '/v0/internal-transfer', {
    apiKey,
    body: { amount: '1000', receiverWalletId: game.projectId, ...body },
    headers,
  })
const has = ({ projectId }: TestProject) => world.balance({ kind: 'project', id: projectId })

describe('Internal Transfer', () => {
  it('200: moves the amount immediately without a fee and shows every field', async () => {
    const answer = await transfer({ amount: '1' })
    expect(Object.keys(answer.json)).toEqual(['success', 'message', 'data'])
    const { data } = answer.json
    const at = new Date(world.clock.now()).toISOString()
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      senderWalletId: shop.projectId,
      receiverWalletId: game.projectId,
      userId: shop.projectId,
      sendTxId: data.id,
      receiveTxId: data.id,
      status: 'TRANSFER_STATUS_COMPLETED',
      amount: '1',
      createdAt: at,
      updatedAt: at,
    })
    expect([await has(shop), await has(game)]).toEqual([99_999n, 1n])
  })

  it('a transfer is listed by both projects under its own type', async () => {
    const { data } = (await transfer()).json
    const newest = async ({ apiKey }: TestProject) =>
      (await world.raw('GET', '/v0/transactions?type=transfer', { apiKey })).json.data.transactions
    const about = { type: 'transfer', resourceId: data.id, amount: '1000', fee: '0' }
    expect(await newest(shop)).toEqual([expect.objectContaining({ ...about, direction: 'out', balance: '99000' })])
    expect(await newest(game)).toEqual([expect.objectContaining({ ...about, direction: 'in', balance: '1000' })])
  })

  it('a transfer can be returned by a second transfer', async () => {
    await transfer()
    expect((await transfer({ receiverWalletId: shop.projectId }, {}, game)).status).toBe(200)
    expect([await has(shop), await has(game)]).toEqual([100_000n, 0n])
  })

  it('100 simultaneous transfers move no more than the balance', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => transfer({ amount: '3000' })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(33)
    const refused = answers.filter(({ status }) => status !== 200)
    for (const answer of refused) expectRefusal(answer, 400, 'insufficient_funds')
    expect([await has(shop), await has(game)]).toEqual([1_000n, 99_000n])
  })

  it('100 transfers with one Idempotency-Key move sats once, even across a restart', async () => {
    const headers = { 'idempotency-key': 'rent' }
    const answers = await Promise.all(Array.from({ length: 100 }, () => transfer({}, headers)))
    const ids = answers.flatMap(({ status, json }) => (status === 200 ? [json.data.id] : []))
    expect(new Set(ids).size).toBe(1)
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
    await world.restart({ transferGroups: [[shop.projectId, game.projectId]] })
    const again = await transfer({}, headers)
    expect([again.json.data.id, again.headers.get('idempotency-replayed')]).toEqual([ids[0], 'true'])
    expectRefusal(await transfer({ amount: '2000' }, headers), 409, 'idempotency_key_reused')
    expect([await has(shop), await has(game)]).toEqual([99_000n, 1_000n])
  })

  it('403 transfer_not_allowed: refuses projects that share no transfer group', async () => {
    expectRefusal(await transfer({ receiverWalletId: foreign.projectId }), 403, 'transfer_not_allowed')
    expectRefusal(await transfer({}, {}, foreign), 403, 'transfer_not_allowed')
    expectRefusal(await transfer({ receiverWalletId: 'no-such-project' }), 403, 'transfer_not_allowed')
    const groups = [
      [shop.projectId, 'x'],
      [game.projectId, foreign.projectId],
    ]
    await world.restart({ transferGroups: groups })
    expectRefusal(await transfer(), 403, 'transfer_not_allowed')
    await world.restart({ transferGroups: [] })
    expectRefusal(await transfer(), 403, 'transfer_not_allowed')
    expect(await has(shop)).toBe(100_000n)
  })

  it('404 not_found: refuses a project that is in the group but does not exist', async () => {
    expectRefusal(await transfer({ receiverWalletId: 'never-made' }), 404, 'not_found')
  })

  it('400: refuses the project’s own wallet and amounts that are invalid or too large', async () => {
    expectRefusal(await transfer({ receiverWalletId: shop.projectId }), 400, 'self_payment')
    for (const amount of ['0', '-1', '1.5', '', 1000]) expectRefusal(await transfer({ amount }), 400, 'invalid_amount')
    expectRefusal(await transfer({ amount: '10000000001' }), 400, 'amount_too_high')
    expectRefusal(await transfer({ amount: '100001' }), 400, 'insufficient_funds')
    expect([await has(shop), await has(game)]).toEqual([100_000n, 0n])
  })

  it('403: requires a key that may send', async () => {
    const { apiKey } = await world.administration.createKey(shop.projectId, { scopes: ['receive'] })
    expectRefusal(await transfer({}, {}, { ...shop, apiKey }), 403, 'missing_scope')
  })
})

itKeepsEveryPromise(operations.internalTransfer)
