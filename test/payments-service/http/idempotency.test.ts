import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { systemEntropy } from '../../../src/lib/entropy.ts'
import { sats } from '../../../src/lib/money/amount.ts'
import { createPaymentsClient, probeReplay, remembersKey } from '../../../src/payments-api/payments-api.ts'
import { expectRefusal, ServiceWorld, type TestProject } from '../harness.ts'

let world: ServiceWorld
let project: TestProject
let alice: string

beforeEach(async () => {
  world = await ServiceWorld.open()
  project = await world.project(sats(1_000))
  alice = await world.user('alice')
})
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const pay = (key: string, body: object = {}, apiKey = project.apiKey) =>
  world.raw('POST', '/v0/gamertag/send-payment', {
    apiKey,
    body: { amount: '100000', gamertag: 'alice', description: '', ...body },
    headers: { 'idempotency-key': key },
  })
const aliceHas = () => world.balance({ kind: 'user', id: alice })

it('for a repeated key, the first answer is replayed exactly, and money moves once', async () => {
  const first = await pay('tip-1')
  expect(first.status).toBe(200)
  expect(first.headers.get('idempotency-replayed')).toBeNull()
  const second = await pay('tip-1')
  expect(second.text).toBe(first.text)
  expect(second.headers.get('idempotency-replayed')).toBe('true')
  expect(await aliceHas()).toBe(100_000n)
})

it('the service replays a refusal even if its reason no longer applies', async () => {
  const first = await pay('tip-1', { gamertag: 'bobby' })
  expectRefusal(first, 404, 'gamertag_not_found')
  await world.user('bobby')
  const second = await pay('tip-1', { gamertag: 'bobby' })
  expect(second).toMatchObject({ status: 404, text: first.text })
  expect(second.headers.get('idempotency-replayed')).toBe('true')
  expectRefusal(await pay('tip-2', { amount: '5000000' }), 400, 'insufficient_funds')
  await world.administration.fundProject(project.projectId, sats(5_000))
  expectRefusal(await pay('tip-2', { amount: '5000000' }), 400, 'insufficient_funds')
  expectRefusal(await pay('tip-3', { amount: 'much' }), 400, 'invalid_amount')
  expectRefusal(await pay('tip-3', { amount: 'much' }), 400, 'invalid_amount')
})

it('the service never stores an authentication failure', async () => {
  expectRefusal(await pay('tip-1', {}, 'nonsense'), 401, 'unknown_api_key')
  expect((await pay('tip-1')).status).toBe(200)
})

it('409 idempotency_key_reused: a key is refused for another body or operation', async () => {
  await pay('tip-1')
  expectRefusal(await pay('tip-1', { amount: '100001' }), 409, 'idempotency_key_reused')
  const other = await world.raw('POST', '/v0/gamertag/charges', {
    apiKey: project.apiKey,
    body: { amount: '100000', gamertag: 'alice', description: '' },
    headers: { 'idempotency-key': 'tip-1' },
  })
  expectRefusal(other, 409, 'idempotency_key_reused')
  expect(other.headers.get('x-should-retry')).toBe('false')
})

it('two projects can use the same Idempotency-Key for different requests', async () => {
  const first = await pay('tip-1')
  const other = await pay('tip-1', {}, (await world.project()).apiKey)
  expect(other.status).toBe(200)
  expect(other.text).not.toBe(first.text)
  expect(await aliceHas()).toBe(200_000n)
})

const keys = () => world.service.parts.database.read.idempotencyKey.findMany({ orderBy: { key: 'asc' } })

