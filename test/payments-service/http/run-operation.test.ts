import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { LedgerUnavailable } from '../../../src/ledger/ledger.ts'
import { createLogger } from '../../../src/lib/logger.ts'
import { msats, sats } from '../../../src/lib/money/amount.ts'
import { operations } from '../../../src/payments-api/payments-api.ts'
import { wallet } from '../../../src/payments-service/core/chart-of-accounts.ts'
import { ServiceRefusal } from '../../../src/payments-service/core/service-refusal.ts'
import { createIdempotency, type Idempotency } from '../../../src/payments-service/engine/http/idempotency.ts'
import { type Call, implement } from '../../../src/payments-service/engine/http/operation.ts'
import { type OperationRequest, runOperation } from '../../../src/payments-service/engine/http/run-operation.ts'
import { ServiceWorld, type TestProject } from '../harness.ts'

type Paying = Call<typeof operations.payToGamertag>
type Parts = ServiceWorld['service']['parts']

let world: ServiceWorld
let project: TestProject
let bob: string
let idempotency: Idempotency
const lines: Record<string, unknown>[] = []
beforeAll(async () => {
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) }
  world = await ServiceWorld.open({ logger: createLogger({ level: 'error', name: 'service', destination }) })
  project = await world.project(sats(1_000))
  bob = await world.user('bob')
})
afterAll(() => world.close())
beforeEach(() => {
  idempotency = createIdempotency(world.service.parts)
  lines.length = 0
  runs = 0
})

/** The number of times that the handler ran. */
let runs = 0
let keys = 0
const newKey = () => `key-${++keys}`
const BODY = { amount: '1000', gamertag: 'bob', description: '' }
const DATA = { id: 'x' } as never

/** Runs an operation whose handler is the test's own. */
function run(
  handle: (call: Paying) => Promise<never>,
  request: Partial<OperationRequest> = {},
  { parts = world.service.parts, answerFromPayment }: { parts?: Parts; answerFromPayment?: () => Promise<never> } = {},
) {
  const counted = (call: Paying) => {
    runs += 1
    return handle(call)
  }
  const caller = { projectId: project.projectId, keyId: 'a key', scopes: new Set(['send']) }
  const ways = answerFromPayment === undefined ? {} : { answerFromPayment }
  return runOperation(parts, idempotency, implement(operations.payToGamertag, counted, ways), {
    ...{
      caller,
      ip: '203.0.113.7',
      params: {},
      query: {},
      headers: {},
      asCsv: false,
      body: BODY,
      idempotencyKey: undefined,
    },
    ...request,
  })
}

const answer = () => Promise.resolve({ message: 'Done.', data: DATA } as never)
const entries = (operation: string, amount = msats(1_000)) => [
  {
    operation,
    step: 'post',
    moves: [
      { from: wallet({ kind: 'project', id: project.projectId }), to: wallet({ kind: 'user', id: bob }), amount },
    ],
  },
]
const stored = (key: string) => world.service.parts.database.read.idempotencyKey.findFirst({ where: { key } })
/** Returns the service's parts with a ledger whose commits fail with this error. */
const withBrokenLedger = (error: unknown): Parts => ({
  ...world.service.parts,
  ledger: Object.create(world.service.parts.ledger, { commit: { value: () => Promise.reject(error) } }),
})
const BODY_OF_ANSWER = '{"success":true,"message":"Done.","data":{"id":"x"}}'

