import { beforeEach, describe, expect, it } from 'vitest'
import { msats, sats } from '../../../src/lib/money/amount.ts'
import { operations } from '../../../src/payments-api/payments-api.ts'
import { expectRefusal, ServiceWorld, type TestProject } from '../harness.ts'
import { itKeepsEveryPromise } from '../promises.ts'
import { VoucherCalls } from '../voucher-calls.ts'

let world: ServiceWorld
let project: TestProject
let calls: VoucherCalls

beforeEach(async () => {
  world = await ServiceWorld.open()
  project = await world.project(sats(10_000))
  calls = new VoucherCalls(world, project)
})

describe('Retrieve Voucher', () => {
  it('shows whether the voucher is valid or revoked', async () => {
    const { data: created } = (await calls.create()).json
    const { fee: _fee, ...shared } = created
    const ends = { redeemedAt: null, redeemedById: null, redeemedTransactionId: null }
    const revoked = { revokedAt: null, revokedById: null, revokedTransactionId: null }
    expect((await calls.retrieve(created.id)).json.data).toEqual({ ...shared, ...ends, ...revoked, updatedAt: null })
    await calls.revoke(created.code)
    expect((await calls.retrieve(created.id)).json.data).toMatchObject({
      revokedAt: '2030-01-01T00:00:00.000Z',
      revokedById: project.projectId,
      revokedTransactionId: expect.any(String),
      redeemedAt: null,
      updatedAt: '2030-01-01T00:00:00.000Z',
    })
  })

  it('does not show unknown vouchers or other projects’ vouchers', async () => {
    const { data } = (await calls.create()).json
    expectRefusal(await calls.retrieve(data.id, await world.project(msats(0))), 404, 'voucher_not_found')
    expectRefusal(await calls.retrieve('nothing'), 404, 'voucher_not_found')
  })
})

itKeepsEveryPromise(operations.retrieveVoucher)
