import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/money/amount.ts'
import { ServiceWorld, type TestProject } from '../harness.ts'
import { VoucherCalls } from '../voucher-calls.ts'

let world: ServiceWorld
let project: TestProject
let calls: VoucherCalls

beforeEach(async () => {
  world = await ServiceWorld.open()
  project = await world.project(sats(10_000))
  calls = new VoucherCalls(world, project)
})

afterEach(() => world.close())

describe('guessers of codes', () => {
  it('a user is locked out after ten wrong codes, even for the right one, and for ten minutes', async () => {
    const id = await world.user('alice')
    const { data } = (await calls.create()).json
    for (let i = 0; i < 10; i += 1) {
      await expect(calls.redeemAsUser(id, 'AAAAAAAA')).rejects.toMatchObject({ code: 'voucher_not_found' })
    }
    await expect(calls.redeemAsUser(id, data.code)).rejects.toMatchObject({
      code: 'too_many_wrong_codes',
      message: expect.stringMatching(/in 10 min/),
      headers: { 'retry-after': '600' },
    })
    const bob = await world.user('bob')
    await expect(calls.redeemAsUser(bob, 'AAAAAAAA')).rejects.toMatchObject({ code: 'voucher_not_found' })
    await world.clock.advance(599_999)
    await expect(calls.redeemAsUser(id, data.code)).rejects.toMatchObject({ code: 'too_many_wrong_codes' })
    await world.clock.advance(1)
    await calls.redeemAsUser(id, data.code)
    expect(await world.balance({ kind: 'user', id })).toBe(250_000n)
  })

  it('right codes do not count', async () => {
    const id = await world.user('alice')
    for (let i = 0; i < 15; i += 1)
      await calls.redeemAsUser(id, (await calls.create({ amount: '1000' })).json.data.code)
    expect(await world.balance({ kind: 'user', id })).toBe(15_000n)
  })
})