describe('an operation', () => {
  it('runs each time if the request has no idempotency key', async () => {
    const first = await run(answer)
    expect(first).toEqual({ status: 200, body: BODY_OF_ANSWER, headers: {} })
    await run(answer)
    expect(runs).toBe(2)
  })

  it('runs each time and stores no key if it is a GET', async () => {
    const caller = { projectId: project.projectId, keyId: 'a key', scopes: new Set(['send']) }
    const getting = {
      caller,
      ip: '203.0.113.7',
      params: {},
      query: {},
      headers: {},
      asCsv: false,
      body: undefined,
      idempotencyKey: newKey(),
    }
    const get = implement(operations.getWallet, async () => ({ message: `Look ${++runs}.`, data: DATA }))
    for (const look of ['Look 1.', 'Look 2.']) {
      const body = `{"message":"${look}","data":{"id":"x"}}`
      const looked = await runOperation(world.service.parts, idempotency, get, getting)
      expect(looked).toEqual({ status: 200, body, headers: {} })
    }
    expect(await stored(getting.idempotencyKey)).toBeNull()
  })

  it('runs once for a key and replays its answer if it only reads', async () => {
    const key = newKey()
    await run(answer, { idempotencyKey: key })
    expect(await run(answer, { idempotencyKey: key })).toEqual({
      status: 200,
      body: BODY_OF_ANSWER,
      headers: { 'idempotency-replayed': 'true' },
    })
    expect([runs, await stored(key)]).toMatchObject([1, { status: 200, movedMoney: false }])
  })

  it.each<[string, (call: Paying) => Promise<never>]>([
    [
      'known in advance',
      ({ commit }) => commit({ entries: entries(newKey()) }, { message: 'Done.', data: DATA } as never) as never,
    ],
    [
      'known only from the write',
      ({ commit }) =>
        commit(
          { entries: entries(newKey()), write: async () => 'x' },
          (id) => ({ message: 'Done.', data: { id } }) as never,
        ) as never,
    ],
  ])('stores its answer together with the change if the answer is %s', async (_which, handle) => {
    const key = newKey()
    const before = await world.balance({ kind: 'user', id: bob })
    for (let times = 0; times < 2; times += 1) {
      expect(await run(handle, { idempotencyKey: key })).toMatchObject({ status: 200, body: BODY_OF_ANSWER })
    }
    expect([runs, (await world.balance({ kind: 'user', id: bob })) - before]).toEqual([1, 1_000n])
    expect(await stored(key)).toMatchObject({ status: 200, body: BODY_OF_ANSWER, movedMoney: true, paymentId: null })
    // Without a key there is nothing to store.
    const kept = () => world.service.parts.database.read.idempotencyKey.count()
    const count = await kept()
    expect(await run(handle)).toMatchObject({ status: 200, body: BODY_OF_ANSWER })
    expect(await kept()).toBe(count)
  })

  it('stores its key as deletable if it moves no money', async () => {
    for (const commit of [
      ({ commit }: Paying) => commit({ write: async () => 'x' }, () => ({ data: DATA }) as never),
      ({ commit }: Paying) => commit({ entries: [] }, { data: DATA } as never),
    ]) {
      const key = newKey()
      await run(commit as never, { idempotencyKey: key })
      expect(await stored(key)).toMatchObject({ status: 200, movedMoney: false })
    }
  })

  it('binds its key to a payment, and repeats of the request report that payment', async () => {
    const [key, operation] = [newKey(), newKey()]
    let turn = 0
    const answerFromPayment = () => Promise.resolve({ message: `Turn ${++turn}.`, data: DATA } as never)
    const handle = async ({ bind }: Paying) => {
      expect(await bind({ entries: entries(operation), write: async () => 'written' }, 'payment-1')).toBe('written')
      throw new Error('the node says nothing')
    }
    await expect(run(handle, { idempotencyKey: key }, { answerFromPayment })).rejects.toThrow('the node says nothing')
    expect(await stored(key)).toMatchObject({ paymentId: 'payment-1', status: null, body: null, movedMoney: true })
    for (const message of ['Turn 1.', 'Turn 2.']) {
      expect(await run(handle, { idempotencyKey: key }, { answerFromPayment })).toEqual({
        status: 200,
        body: BODY_OF_ANSWER.replace('Done.', message),
        headers: { 'idempotency-replayed': 'true' },
      })
    }
    await expect(run(handle, { idempotencyKey: key })).rejects.toThrow(
      'payToGamertag binds keys to payments, but has no answer for a payment',
    )
    expect(runs).toBe(1)
    expect(await run(({ bind }) => bind({}, 'payment-2').then(answer))).toMatchObject({ status: 200 })
  })
})

