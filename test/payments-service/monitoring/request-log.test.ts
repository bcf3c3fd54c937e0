import { beforeEach, describe, expect, it } from 'vitest'
import { decodeLnurl } from '../../../src/lib/lightning/lnurl.ts'
import { createLogger } from '../../../src/lib/logger.ts'
import { sats } from '../../../src/lib/money/amount.ts'
import { ServiceWorld } from '../harness.ts'
import { Browser } from '../wallet-page/browser.ts'

let world: ServiceWorld
let lines: string[]

beforeEach(async () => {
  lines = []
  const destination = { write: (line: string) => void lines.push(line) }
  world = await ServiceWorld.open({ logger: createLogger({ level: 'debug', name: 'service', destination }) })
})
/** Returns the log lines about requests. */
function requests(): Record<string, unknown>[] {
  return linesOf('request answered')
}

/** Returns the log lines with this message, as objects. */
function linesOf(words: string): Record<string, unknown>[] {
  return lines.map((line) => JSON.parse(line)).filter((line) => line.msg === words)
}

/** Creates a charge of bob and has it paid from outside; resolves to the preimage and bob's id. */
async function receive(): Promise<{ paid: string; userId: string }> {
  const { client } = await world.project()
  const userId = await world.user('bob')
  const { data } = await client.createGamertagCharge({ amount: sats(11), gamertag: 'bob' })
  const { preimage } = await world.sandbox.outside.pay(data.invoiceRequest)
  await world.until(async () => (await world.balance({ kind: 'user', id: userId })) > 0n)
  return { paid: preimage, userId }
}

describe('the log of payments', () => {
  const ends = () => linesOf('a payment has ended')

  it('has a line for each payment through the node, whether it succeeded or failed', async () => {
    const { client, projectId } = await world.project()
    const pay = () => {
      const { invoice } = world.sandbox.outside.createInvoice({ amount: sats(100) })
      return world.clock.advanceUntil(client.sendPayment({ invoice }))
    }
    const { data: paid } = await pay()
    world.sandbox.setFault('fail')
    const { data: failed } = await pay()
    const about = { level: 'info', kind: 'invoice', payer: `project:${projectId}`, amount: '100000' }
    expect(ends()).toEqual([
      expect.objectContaining({ ...about, payment: paid.id, status: 'completed', fee: `${paid.fee}` }),
      expect.objectContaining({ ...about, payment: failed.id, status: 'failed', failure: expect.stringMatching(/\w/) }),
    ])
  })

  it('has a line for each payment inside the books, at level debug for tips', async () => {
    const { client, projectId } = await world.project()
    const userId = await world.user('carol')
    const payer = `project:${projectId}`
    const { data: charge } = await client.createGamertagCharge({ amount: sats(7), gamertag: 'carol' })
    const { data: inside } = await client.sendPayment({ invoice: charge.invoiceRequest })
    const { data: tip } = await client.payToGamertag({ amount: sats(3), gamertag: 'carol', description: 'thanks' })
    expect(ends()).toEqual([
      expect.objectContaining({
        level: 'info',
        payment: inside.id,
        status: 'completed',
        payer,
        amount: '7000',
        fee: '0',
      }),
      expect.objectContaining({
        ...{ level: 'debug', kind: 'gamertag', payment: tip.id, transaction: tip.transactionId, status: 'completed' },
        ...{ payer, payee: `user:${userId}`, amount: '3000' },
      }),
    ])
  })

  it('names the withdrawal request in the line for each claim', async () => {
    const { client } = await world.project()
    const { data: request } = await client.createWithdrawalRequest({ amount: sats(9) })
    await world.clock.advanceUntil(world.sandbox.outside.claim(request.invoice.request), 1_000)
    await world.until(() => ends().length > 0)
    expect(ends()).toEqual([expect.objectContaining({ withdrawalRequest: request.id, status: 'completed' })])
  })

  it('has a line for each payment that arrives', async () => {
    const { userId } = await receive()
    const about = { level: 'info', purpose: 'charge', payee: `user:${userId}`, amount: '11000' }
    expect(linesOf('a payment has arrived')).toEqual([expect.objectContaining(about)])
  })
})

