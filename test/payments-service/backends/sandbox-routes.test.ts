import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemEntropy } from '../../../src/lib/entropy.ts'
import { createGuardedFetch, type GuardedFetch } from '../../../src/lib/http/guarded-fetch.ts'
import { createHttpServer } from '../../../src/lib/http/http-server.ts'
import { decodeInvoice } from '../../../src/lib/lightning/bolt11.ts'
import { encodeLnurl } from '../../../src/lib/lightning/lnurl.ts'
import {
  buildMetadata,
  descriptionHash,
  errorAnswer,
  fastWithdrawUrl,
} from '../../../src/lib/lightning/lnurl-messages.ts'
import { msats, sats } from '../../../src/lib/money/amount.ts'
import { sandboxRoutes } from '../../../src/payments-service/backends/sandbox/routes.ts'
import {
  createSandboxNetwork,
  type SandboxNetwork,
} from '../../../src/payments-service/backends/sandbox/sandbox-network.ts'
import { ManualClock } from '../../support/manual-clock.ts'

const TOKEN = 'c0ffee'.repeat(8)
const headers = { authorization: `Bearer ${TOKEN}` }

let app: FastifyInstance
let network: SandboxNetwork
let fetch: GuardedFetch
let clock: ManualClock
let service: string

beforeEach(async () => {
  clock = new ManualClock()
  fetch = createGuardedFetch({ allowLoopback: true })
  const lnurl = { allowLoopbackHttp: true }
  network = createSandboxNetwork({ file: ':memory:', clock, entropy: systemEntropy, fetch, lnurl })
  app = createHttpServer({ logger: pino({ level: 'silent' }) })
  await app.register(sandboxRoutes(network, { token: TOKEN, ownUrls: () => [service] }))
  addLnurlService(app, network)
  service = await app.listen({ host: '127.0.0.1', port: 0 })
})

afterEach(async () => {
  await app.close()
  await fetch.close()
  await network.close()
})

/** Adds a small LNURL service on our node, whose codes the outside wallet pays and claims. */
function addLnurlService(server: FastifyInstance, { backend }: SandboxNetwork): void {
  const metadata = buildMetadata({ description: 'Coffee' })
  const terms = () => ({
    tag: 'payRequest',
    callback: `${service}/pay`,
    minSendable: 1_000,
    maxSendable: 5_000,
    metadata,
    commentAllowed: 10,
  })
  server.get('/.well-known/lnurlp/alice', async () => terms())
  server.get('/fixed', async () => ({ ...terms(), minSendable: 3_000, maxSendable: 3_000 }))
  server.get<{ Querystring: { amount: string; comment?: string } }>('/pay', async ({ query }) => {
    const amount = msats(BigInt(query.amount))
    const description = { text: metadata, hash: descriptionHash(metadata) }
    const { invoice } = await backend.createInvoice({ amount, description, expiresInSeconds: 60 })
    return { pr: invoice, routes: [], successAction: { tag: 'message', message: `Thanks: ${query.comment ?? ''}` } }
  })
  const offer = () => ({
    tag: 'withdrawRequest' as const,
    callback: `${service}/claim`,
    k1: 'once',
    defaultDescription: 'A prize',
    minWithdrawable: 4_000,
    maxWithdrawable: 4_000,
  })
  let claimed = false
  server.get('/withdraw', async () => offer())
  server.get('/fast', async () => ({ url: fastWithdrawUrl(`${service}/withdraw`, offer()).href }))
  server.get<{ Querystring: { k1: string; pr: string } }>('/claim', async ({ query }) => {
    if (claimed || query.k1 !== 'once') return errorAnswer('This code has been used.')
    claimed = true

    const { paymentHash } = decodeInvoice(query.pr)
    await backend.pay({ invoice: query.pr, paymentHash, amount: undefined, maxFee: sats(10), timeoutMs: 60_000 })
    return { status: 'OK' }
  })
}

async function post(path: string, payload?: object) {
  const response = await app.inject({
    method: 'POST',
    url: path,
    headers: { ...headers, 'content-type': 'application/json' },
    payload,
  })
  return { status: response.statusCode, body: response.json() }
}

async function get(path: string) {
  const response = await app.inject({ method: 'GET', url: path, headers })
  return { status: response.statusCode, body: response.json() }
}