describe('a refusal by an operation', () => {
  const REFUSAL = new ServiceRefusal('gamertag_not_found', 'Nobody has this gamertag.')
  const refuse = (refusal: unknown) => () => Promise.reject(refusal)

  it('is the final answer for its key', async () => {
    const key = newKey()
    await expect(run(refuse(REFUSAL), { idempotencyKey: key })).rejects.toBe(REFUSAL)
    expect(await run(answer, { idempotencyKey: key })).toEqual({
      status: 404,
      body: '{"success":false,"message":"Nobody has this gamertag.","code":"gamertag_not_found"}',
      headers: { 'idempotency-replayed': 'true' },
    })
    expect(await stored(key)).toMatchObject({ movedMoney: false })
  })

  it.each([
    ...(['unknown_api_key', 'region_not_supported', 'body_too_large', 'rate_limited'] as const),
    ...(['internal', 'nothing_sent'] as const),
  ])('is not stored if its code is %s, since another attempt may end differently', async (code) => {
    const key = newKey()
    await expect(run(refuse(new ServiceRefusal(code, 'No.')), { idempotencyKey: key })).rejects.toMatchObject({
      code,
    })
    expect(await stored(key)).toBeNull()
    expect(await run(answer, { idempotencyKey: key })).toMatchObject({ status: 200, headers: {} })
  })

  it.each([
    ['unknown_field', { params: { id: 'x' } }],
    ['invalid_amount', { body: { ...BODY, amount: 'much' } }],
  ])('comes before any work if the request has the fault %s', async (code, request) => {
    await expect(run(answer, request)).rejects.toMatchObject({ code, message: expect.stringMatching(/\w/) })
    expect(runs).toBe(0)
  })

  it('is reported without being stored if a change was committed before it', async () => {
    for (const handle of [
      ({ bind }: Paying) => bind({}, 'payment-3').then(refuse(REFUSAL)),
      ({ commit }: Paying) => commit({}, { data: DATA } as never).then(refuse(REFUSAL)),
    ]) {
      const key = newKey()
      await expect(run(handle, { idempotencyKey: key })).rejects.toBe(REFUSAL)
      expect((await stored(key))?.status).not.toBe(404)
    }
  })

  it('is not sent if it cannot be stored, since a repeat might end differently', async () => {
    const broken = withBrokenLedger(new LedgerUnavailable(new Error('the disk is full')))
    const told = run(refuse(REFUSAL), { idempotencyKey: newKey() }, { parts: broken })
    await expect(told).rejects.toMatchObject({
      code: 'nothing_sent',
      message: expect.stringContaining('nothing happened'),
    })
    const bug = new Error('a bug')
    await expect(run(refuse(REFUSAL), { idempotencyKey: newKey() }, { parts: withBrokenLedger(bug) })).rejects.toBe(bug)
  })
})

describe('an unreadable database', () => {
  class PrismaClientUnknownRequestError extends Error {}
  class PrismaClientValidationError extends Error {}
  class DriverAdapterError extends Error {}
  class DriverAdapterErrorOfAnother extends Error {}
  class NoPrismaClient extends Error {}
  const GONE = new Error('Connection terminated unexpectedly')
  const told = {
    code: 'nothing_sent',
    message: 'The database cannot be read right now; nothing happened. Try again in a moment.',
  }

  it.each([new PrismaClientUnknownRequestError('x'), new DriverAdapterError('x'), GONE])(
    'leads to the answer that nothing happened if the ledger was not used (%o)',
    async (error) => {
      const key = newKey()
      await expect(run(() => Promise.reject(error), { idempotencyKey: key })).rejects.toMatchObject(told)
      expect(lines).toMatchObject([
        {
          level: 'error',
          msg: 'the database was not read',
          operation: 'payToGamertag',
          err: { message: error.message },
        },
      ])
      expect(await stored(key)).toBeNull()
    },
  )

  it.each([
    new PrismaClientValidationError('x'),
    new DriverAdapterErrorOfAnother('x'),
    new NoPrismaClient('x'),
    new Error('a bug'),
    'no error',
  ])('is not assumed after the error %o', async (error) => {
    await expect(run(() => Promise.reject(error))).rejects.toBe(error)
    expect(lines).toEqual([])
  })

  it.each<[string, (call: Paying) => Promise<unknown>]>([
    ['a change was requested', ({ commit }) => commit({ write: () => Promise.reject(GONE) }, { data: DATA } as never)],
    ['a hold was requested', ({ bind }) => bind({ write: () => Promise.reject(GONE) }, 'payment-4')],
    ['the request was answered', ({ commit }) => commit({}, { data: DATA } as never).then(() => Promise.reject(GONE))],
    ['the request was bound to a payment', ({ bind }) => bind({}, 'payment-5').then(() => Promise.reject(GONE))],
  ])('does not lead to the answer that nothing happened after %s', async (_when, handle) => {
    const parts = withBrokenLedger(GONE)
    const isDone = _when.startsWith('the request was')
    const error = await run(handle as never, {}, isDone ? {} : { parts }).catch((thrown: unknown) => thrown)
    expect(error).toBe(GONE)
    expect(lines).toEqual([])
  })
})

describe('a read-only API key', () => {
  it('has its answers stored in memory instead of the database', async () => {
    const key = newKey()
    const caller = { projectId: project.projectId, keyId: 'a key', scopes: new Set(['read']) }
    for (let times = 0; times < 2; times += 1) await run(answer, { caller, idempotencyKey: key })
    expect([runs, await stored(key)]).toEqual([1, null])
  })

  it.each(['send', 'receive'])(
    'differs from a key that may %s, whose answers are stored in the database',
    async (scope) => {
      const key = newKey()
      const caller = { projectId: project.projectId, keyId: 'a key', scopes: new Set([scope]) }
      await run(answer, { caller, idempotencyKey: key })
      expect(await stored(key)).not.toBeNull()
    },
  )
})