it('the log records the start and the stop of the service', async () => {
  await world.restart()
  const words = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.startsWith('the payments service'))
  expect(words.map(({ level, msg }) => `${level}: ${msg}`)).toEqual([
    'info: the payments service listens',
    'info: the payments service stops',
    'info: the payments service has stopped',
    'info: the payments service listens',
  ])
})

describe('the log of requests', () => {
  it('has at most 20 lines per minute for requests refused without a key, then a count', async () => {
    const { apiKey } = await world.project()
    for (let i = 0; i < 60; i += 1) await world.raw('GET', '/v0/wallet')
    for (let i = 0; i < 25; i += 1) await world.raw('GET', '/v0/static-charges/none', { apiKey })
    await world.until(() => requests().filter(({ project }) => project !== undefined).length === 25)
    const refused = () => requests().filter(({ status }) => status === 401)
    expect(refused()).toHaveLength(20)
    await world.clock.advance(60_000)
    expect(refused().at(-1)).toMatchObject({ route: 'getWallet', leftOut: 40 })
    await world.raw('GET', '/v0/wallet')
    await world.until(() => refused().length === 22)
  })

  it('has a line with the answer’s id for every request but health checks and metrics', async () => {
    const answer = await world.raw('GET', '/v0/wallet')
    await world.raw('GET', '/health')
    await world.raw('GET', '/metrics')
    await world.until(() => requests().length > 0)
    expect(requests()).toEqual([
      expect.objectContaining({
        level: 'info',
        request: answer.headers.get('x-request-id'),
        method: 'GET',
        route: 'getWallet',
        status: 401,
        durationMs: expect.any(Number),
      }),
    ])
  })

  it('names the key’s owner even for a refused request', async () => {
    const { client, projectId } = await world.project()
    await client.getWallet()
    const { keyId, apiKey } = await world.administration.createKey(projectId, { scopes: ['read'] })
    await world.raw('POST', '/v0/static-charges', { apiKey, body: {} })
    await world.until(() => requests().length === 2)
    expect(requests()).toEqual([
      expect.objectContaining({ level: 'debug', route: 'getWallet', status: 200, project: projectId }),
      expect.objectContaining({ level: 'info', route: 'createStaticCharge', status: 403, project: projectId, keyId }),
    ])
  })

  it('contains no key, token, cookie, code, preimage or invoice', async () => {
    const project = await world.project()
    const { token } = await world.administration.createUser('alice')
    const browser = new Browser(world)
    await browser.open(`/wallet/sign-in?token=${token}`)
    await browser.submit('/wallet/sign-in')
    await browser.open('/wallet/send')
    const { token: formToken = '' } = browser.fieldsOf('/wallet/send')
    const { data: voucher } = await project.client.createVoucher({ amount: sats(100) })
    await browser.open('/wallet/redeem')
    await browser.submit('/wallet/redeem', { code: voucher.code })
    await browser.open('/wallet/redeem')
    await browser.submit('/wallet/redeem', { code: voucher.code })
    const { invoice } = world.sandbox.outside.createInvoice({ amount: sats(5) })
    const { data: paid } = await world.clock.advanceUntil(project.client.sendPayment({ invoice }))
    const { data: charge } = await project.client.createGamertagCharge({ amount: sats(7), gamertag: 'alice' })
    await project.client.sendPayment({ invoice: charge.invoiceRequest })
    const { data: request } = await project.client.createWithdrawalRequest({ amount: sats(9) })
    await world.clock.advanceUntil(world.sandbox.outside.claim(request.invoice.request), 1_000)
    const { paid: proof } = await receive()
    await world.raw('GET', `/v0/wallet?apikey=${project.apiKey}`, { apiKey: `${project.apiKey}x` })
    await world.until(() => requests().length >= 11)
    const secrets = {
      apiKey: project.apiKey,
      callbackSecret: project.callbackSecret,
      token,
      formToken,
      cookie: browser.cookie?.split('=')[1] ?? '',
      code: voucher.code,
      preimage: paid.preimage ?? '',
      invoice,
      ownInvoice: charge.invoiceRequest,
      withdrawal: decodeLnurl(request.invoice.request, { allowLoopbackHttp: true }).searchParams.get('secret') ?? '',
      proof,
    }
    for (const [name, secret] of Object.entries(secrets)) {
      expect(secret.length, name).toBeGreaterThanOrEqual(8)
      expect(lines.join('').includes(secret), name).toBe(false)
    }
  })
})
