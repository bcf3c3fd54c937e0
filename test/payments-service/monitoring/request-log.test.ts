import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sats } from '../../../src/lib/amount.ts'
import { createLogger } from '../../../src/lib/logger.ts'
import { ServiceWorld } from '../harness.ts'
import { Browser } from '../wallet-page/browser.ts'

let world: ServiceWorld
let lines: string[]

beforeEach(async () => {
  lines = []
  const destination = { write: (line: string) => void lines.push(line) }
  world = await ServiceWorld.open({ logger: createLogger({ level: 'debug', name: 'service', destination }) })
})
afterEach(() => world.close())

/** The lines about requests, as objects. */
function requests(): Record<string, unknown>[] {
  return lines.map((line) => JSON.parse(line)).filter((line) => line.msg === 'request answered')
}

describe('the log of requests', () => {
  it('has a line for each, with the id that the answer carried, but none for those who only watch', async () => {
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

  it('knows no key, token, cookie, code, preimage or invoice', async () => {
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
    }
    for (const [name, secret] of Object.entries(secrets)) {
      expect(secret.length, name).toBeGreaterThanOrEqual(8)
      expect(lines.join('').includes(secret), name).toBe(false)
    }
  })
})
