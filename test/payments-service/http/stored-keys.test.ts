import { beforeEach, describe, expect, it } from 'vitest'
import { createIdempotency, type Idempotency, KeyTaken } from '../../../src/payments-service/engine/http/idempotency.ts'
import { ServiceWorld } from '../harness.ts'

let world: ServiceWorld
let keys: Idempotency

beforeEach(async () => {
  world = await ServiceWorld.open()
  keys = createIdempotency(world.service.parts)
})
const DAY_MS = 24 * 3_600_000
const REQUEST = { projectId: 'shop', key: 'one', operation: 'pay', body: { amount: '1000' } }
const ANSWER = { status: 200, body: '{"data":1}' }
const commit = (...rows: Parameters<ServiceWorld['service']['parts']['ledger']['commit']>[0]['rows'] & object) =>
  world.service.parts.ledger.commit({ rows })

/** Carries out a request, and stores its answer or the payment that it began. */
async function done(as: 'answered' | 'moved' | 'bound', request = REQUEST): Promise<void> {
  const keyed = await keys.begin(request)
  const row = as === 'bound' ? keyed.boundRow('a payment') : keyed.row(ANSWER, { movedMoney: as === 'moved' })
  await keyed.claiming(() => commit(row))
  keyed.end()
}

const claimOf = async (request = REQUEST) => {
  const keyed = await keys.begin(request)
  keyed.end()
  return keyed.claim
}

describe('an idempotency key', () => {
  it('belongs to one request at a time and is free when that request ends', async () => {
    const first = await keys.begin(REQUEST)
    await expect(keys.begin(REQUEST)).rejects.toMatchObject({
      code: 'still_running',
      message:
        'The first request with this Idempotency-Key has not been answered yet. Send the request again in a second.',
      headers: { 'retry-after': '1' },
    })
    expect((await keys.begin({ ...REQUEST, projectId: 'another' })).claim).toEqual({ kind: 'fresh' })
    first.end()
    expect(await claimOf()).toEqual({ kind: 'fresh' })
  })

  it('is free again immediately when its request is refused', async () => {
    await done('answered')
    for (let times = 0; times < 2; times += 1) {
      await expect(keys.begin({ ...REQUEST, body: {} })).rejects.toMatchObject({
        code: 'idempotency_key_reused',
        message: 'This Idempotency-Key was used for a different request. Use a new key for each new request.',
      })
    }
    expect(await claimOf()).toEqual({ kind: 'answered', answer: ANSWER })
  })

  it('maps to the payment that its request began', async () => {
    await done('bound')
    expect(await claimOf()).toEqual({ kind: 'bound', paymentId: 'a payment' })
  })

  it('has its answer kept in memory instead of the book if the request says so', async () => {
    expect((await keys.begin(REQUEST)).remember).toBeUndefined()
    const reading = await keys.begin({ ...REQUEST, key: 'two', inMemory: true })
    reading.remember?.(ANSWER)
    reading.end()
    expect(await claimOf({ ...REQUEST, key: 'two' })).toEqual({ kind: 'answered', answer: ANSWER })
    await expect(keys.begin({ ...REQUEST, key: 'two', body: {} })).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    })
    expect(await world.service.parts.database.read.idempotencyKey.count()).toBe(0)
  })

  it.each(['', 'two words', 'x'.repeat(256), 'é', 'tab\t'])('cannot be %j', async (key) => {
    await expect(keys.begin({ ...REQUEST, key })).rejects.toMatchObject({
      code: 'invalid_idempotency_key',
      message: 'Idempotency-Key must be 1 to 255 visible ASCII characters.',
    })
  })
})

