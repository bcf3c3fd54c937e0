import { describe, expect, it } from 'vitest'
import { msats, sats } from '../../src/lib/money/amount.ts'
import type { WireEvent } from '../../src/payments-api/payments-api.ts'
import { providerAddress } from '../../src/payments-api/payments-api.ts'
import {
  API_KEY,
  clock,
  connect,
  eachTestHasAProvider,
  failure,
  paid,
  provider,
  settled,
  tip,
  wallet,
} from './client-world.ts'
import {
  type Behaviour,
  halfAnAnswer,
  hang,
  json,
  plain,
  refusal,
  reset,
  startLoopbackProvider,
} from './loopback-provider.ts'

eachTestHasAProvider()

describe('a call of the client', () => {
  it('sends the API key and a JSON body, and returns parsed amounts and dates', async () => {
    provider.answer(paid)
    const answer = await connect().payToGamertag(tip)
    expect(answer).toEqual({
      data: { ...settled, amount: msats(500_000), settledAt: new Date('2030-01-01T00:00:00Z') },
      message: 'Paid.',
      replayed: false,
    })
    const [request] = provider.seen
    expect(request).toMatchObject({ method: 'POST', url: '/v0/gamertag/send-payment' })
    expect(request?.headers).toMatchObject({ apikey: API_KEY, 'content-type': 'application/json' })
    expect(request?.headers).not.toHaveProperty('idempotency-key')
    expect(JSON.parse(request?.body ?? '')).toEqual({ amount: '500000', gamertag: 'bob', description: 'thanks' })
  })

  it('requests a list with the given filters or without any', async () => {
    provider.answer(json(200, { success: true, message: 'Found.', data: { transactions: [], next: null } }))
    const client = connect()
    await client.listTransactions()
    await client.listTransactions({ limit: 5, type: 'keysend', from: new Date('2030-01-01T00:00:00Z') })
    expect(provider.seen.map((request) => request.url)).toEqual([
      '/v0/transactions',
      '/v0/transactions?limit=5&type=keysend&from=2030-01-01T00%3A00%3A00.000Z',
    ])
  })

  it('goes to the alternative host if the interface puts its operation there', async () => {
    const other = await startLoopbackProvider()
    provider.answer(wallet)
    other.answer(paid)
    const client = connect({ baseUrl: `${provider.baseUrl}/api/`, altBaseUrl: other.baseUrl })
    await client.getWallet()
    await client.payToGamertag(tip)
    expect(provider.seen.map((request) => request.url)).toEqual(['/api/v0/wallet'])
    expect(other.seen.map((request) => request.url)).toEqual(['/v0/gamertag/send-payment'])
    await other.close()
  })

  it.each([
    ['a/b', 'a%2Fb'],
    ['../../v0/wallet', '..%2F..%2Fv0%2Fwallet'],
    ['bob@example.com?x=1#y', 'bob%40example.com%3Fx%3D1%23y'],
    ['100%', '100%25'],
    ['ü⚡', '%C3%BC%E2%9A%A1'],
    ['a\r\nb', 'a%0D%0Ab'],
  ])('sends %j as a single segment of the path', async (address, segment) => {
    provider.answer(json(200, { success: true, data: { valid: false } }))
    await connect().validateLightningAddress({ address })
    expect(provider.seen[0]?.url).toBe(`/v0/ln-address/validate/${segment}`)
  })

  it.each(['', '.', '..', '\ud800'])('refuses %j as a segment of the path', async (id) => {
    const error = await failure(connect().getStaticCharge({ id }))
    expect(error).toMatchObject({ kind: 'refused', happened: 'no', code: 'invalid_field' })
    expect(provider.seen).toHaveLength(0)
  })

  it('sends path parameters only in the path', async () => {
    provider.answer(refusal(404, 'not_found'))
    await failure(connect().updateStaticCharge({ id: 'abc', maxAmount: sats(9) }))
    expect(provider.seen[0]).toMatchObject({
      method: 'PATCH',
      url: '/v0/static-charges/abc',
      body: '{"maxAmount":"9000"}',
    })
  })

  it('identifies the provider and the key without revealing the key', () => {
    const mine = connect().provider
    expect(mine).toMatch(/^this machine#[0-9a-f]{16}$/)
    expect(connect({ apiKey: 'another' }).provider).not.toBe(mine)
    // The same service, moved to another port.
    expect(connect({ baseUrl: 'http://localhost:1' }).provider).toBe(mine)
    const elsewhere = connect({ baseUrl: 'https://pay.example/api/' }).provider
    expect(elsewhere).toMatch(/^https:\/\/pay\.example\/api#[0-9a-f]{16}$/)
    expect(providerAddress(elsewhere)).toBe('https://pay.example/api')
  })
})

describe('an answer of the provider', () => {
  const charge = {
    id: 's1',
    unit: 'msats',
    slots: 0,
    minAmount: '1000',
    maxAmount: '1000',
    status: 'active',
    invoice: { request: 'LNURL1' },
  }
  const read = (data: unknown) => {
    provider.answer(json(200, { message: '', data }))
    return connect().getStaticCharge({ id: 's1' })
  }

  it('may contain unknown states and fields, and null or empty fields count as absent', async () => {
    const { data } = await read({
      ...charge,
      status: 'PAUSED',
      mood: 'good',
      internalId: '',
      description: null,
      expiresAt: 7,
    })
    expect(data).toMatchObject({
      status: 'PAUSED',
      internalId: null,
      description: null,
      callbackUrl: null,
      expiresAt: null,
    })
    expect(data).not.toHaveProperty('mood')
  })

  it.each([
    ['a missing amount', { ...charge, minAmount: undefined }],
    ['a null amount', { ...charge, minAmount: null }],
    ['an amount as a number', { ...charge, minAmount: 1000 }],
    ['a fraction', { ...charge, maxAmount: '1000.5' }],
    ['another unit', { ...charge, unit: 'sats' }],
    ['missing slots', { ...charge, slots: undefined }],
    ['no id', { ...charge, id: '' }],
    ['nothing to pay', { ...charge, invoice: {} }],
    ['no data', null],
  ])('is reported as malformed with an unknown outcome if it has %s', async (_, data) => {
    const error = await failure(read(data))
    expect(error).toMatchObject({ kind: 'malformed', happened: 'maybe', operation: 'getStaticCharge', status: 200 })
  })

  it('is reported as malformed if it is a wallet without a balance', async () => {
    provider.answer(json(200, { message: '', data: { unit: 'msats', balance: '' } }))
    expect(await failure(connect().getWallet())).toMatchObject({ kind: 'malformed' })
  })

  it('can lack an address’s metadata or contain metadata with amounts in msats', async () => {
    const metadata = { minSendable: 1000, maxSendable: 5e11, commentAllowed: null, tag: 'payRequest' }
    provider.answer(
      json(200, { success: true, data: { valid: false } }),
      json(200, { success: true, data: { valid: true, metadata } }),
    )
    const client = connect()
    expect((await client.validateLightningAddress({ address: 'a@b.c' })).data).toEqual({ valid: false, metadata: null })
    const { data } = await client.validateLightningAddress({ address: 'a@b.c' })
    expect(data.metadata).toMatchObject({ minSendable: 1000n, maxSendable: 500_000_000_000n, commentAllowed: null })
  })
})

describe('a failure proves that nothing happened', () => {
  it.each([
    ['5000000', 5_000_000n],
    ['much', undefined],
    ['-1', undefined],
  ])('and reports the limit in x-amount-limit if that is an amount (%j)', async (said, limit) => {
    provider.answer(refusal(400, 'amount_too_high', 'No.', { 'x-amount-limit': said }))
    expect(await failure(connect().getStaticCharge({ id: 'x' }))).toMatchObject({ kind: 'refused', limit })
  })

  it.each([400, 401, 403, 404, 413, 415, 422, 429, 501])(
    'if its status is %i and its body has the shape of an error',
    async (status) => {
      provider.answer(refusal(status, undefined, 'That cannot be done.', { 'retry-after': '7' }))
      expect(await failure(connect().payToGamertag(tip))).toMatchObject({
        kind: 'refused',
        happened: 'no',
        status,
        message: 'That cannot be done.',
        retryAfterMs: 7_000,
      })
    },
  )

  it.each(['receiver_mismatch', 'voucher_redeemed', 'voucher_revoked', 'identifier_taken'])(
    'if its status is 409 and its code is %s',
    async (code) => {
      provider.answer(refusal(409, code))
      expect(await failure(connect().payToGamertag(tip))).toMatchObject({ kind: 'refused', happened: 'no', code })
    },
  )

  it('if its status is 503 and its code is nothing_sent', async () => {
    provider.answer(refusal(503, 'nothing_sent'))
    expect(await failure(connect().payToGamertag(tip))).toMatchObject({ kind: 'refused', happened: 'no' })
  })

  it('if the connection is refused or the host has no address', async () => {
    const gone = await startLoopbackProvider()
    await gone.close()
    expect(await failure(connect({ baseUrl: gone.baseUrl }).payToGamertag(tip))).toMatchObject({
      kind: 'unreachable',
      happened: 'no',
    })
    expect(await failure(connect({ baseUrl: 'http://nobody.invalid' }).payToGamertag(tip))).toMatchObject({
      kind: 'unreachable',
      happened: 'no',
    })
  })
})

describe('a failure leaves the outcome unknown', () => {
  const cases: readonly [string, Behaviour][] = [
    ['a 500 in the shape of an error', refusal(500, 'internal')],
    ['a 502 of a proxy', plain(502, '<h1>Bad gateway</h1>')],
    ['a 503 without our code', refusal(503, undefined)],
    ['a 503 with another code', refusal(503, 'receiver_mismatch')],
    ['a 409 of no known code', refusal(409, 'strange')],
    ['a 409 without a code', refusal(409, undefined)],
    ['a 409 still_running', refusal(409, 'still_running')],
    ['a 409 idempotency_key_reused', refusal(409, 'idempotency_key_reused')],
    ['a 409 idempotency_key_expired', refusal(409, 'idempotency_key_expired')],
    ['a 409 already_paid', refusal(409, 'already_paid')],
    ['a 405', refusal(405, 'wrong_verb')],
    ['a 408', refusal(408, 'slow_body')],
    ['a 400 in HTML', plain(400, '<h1>Bad request</h1>')],
    ['a 400 without words', json(400, { success: false, code: 'invalid_field' })],
    ['a 400 that claims success', json(400, { success: true, message: 'Hm.' })],
    ['a 400 "already paid"', refusal(400, undefined, 'This invoice has already been paid')],
    ['a 400 "in progress"', refusal(400, undefined, 'Payment is in progress')],
    ['a 400 with a telling code', refusal(400, 'payment_in_flight', 'Sorry.')],
    ['a 200 that says no', json(200, { success: false, message: 'Something went wrong' })],
    ['a 200 in HTML', plain(200, '<html>Welcome</html>')],
    ['an empty 200', plain(200, '')],
    ['half an answer', halfAnAnswer],
    ['a reset', reset],
    ['a redirect', plain(307, '', { location: '/v0/wallet' })],
    ['an endless answer', plain(200, `"${'x'.repeat(2_000_000)}"`)],
  ]

  it.each(cases)('and is not retried if it is %s', async (_, behaviour) => {
    provider.answer(behaviour)
    const client = connect({ replaysKeys: () => true })
    expect(await failure(client.payToGamertag(tip))).toMatchObject({ kind: 'unknown', happened: 'maybe' })
    expect(provider.seen).toHaveLength(1)
  })

  it('if no answer comes within the time limit', async () => {
    provider.answer(hang)
    const call = failure(connect({ timeoutMs: 9_000 }).payToGamertag(tip))
    await provider.arrived(1)
    await clock.advance(8_999)
    expect(clock.pending).toBe(1)
    await clock.advance(1)
    expect(await call).toMatchObject({ kind: 'unknown', happened: 'maybe', message: 'no answer within 9000 ms' })
  })

  it('if the answer’s body stalls until the time limit', async () => {
    provider.answer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{"success":')
    })
    const call = failure(connect({ timeoutMs: 9_000 }).payToGamertag(tip))
    await provider.arrived(1)
    await clock.advance(9_000)
    expect(await call).toMatchObject({ kind: 'unknown', happened: 'maybe' })
  })

  it('and is not retried if a kept-alive connection is reset', async () => {
    provider.answer(paid, reset)
    const client = connect()
    await client.payToGamertag(tip)
    const storm = Array.from({ length: 20 }, () => failure(client.payToGamertag(tip)))
    for (const error of await Promise.all(storm)) expect(error.happened).toBe('maybe')
    expect(provider.seen).toHaveLength(21)
  })
})

describe('an observer of the wire', () => {
  it('sees every attempt and answer without secrets', async () => {
    const events: WireEvent[] = []
    const voucher = { ...settled, code: 'SECRETAA', fee: '1000', id: 'v1' }
    provider.answer(
      json(200, { success: true, message: 'Made.', data: voucher }),
      refusal(404, 'gamertag_not_found'),
      reset,
    )
    const client = connect({ observe: (event) => events.push(event) })
    await client.createVoucher({ amount: sats(500) })
    await failure(
      client.createGamertagCharge({
        amount: sats(1),
        gamertag: 'bob',
        callbackUrl: 'https://example.com/SECRET-TOKEN',
      }),
    )
    await failure(client.payToGamertag(tip))
    expect(events.map((event) => `${event.exchange} ${event.kind} ${event.operation}`)).toEqual([
      '1 call createVoucher',
      '1 answer createVoucher',
      '2 call createGamertagCharge',
      '2 answer createGamertagCharge',
      '3 call payToGamertag',
      '3 no answer payToGamertag',
    ])
    expect(events[1]).toMatchObject({ status: 200, body: { data: { code: '•••', amount: '500000' } } })
    expect(events[3]).toMatchObject({ status: 404, body: { code: 'gamertag_not_found' } })
    expect(JSON.stringify(events)).not.toMatch(/SECRET|very-secret/)
  })
})
