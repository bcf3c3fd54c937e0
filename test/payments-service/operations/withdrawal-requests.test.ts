import { getParams } from 'js-lnurl'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/amount.ts'
import { decodeLnurl } from '../../../src/lib/lnurl.ts'
import { readFastWithdraw } from '../../../src/lib/lnurl-messages.ts'
import { expectRefusal, ServiceWorld, type TestProject } from '../harness.ts'

let world: ServiceWorld
let project: TestProject

beforeEach(async () => {
  world = await ServiceWorld.open()
  project = await world.project(sats(10_000))
})

afterEach(() => world.close())

const create = (body: object, headers: Record<string, string> = {}) =>
  world.raw('POST', '/v0/withdrawal-requests', { apiKey: project.apiKey, body, headers })
const retrieve = (id: string, by: TestProject = project) =>
  world.raw('GET', `/v0/withdrawal-requests/${id}`, { apiKey: by.apiKey })
const balance = () => world.balance({ kind: 'project', id: project.projectId })
const urlOf = (code: string) => decodeLnurl(code, { allowLoopbackHttp: true })

describe('Create Withdrawal Request', () => {
  it('holds amount and maximum fee, and answers with both codes', async () => {
    const body = {
      amount: '2000000',
      description: 'for Zoë & co',
      internalId: 'i',
      callbackUrl: 'https://example.com/c',
    }
    const { status, json } = await create(body)
    expect(status).toBe(200)
    expect(json).toEqual({
      success: true,
      message: expect.stringMatching(/\w/),
      data: {
        id: expect.any(String),
        unit: 'msats',
        ...body,
        createdAt: '2030-01-01T00:00:00.000Z',
        expiresAt: '2030-01-01T01:00:00.000Z',
        status: 'pending',
        fee: null,
        invoice: {
          request: expect.stringMatching(/^lnurl1/),
          fastRequest: expect.stringMatching(/^lnurl1/),
          uri: `lightning:${json.data.invoice.request}`,
          fastUri: `lightning:${json.data.invoice.fastRequest}`,
        },
      },
    })
    expect(await balance()).toBe(sats(10_000 - 2_000 - 20))
  })

  it('keeps expiresIn and maxFee, and needs neither words nor callback', async () => {
    const { json } = await create({ amount: '1000', expiresIn: 1, maxFee: '5' })
    expect(json.data).toMatchObject({
      expiresAt: '2030-01-01T00:00:01.000Z',
      description: '',
      internalId: '',
      callbackUrl: '',
    })
    expect(await balance()).toBe(10_000_000n - 1_005n)
  })

  it.each([
    ['more than the wallet holds with the fee', { amount: '9900991' }, 400, 'insufficient_funds'],
    ['more than the operator lets pass', { amount: '10000000001' }, 400, 'amount_too_high'],
    ['a fee limit beyond that (fault 12)', { amount: '1000', maxFee: '2100000000000000000' }, 400, 'amount_too_high'],
    ['less than a sat', { amount: '999' }, 400, 'amount_too_low'],
    ['an amount that is a number', { amount: 1_000 }, 400, 'invalid_amount'],
    ['an expiry of zero seconds', { amount: '1000', expiresIn: 0 }, 400, 'invalid_field'],
    ['an expiry beyond 30 days', { amount: '1000', expiresIn: 2_592_001 }, 400, 'invalid_field'],
    ['no amount', {}, 422, 'missing_field'],
  ])('refuses %s, and holds nothing', async (_what, body, status, code) => {
    expectRefusal(await create(body), status, code)
    expect(await balance()).toBe(sats(10_000))
  })

  it('is repeated byte for byte for the same Idempotency-Key, and holds once', async () => {
    const headers = { 'idempotency-key': 'w' }
    const first = await create({ amount: '1000000' }, headers)
    expect((await create({ amount: '1000000' }, headers)).text).toBe(first.text)
    expect(await balance()).toBe(sats(8_990))
  })
})

describe('Retrieve Withdrawal Request', () => {
  it('shows what creation showed', async () => {
    const { json } = await create({ amount: '1000', callbackUrl: 'https://example.com/c' })
    expect((await retrieve(json.data.id)).json.data).toEqual(json.data)
  })

  it("knows no other project's, and none that does not exist", async () => {
    const { json } = await create({ amount: '1000' })
    expectRefusal(await retrieve(json.data.id, await world.project()), 404, 'not_found')
    expectRefusal(await retrieve('nothing'), 404, 'not_found')
  })
})

describe('the codes', () => {
  it('are understood by an LNURL library that others wrote (LUD-03)', async () => {
    const { json } = await create({ amount: '2000000', description: 'for Zoë & co' })
    const params = await getParams(json.data.invoice.request)
    expect(params).toMatchObject({
      tag: 'withdrawRequest',
      callback: `${world.url}/v0/claim-withdrawal-request`,
      k1: expect.stringMatching(/^[\w-]{43}$/),
      defaultDescription: 'for Zoë & co',
      minWithdrawable: 2_000_000,
      maxWithdrawable: 2_000_000,
    })
  })

  it('the fast one carries the same parameters (LUD-08), and still answers when it is asked', async () => {
    const { json } = await create({ amount: '2000000', description: 'for Zoë & co' })
    const fast = urlOf(json.data.invoice.fastRequest)
    const asked = await world.raw('GET', fast.pathname + fast.search)
    expect(readFastWithdraw(fast)).toEqual(asked.json)
  })

  it.each(['request', 'fastRequest'] as const)('an outside wallet claims the %s', async (which) => {
    const { json } = await create({ amount: '2000000' })
    const before = world.sandbox.outside.wallet().balance
    const { paymentHash } = await world.sandbox.outside.claim(json.data.invoice[which])
    await world.until(async () => (await retrieve(json.data.id)).json.data.status === 'completed')
    expect(world.sandbox.outside.lookUp(paymentHash)).toMatchObject({ state: 'paid' })
    expect(world.sandbox.outside.wallet().balance - before).toBe(sats(2_000))
    await expect(world.sandbox.outside.claim(json.data.invoice.request)).rejects.toThrow(/used/)
  })

  it('answer an unknown secret in the words of LNURL', async () => {
    const { status, json } = await world.raw('GET', '/v0/payload-withdrawal-request?secret=nobody-knows')
    expect([status, json]).toEqual([200, { status: 'ERROR', reason: expect.stringMatching(/\w/) }])
  })

  it('may be asked for by a wallet in a browser', async () => {
    const { headers } = await world.raw('GET', '/v0/payload-withdrawal-request?secret=x')
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })
})