describe('an expired idempotency key', () => {
  const expired = {
    code: 'idempotency_key_expired',
    message:
      'The request with this Idempotency-Key moved money more than 30 days ago, and its answer is no longer kept. Check what the request did before you use a new key.',
  }

  it.each(['moved', 'bound'] as const)('is refused if it is stored as “%s”', async (as) => {
    await done(as)
    await world.leap(30 * DAY_MS - 1)
    expect(await claimOf()).toMatchObject({ kind: as === 'bound' ? 'bound' : 'answered' })
    await world.leap(1)
    await expect(keys.begin(REQUEST)).rejects.toMatchObject(expired)
    await keys.forget()
    await expect(keys.begin(REQUEST)).rejects.toMatchObject(expired)
  })

  it('can be reused even before it is deleted if it moved no money', async () => {
    await done('answered')
    await world.leap(30 * DAY_MS)
    expect(await claimOf()).toEqual({ kind: 'fresh' })
    await done('answered', { ...REQUEST, body: { amount: '2000' } })
    expect(await claimOf({ ...REQUEST, body: { amount: '2000' } })).toEqual({ kind: 'answered', answer: ANSWER })
  })

  it('is refused even if it expired only because the clock was fast', async () => {
    await done('moved')
    world.clock.jump(31 * DAY_MS)
    await keys.forget()
    world.clock.jump(-31 * DAY_MS)
    await expect(keys.begin(REQUEST)).rejects.toMatchObject(expired)
  })

  it('is deleted if it moved no money, and otherwise loses only its answer', async () => {
    await done('answered', { ...REQUEST, key: 'old' })
    await done('moved', { ...REQUEST, key: 'old-and-moved' })
    await world.leap(DAY_MS)
    await done('answered', { ...REQUEST, key: 'young' })
    await done('moved', { ...REQUEST, key: 'young-and-moved' })
    await world.leap(29 * DAY_MS - 1)
    const stored = async () => {
      await keys.forget()
      const rows = await world.service.parts.database.read.idempotencyKey.findMany({ orderBy: { key: 'asc' } })
      return rows.map(({ key, status, body }) => [key, status, body])
    }
    const { status, body } = ANSWER
    const young = [
      ['young', status, body],
      ['young-and-moved', status, body],
    ]
    expect(await stored()).toEqual([['old', status, body], ['old-and-moved', status, body], ...young])
    await world.leap(1)
    expect(await stored()).toEqual([['old-and-moved', null, null], ...young])
  })
})

describe('a commit that lost its key to another service', () => {
  /** Begins a request while the key is free; its commit fails because another request has taken the key meanwhile. */
  async function overtaken(by: () => Promise<unknown>, through = keys) {
    const keyed = await through.begin(REQUEST)
    await by()
    return keyed.claiming(() => Promise.reject(new Error('a broken unique key'))).finally(() => keyed.end())
  }
  /** Carries out the other request, which has its own memory of keys. */
  const other = async (as: 'answered' | 'moved' | 'bound', request = REQUEST) => {
    const mine = keys
    keys = createIdempotency(world.service.parts)
    await done(as, request)
    keys = mine
  }

  it.each([
    ['answered', { kind: 'answered', answer: ANSWER }],
    ['bound', { kind: 'bound', paymentId: 'a payment' }],
  ] as const)('reports that the other service’s request was %s', async (as, claim) => {
    const error = await overtaken(() => other(as)).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(KeyTaken)
    expect(error).toMatchObject({ claim })
  })

  it('is refused if the other service used the key for another body', async () => {
    const told = overtaken(() => other('answered', { ...REQUEST, body: { amount: '2000' } }))
    await expect(told).rejects.toMatchObject({ code: 'idempotency_key_reused' })
  })

  it('reports its own error if the other service wrote no key', async () => {
    await expect(overtaken(async () => undefined)).rejects.toThrow('a broken unique key')
  })

  it('reports its own error if the other service’s key has expired', async () => {
    const told = overtaken(async () => {
      await other('answered')
      await world.leap(30 * DAY_MS)
    })
    await expect(told).rejects.toThrow('a broken unique key')
  })

  it('reports its own error if the database does not answer', async () => {
    const { parts } = world.service
    let isAway = false
    const readRaw = new Proxy(parts.database.readRaw, {
      get: (target, name) =>
        name === '$queryRaw' && isAway ? () => Promise.reject(new Error('away')) : Reflect.get(target, name),
    })
    const through = createIdempotency({ ...parts, database: { ...parts.database, readRaw } })
    const told = overtaken(async () => {
      isAway = true
    }, through)
    await expect(told).rejects.toThrow('a broken unique key')
  })
})
