import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { STATIC_CHARGE_PATH } from '../../../src/payments-service/receiving/static-charge.ts'
import { expectRefusal, ServiceWorld, type TestProject } from '../harness.ts'

let world: ServiceWorld
let project: TestProject

beforeEach(async () => {
  world = await ServiceWorld.open()
  project = await world.project()
})
afterEach(() => {
  vi.restoreAllMocks()
  return world.close()
})

const AWAY = Object.assign(new Error('Connection terminated unexpectedly'), { code: 'P1017' })

/** Makes the look-up of a key's owner fail, as if the database server were unreachable. */
function loseDatabase(): void {
  vi.spyOn(world.service.parts.database.read.apiKey, 'findMany').mockRejectedValue(AWAY)
}

it('while the database is unreadable, a caller who only reads is told to retry', async () => {
  loseDatabase()
  const answer = await world.raw('GET', '/v0/wallet', project)
  expectRefusal(answer, 503, 'nothing_sent')
  expect(answer.headers.get('retry-after')).toBe('1')
})

it('while the database is unreadable, a wallet that uses LNURL is told to try again', async () => {
  vi.spyOn(world.service.parts.database.read.staticCharge, 'findUnique').mockRejectedValue(AWAY)
  const answer = await world.raw('GET', `${STATIC_CHARGE_PATH}/one`)
  expect(answer).toMatchObject({ status: 200, json: { status: 'ERROR', reason: expect.stringContaining('try again') } })
})

it('while the database is unreadable, no caller is told to retry a keyed payment', async () => {
  loseDatabase()
  const body = { amount: '1000', gamertag: 'alice', description: '' }
  const answer = await world.raw('POST', '/v0/gamertag/send-payment', {
    ...project,
    body,
    headers: { 'idempotency-key': 'one' },
  })
  expectRefusal(answer, 500, 'internal')
})
