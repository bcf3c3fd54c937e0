import { beforeEach, describe, expect, it } from 'vitest'
import { decodeLnurl } from '../../../src/lib/lightning/lnurl.ts'
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
describe('Create Static Charge', () => {
  it('200: shows every field and a code that leads to the service’s LNURL route', async () => {
    const answer = await calls.create({ internalId: 'table 4', successMessage: 'enjoy' })
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.json)).toEqual(['message', 'data'])
    const { id, invoice } = answer.json.data
    expect(answer.json.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      unit: 'msats',
      slots: 0,
      minAmount: '5000',
      maxAmount: '5000',
      createdAt: new Date(world.clock.now()).toISOString(),
      expiresAt: null,
      internalId: 'table 4',
      description: 'a coffee',
      callbackUrl: '',
      allowedSlots: 2_147_483_647,
      successMessage: 'enjoy',
      status: 'active',
      invoice: { request: expect.stringMatching(/^lnurl1/), uri: `lightning:${invoice.request}` },
    })
    expect(String(decodeLnurl(invoice.request, { allowLoopbackHttp: true }))).toBe(
      `${world.url}/v0/request-static-charges/${id}`,
    )
  })

  it('400: refuses a maximum below the minimum, overlong messages and invalid slots', async () => {
    expectRefusal(await calls.create({ maxAmount: '4999' }), 400, 'invalid_amount')
    expectRefusal(await calls.create({ successMessage: 'x'.repeat(145) }), 400, 'invalid_field')
    expect((await calls.create({ successMessage: 'x'.repeat(144) })).status).toBe(200)
    for (const allowedSlots of [0, -1, 1.5, '1', 2_147_483_648]) {
      expectRefusal(await calls.create({ allowedSlots }), 400, 'invalid_field')
    }
  })

  it('400: refuses amounts below a sat or above the maximum', async () => {
    expectRefusal(await calls.create({ minAmount: '999' }), 400, 'amount_too_low')
    expectRefusal(await calls.create({ maxAmount: '10000000001' }), 400, 'amount_too_high')
  })

  it('409 identifier_taken: refuses a name that is in use, even in another letter case', async () => {
    await world.user('Alice')
    expectRefusal(await calls.create({ identifier: 'alice' }), 409, 'identifier_taken')
    expect((await calls.create({ identifier: 'coffee' })).status).toBe(200)
    expectRefusal(await calls.create({ identifier: 'coffee' }), 409, 'identifier_taken')
    await expect(world.administration.createUser('COFFEE')).rejects.toThrow('taken')
    expectRefusal(await calls.create({ identifier: 'Coffee' }), 400, 'invalid_field')
  })

  it('409 identifier_taken: refuses all but one of 40 simultaneous requests', async () => {
    const other = new StaticChargeCalls(world, await world.project())
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => (n % 2 ? calls : other).create({ identifier: 'coffee' })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ json }) => json.code === 'identifier_taken')).toHaveLength(39)
  })

  it('409 identifier_taken: refuses an identifier that looks official', async () => {
    for (const identifier of ['admin', 'support-1', 'p0stmaster', 'satchel.donations', 'my_satche1']) {
      expectRefusal(await calls.create({ identifier }), 409, 'identifier_taken')
    }
  })

  it('409 too_many_identifiers: refuses an identifier beyond the project’s limit', async () => {
    await world.restart({ identifiersPerProject: 2 })
    const own = new StaticChargeCalls(world, await world.project())
    for (const identifier of ['first', 'second']) {
      expect((await own.create({ identifier })).status).toBe(200)
    }
    expectRefusal(await own.create({ identifier: 'third' }), 409, 'too_many_identifiers')
    // One without an identifier is none of them, and another project has its own.
    expect((await own.create({})).status).toBe(200)
    const other = new StaticChargeCalls(world, await world.project())
    expect((await other.create({ identifier: 'third' })).status).toBe(200)
    await world.administration.releaseName('first')
    expect((await own.create({ identifier: 'fourth' })).status).toBe(200)
  })
})

itKeepsEveryPromise(operations.createStaticCharge)
