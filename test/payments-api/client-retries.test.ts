import { describe, expect, it } from 'vitest'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { PaymentsError, probeReplay } from '../../src/payments-api/payments-api.ts'
import { clock, connect, eachTestHasAProvider, failure, provider, settled, tip, wallet } from './client-world.ts'
import { json, plain, refusal, reset } from './loopback-provider.ts'

eachTestHasAProvider()

describe('the client’s retries', () => {
  const keyed = { idempotencyKey: 'tip-1' }
  const replay = { 'idempotency-replayed': 'true' }

  it('repeat a failed read twice, after pauses', async () => {
    provider.answer(reset, plain(502, ''), wallet)
    const before = clock.monotonic()
    const { data } = await clock.advanceUntil(connect().getWallet(), 5_000)
    expect(data.balance).toBe(1_234_567n)
    expect(provider.seen).toHaveLength(3)
    expect(clock.monotonic() - before).toBe(1_250)
    provider.answer(reset)
    expect((await failure(connect().getWallet())).kind).toBe('unknown')
    expect(provider.seen).toHaveLength(6)
  })

  it('do not follow a refusal, advice not to retry or a long Retry-After', async () => {
    const client = connect()
    for (const no of [
      refusal(404, 'not_found'),
      refusal(500, 'internal', 'Bug.', { 'x-should-retry': 'false' }),
      refusal(429, 'rate_limited', 'Slowly.', { 'retry-after': '60' }),
    ]) {
      provider.seen.length = 0
      provider.answer(no)
      await failure(client.getStaticCharge({ id: 'x' }))
      expect(provider.seen).toHaveLength(1)
    }
  })

  it('wait for as long as the provider asks', async () => {
    provider.answer(refusal(429, 'rate_limited', 'Slowly.', { 'retry-after': '3' }), wallet)
    const before = clock.monotonic()
    await clock.advanceUntil(connect().getWallet(), 5_000)
    expect(clock.monotonic() - before).toBe(3_000)
  })

  it('repeat a POST only if it has an Idempotency-Key and the provider replays answers', async () => {
    provider.answer(reset)
    await failure(connect().payToGamertag(tip, keyed))
    await failure(connect({ replaysKeys: () => false }).payToGamertag(tip, keyed))
    await failure(connect({ replaysKeys: () => true }).payToGamertag(tip))
    expect(provider.seen).toHaveLength(3)
    await failure(connect({ replaysKeys: () => true }).payToGamertag(tip, keyed))
    expect(provider.seen).toHaveLength(6)
    expect(provider.seen.slice(3).map((request) => [request.headers['idempotency-key'], request.body])).toEqual(
      Array.from({ length: 3 }, () => ['tip-1', provider.seen[0]?.body]),
    )
  })

  it('do not repeat a POST sent before the provider was known to replay answers', async () => {
    let known = false
    provider.answer((request, response, socket) => {
      known = true
      reset(request, response, socket)
    })
    await failure(connect({ replaysKeys: () => known }).payToGamertag(tip, keyed))
    expect(known).toBe(true)
    expect(provider.seen).toHaveLength(1)
  })

  it('end with the replayed answer to the first attempt', async () => {
    provider.answer(
      reset,
      refusal(409, 'still_running', 'Wait.', { 'retry-after': '1' }),
      (request, response, socket) =>
        json(200, { success: true, message: 'Paid.', data: settled }, replay)(request, response, socket),
    )
    const call = connect({ replaysKeys: () => true }).payToGamertag(tip, keyed)
    expect(await clock.advanceUntil(call, 5_000)).toMatchObject({ replayed: true, data: { transactionId: 't1' } })
  })

  it('leave the outcome unknown if a retry is refused, unless the refusal is replayed', async () => {
    const client = connect({ replaysKeys: () => true })
    provider.answer(reset, refusal(400, 'insufficient_funds'))
    expect(await failure(client.payToGamertag(tip, keyed))).toMatchObject({ kind: 'unknown', happened: 'maybe' })
    provider.answer(reset, refusal(400, 'insufficient_funds', 'Not enough.', replay))
    expect(await failure(client.payToGamertag(tip, keyed))).toMatchObject({ kind: 'refused', replayed: true })
  })

  it('return the last answer to a read', async () => {
    provider.answer(reset, refusal(404, 'not_found'))
    expect(await failure(connect().getStaticCharge({ id: 'x' }))).toMatchObject({ kind: 'refused', status: 404 })
  })

  it('allow only a valid Idempotency-Key, and none at all for a read', async () => {
    await expect(connect().payToGamertag(tip, { idempotencyKey: 'ü' })).rejects.toThrow(TypeError)
    await expect(connect().getWallet({}, keyed)).rejects.toThrow(TypeError)
  })
})

describe('the function probeReplay', () => {
  const decoded = { success: true, data: { amount: '0' } }
  const probe = () => clock.advanceUntil(probeReplay(connect(), systemEntropy), 5_000)

  it('sends the same request twice to find out whether the provider replays answers', async () => {
    provider.answer(json(200, decoded), json(200, decoded, { 'idempotency-replayed': 'true' }))
    expect(await probe()).toMatch(/^probe-/)
    const [first, second] = provider.seen
    expect(first?.headers['idempotency-key']).toMatch(/^probe-/)
    expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key'])
    expect(second?.body).toBe(first?.body)
  })

  it('detects from a replayed refusal that a provider replays answers', async () => {
    provider.answer(
      refusal(400, 'invalid_invoice'),
      refusal(400, 'invalid_invoice', 'No.', { 'idempotency-replayed': 'true' }),
    )
    expect(await probe()).toMatch(/^probe-/)
  })

  it('reports that a provider replays no answers, and throws if it cannot tell', async () => {
    provider.answer(json(200, decoded))
    expect(await probe()).toBeUndefined()
    const passing = [refusal(401, 'unknown_api_key'), refusal(503, 'nothing_sent')]
    for (const behaviour of [reset, ...passing, plain(200, 'hello')]) {
      provider.answer(behaviour)
      await expect(probe()).rejects.toThrow(PaymentsError)
    }
  })
})