it('after 30 days, a key is deleted, or loses only its answer if it moved money', async () => {
  await pay('moved')
  await pay('refused', { gamertag: 'bobby' })
  // The hours around that moment pass one after the other.
  await world.leap(30 * DAY_MS - 3 * HOUR_MS)
  await world.clock.advance(2 * HOUR_MS + HOUR_MS / 2)
  expect((await keys()).map(({ key, body }) => [key, body === null])).toEqual([
    ['moved', false],
    ['refused', false],
  ])
  await world.clock.advance(HOUR_MS)
  await world.until(async () => (await keys()).length < 2)
  expect(await keys()).toMatchObject([{ key: 'moved', movedMoney: true, status: null, body: null }])
  expectRefusal(await pay('moved'), 409, 'idempotency_key_expired')
  expect(await aliceHas()).toBe(100_000n)
})

it('the database refuses to delete or change a key that moved money', async () => {
  await pay('moved')
  await pay('refused', { gamertag: 'bobby' })
  const write = (change: Parameters<typeof world.service.parts.ledger.commit>[0]['write']) =>
    world.service.parts.ledger.commit({ write: change })
  const attempts = [
    () => write((tx) => tx.idempotencyKey.deleteMany({ where: { key: 'moved' } })),
    () => write((tx) => tx.idempotencyKey.updateMany({ where: { key: 'moved' }, data: { movedMoney: false } })),
    () => write((tx) => tx.idempotencyKey.updateMany({ where: { key: 'moved' }, data: { key: 'other' } })),
    () => write((tx) => tx.idempotencyKey.updateMany({ where: { key: 'moved' }, data: { paymentId: 'other' } })),
  ]
  for (const attempt of attempts) await expect(attempt()).rejects.toThrow()
  await write((tx) => tx.idempotencyKey.deleteMany({ where: { key: 'refused' } }))
  expect(await keys()).toMatchObject([{ key: 'moved', movedMoney: true, paymentId: null }])
})

it('a refusal that advises against a retry does so again when it is replayed', async () => {
  const { invoice } = world.sandbox.outside.createInvoice({ amount: sats(5), description: { text: '' } })
  const send = (key: string) =>
    world.raw('POST', '/v0/payments', {
      apiKey: project.apiKey,
      body: { invoice },
      headers: { 'idempotency-key': key },
    })
  expect((await world.clock.advanceUntil(send('first'))).status).toBe(200)
  for (const replayed of [null, 'true']) {
    const answer = await send('second')
    expectRefusal(answer, 409, 'already_paid')
    expect(answer.headers.get('x-should-retry')).toBe('false')
    expect(answer.headers.get('idempotency-replayed')).toBe(replayed)
  }
})

it('the service replays answers for a read-only key from memory and writes nothing', async () => {
  const { apiKey } = await world.administration.createKey(project.projectId, { scopes: ['read'] })
  const invoice = world.sandbox.outside.createInvoice({ amount: sats(5) }).invoice
  const decode = (key: string, text: string) =>
    world.raw('POST', '/v0/decode-invoice', { apiKey, body: { invoice: text }, headers: { 'idempotency-key': key } })
  const first = await decode('read-1', invoice)
  expect(first.status).toBe(200)
  const second = await decode('read-1', invoice)
  expect(second.text).toBe(first.text)
  expect(second.headers.get('idempotency-replayed')).toBe('true')
  expectRefusal(await decode('read-1', `${invoice}x`), 409, 'idempotency_key_reused')
  expect((await decode('read-2', 'no invoice')).status).toBe(400)
  expect(await world.service.parts.database.read.idempotencyKey.count()).toBe(0)
})

it('after a restart, the service still replays a read that a sending key requested', async () => {
  const key = await probeReplay(project.client, systemEntropy)
  expect(key).toBeDefined()
  await world.restart()
  const again = createPaymentsClient({ baseUrl: world.url, apiKey: project.apiKey, clock: world.clock })
  onTestFinished(() => again.close())
  expect(await remembersKey(again, key as string)).toBe(true)
  // Of a key that it does not know it says no, though the request comes twice.
  expect(await remembersKey(again, 'unknown')).toBe(false)
  expect(await remembersKey(again, 'unknown')).toBe(false)
})