describe('POST /sandbox/pay', () => {
  it('pays an invoice of our node only once', async () => {
    const description = { text: '' }
    const { invoice, paymentHash } = await network.backend.createInvoice({
      amount: undefined,
      description,
      expiresInSeconds: 60,
    })
    expect(await post('/sandbox/pay', { request: invoice })).toMatchObject({
      status: 400,
      body: { success: false, code: 'amount_required' },
    })
    const paid = await post('/sandbox/pay', { request: `lightning:${invoice.toUpperCase()}`, amount: '2500' })
    expect(paid).toEqual({ status: 200, body: { preimage: expect.stringMatching(/^[0-9a-f]{64}$/), paymentHash } })
    expect(await network.backend.lookUpInvoice(paymentHash)).toMatchObject({ received: 2_500n })
    expect(await post('/sandbox/pay', { request: invoice, amount: '2500' })).toMatchObject({
      status: 400,
      body: { success: false, code: 'already_paid' },
    })
  })

  it('pays LNURL codes and Lightning Addresses, with or without a comment', async () => {
    const address = `alice@${new URL(service).host}`
    const paid = await post('/sandbox/pay', { request: address, amount: '2000', comment: 'hello' })
    expect(paid).toMatchObject({ status: 200, body: { successAction: { message: 'Thanks: hello' } } })
    const scanned = await post('/sandbox/pay', { request: encodeLnurl(`${service}/fixed`).toUpperCase() })
    expect(scanned).toMatchObject({ status: 200, body: { successAction: { message: 'Thanks:' } } })
    expect(network.outside.wallet().balance).toBe(sats(1_000_000_000) - 5_000n)
  })

  it.each([
    [{ request: 'hello' }, 'invalid_invoice'],
    [{ request: 'lnurl1damaged' }, 'invalid_lnurl'],
    [{ request: '@' }, 'invalid_lnurl'],
    [{ request: 'ALICE' }, 'amount_required'],
    [{ request: 'ALICE', amount: '6000' }, 'lnurl_refused'],
    [{ request: 'ALICE', amount: '2000', comment: 'longer than ten' }, 'lnurl_refused'],
    [{ request: 'NOBODY', amount: '2000' }, 'lnurl_refused'],
    [{ request: 'alice@10.0.0.1', amount: '2000' }, 'lnurl_unreachable'],
    [{}, 'malformed_input'],
    [{ request: 7 }, 'malformed_input'],
    [{ request: 'x', amount: 5 }, 'malformed_input'],
    [{ request: 'x', amount: '0' }, 'malformed_input'],
    [{ request: 'x', extra: true }, 'malformed_input'],
    [[], 'malformed_input'],
  ])('refuses the body %o with the code %s', async (body, code) => {
    const named = JSON.stringify(body).replace(
      /ALICE|NOBODY/,
      (name) => `${name.toLowerCase()}@${new URL(service).host}`,
    )
    const refused = await post('/sandbox/pay', JSON.parse(named))
    expect(refused).toEqual({ status: 400, body: { success: false, code, message: expect.stringMatching(/\.$/) } })
    expect(network.outside.wallet().balance).toBe(sats(1_000_000_000))
  })
})

describe('POST /sandbox/claim', () => {
  it.each(['plain', 'fast'])('claims a %s code only once', async (kind) => {
    const url = kind === 'fast' ? (await get('/fast')).body.url : `${service}/withdraw`
    const request = encodeLnurl(url)
    const claimed = await post('/sandbox/claim', { request })
    expect(claimed).toMatchObject({ status: 200, body: { amount: '4000' } })
    const { status, body } = await get(`/sandbox/payments/${claimed.body.paymentHash}`)
    expect({ status, body }).toMatchObject({ status: 200, body: { paid: true, amount: '4000' } })
    const again = await post('/sandbox/claim', { request })
    expect(again).toMatchObject({ status: 400, body: { code: 'lnurl_refused', message: 'This code has been used.' } })
  })

  it('refuses a code that pays out no sats', async () => {
    const refused = await post('/sandbox/claim', { request: encodeLnurl(`${service}/fixed`) })
    expect(refused).toMatchObject({ status: 400, body: { code: 'lnurl_refused' } })
  })
})

describe('POST /sandbox/invoice and GET /sandbox/payments', () => {
  it('show an invoice before and after its payment', async () => {
    const made = await post('/sandbox/invoice', { amount: '9000', description: 'Beans', expiresIn: 60 })
    const { invoice, paymentHash } = made.body
    const open = { paymentHash, state: 'open', paid: false, kind: 'invoice', amount: '9000', preimage: null }
    expect((await get(`/sandbox/payments/${paymentHash}`)).body).toEqual({ ...open, paidAt: null, tlvRecords: [] })
    await network.backend.pay({ invoice, paymentHash, amount: undefined, maxFee: sats(10), timeoutMs: 60_000 })
    expect((await get(`/sandbox/payments/${paymentHash}`)).body).toMatchObject({
      state: 'paid',
      paid: true,
      preimage: expect.stringMatching(/^[0-9a-f]{64}$/),
      paidAt: '2030-01-01T00:00:00.000Z',
    })
    expect((await get('/sandbox/wallet')).body).toEqual({
      balance: '1000000009000',
      pubkey: expect.stringMatching(/^0[23]/),
    })
    expect((await get('/sandbox/history')).body.payments).toMatchObject([{ direction: 'received', amount: '9000' }])
  })

  it('need no body and answer 404 to unknown hashes', async () => {
    expect((await post('/sandbox/invoice')).body.invoice).toMatch(/^lnbcrt1/)
    expect(await get(`/sandbox/payments/${'0'.repeat(64)}`)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await get('/sandbox/payments/x')).toMatchObject({ status: 400, body: { code: 'malformed_input' } })
    const long = { description: 'é'.repeat(320) }
    expect(await post('/sandbox/invoice', long)).toMatchObject({ status: 400, body: { code: 'malformed_input' } })
  })
})

describe('POST /sandbox/faults and /sandbox/release', () => {
  it('make a payment hang and release it', async () => {
    const { invoice, paymentHash } = (await post('/sandbox/invoice', { amount: '9000' })).body
    expect((await post('/sandbox/faults', { next: 'hang' })).body).toEqual({ next: 'hang', times: 1, delayMs: null })
    const outcome = network.backend.pay({
      invoice,
      paymentHash,
      amount: undefined,
      maxFee: sats(10),
      timeoutMs: 60_000,
    })
    expect(await post('/sandbox/release', { outcome: 'fail' })).toEqual({ status: 200, body: { released: 1 } })
    expect(await outcome).toMatchObject({ state: 'failed' })
  })

  it.each([
    ['/sandbox/faults', {}],
    ['/sandbox/faults', { next: 'explode' }],
    ['/sandbox/faults', { next: 'fail', times: -1 }],
    ['/sandbox/faults', { next: 'fail', delayMs: 1.5 }],
    ['/sandbox/release', {}],
    ['/sandbox/release', { outcome: 'settle', paymentHash: 'x' }],
  ])('refuse a request to %s with the body %o', async (path, body) => {
    expect(await post(path, body)).toMatchObject({ status: 400, body: { code: 'malformed_input' } })
  })
})
