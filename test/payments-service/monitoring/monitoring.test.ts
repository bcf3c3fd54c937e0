import { beforeEach, describe, expect, it, vi } from 'vitest'
import { systemEntropy } from '../../../src/lib/entropy.ts'
import { silentLogger } from '../../../src/lib/logger.ts'
import { sats } from '../../../src/lib/money/amount.ts'
import { createService, DEFAULT_SETTINGS, type ServiceSettings } from '../../../src/payments-service/service.ts'
import { ManualClock } from '../../support/manual-clock.ts'
import { CallbackReceiver } from '../callback-receiver.ts'
import { expectRefusal, ServiceWorld } from '../harness.ts'
import { signedIn } from '../wallet-page/browser.ts'

let world: ServiceWorld

beforeEach(async () => {
  world = await ServiceWorld.open()
})
/** Returns the value of one line of the figures; undefined if there is none. */
async function figure(line: string): Promise<number | undefined> {
  await world.clock.advance(10_000) // Longer than sums are kept.
  const { text } = await world.raw('GET', '/metrics')
  const found = text.split('\n').find((each) => each.startsWith(`${line} `))
  return found === undefined ? undefined : Number(found.slice(line.length + 1))
}

describe('the route /ready', () => {
  it('answers 200, as /health does, while the service is healthy', async () => {
    expect((await world.raw('GET', '/health')).json).toEqual({ status: 'ok' })
    expect(await world.raw('GET', '/ready')).toMatchObject({ status: 200, json: { status: 'ready' } })
  })

  it('reports that the clock is in doubt but still answers 200', async () => {
    expect(await figure('satchel_clock_believed')).toBe(1)
    world.clock.jump(3_600_000)
    for (const path of ['/ready', '/ready/instance']) {
      expect(await world.raw('GET', path)).toMatchObject({ status: 200, json: { status: 'ready', clock: 'doubted' } })
    }
    expect(await figure('satchel_clock_believed')).toBe(0)
  })

  it('reports a node that is away, while /health and /ready/instance answer 200', async () => {
    const { backend } = world.service.parts
    const health = backend.health
    const reason = 'The Lightning node is asleep. Wake it.'
    Object.assign(backend, { health: async () => ({ state: 'away', reason }) })
    const answer = await world.raw('GET', '/ready')
    // A balancer that took it away for that would take all of them away.
    const instance = await world.raw('GET', '/ready/instance')
    Object.assign(backend, { health })
    expect(answer).toMatchObject({ status: 503, json: { code: 'not_ready', message: reason } })
    expect(instance.status).toBe(200)
    expect((await world.raw('GET', '/health')).status).toBe(200)
    await world.clock.advance(1_000)
    expect((await world.raw('GET', '/ready')).status).toBe(200)
  })

  it('reports a hanging node within two seconds', async () => {
    const { backend } = world.service.parts
    const health = backend.health
    Object.assign(backend, { health: () => new Promise(() => {}) })
    const answer = await world.clock.advanceUntil(world.raw('GET', '/ready'))
    Object.assign(backend, { health })
    expect(answer.status).toBe(503)
  })

  it('answers 503 before a stop, although other requests are still answered', async () => {
    const { apiKey } = await world.project()
    const clock = new ManualClock()
    const database = world.service.parts.database
    const alone = {
      database,
      backend: world.service.parts.backend,
      clock,
      entropy: systemEntropy,
      logger: silentLogger,
    }
    const more = { settings: DEFAULT_SETTINGS, port: 0, instance: 'pay-1', drainMs: 5_000 }
    const service = await createService({ ...alone, ...more })
    const ask = (path: string) => fetch(service.url + path, { headers: { apikey: apiKey } })
    expect((await ask('/ready')).status).toBe(200)
    const figures = await (await ask('/metrics')).text()
    expect(figures).toContain('target_info{service_name="satchel-payments",service_instance_id="pay-1"} 1')
    const stopping = service.close()
    expect((await ask('/ready/instance')).status).toBe(503)
    const ready = await ask('/ready')
    expect([ready.status, await ready.json()]).toEqual([503, expect.objectContaining({ code: 'draining' })])
    const wallet = await ask('/v0/wallet')
    expect([wallet.status, wallet.headers.get('connection')]).toEqual([200, 'close'])
    await clock.advance(4_999)
    expect((await ask('/v0/wallet')).status).toBe(200)
    await clock.advance(1)
    await clock.advanceUntil(stopping)
    await expect(ask('/v0/wallet')).rejects.toThrow()
  })

  it('answers 503 while the process cannot renew its lease', async () => {
    const isLive = vi.spyOn(world.service.parts.ownership, 'isLive').mockReturnValue(false)
    const answer = await world.raw('GET', '/ready')
    isLive.mockRestore()
    expect(answer).toMatchObject({
      status: 503,
      json: { message: expect.stringContaining('lost touch with its books') },
    })
  })
})

describe('the route /metrics', () => {
  it('counts requests by operation and status class', async () => {
    const { client, apiKey } = await world.project()
    await client.getWallet()
    await client.getWallet()
    await world.raw('GET', '/v0/payments/nope', { apiKey })
    await world.raw('GET', '/some/strangers/path')
    const count = (operation: string, status: string) =>
      figure(`satchel_request_duration_seconds_count{operation="${operation}",status="${status}"}`)
    expect(await count('getWallet', '2xx')).toBe(2)
    expect(await count('retrievePayment', '4xx')).toBe(1)
    expect(await count('unknown', '4xx')).toBe(1)
    expect((await world.raw('GET', '/metrics')).text).not.toContain('strangers')
  })

  it('shows commits, memory and the balances of each kind of wallet', async () => {
    const { client } = await world.project(sats(1_000))
    await world.user('alice')
    await client.payToGamertag({ gamertag: 'alice', amount: sats(300), description: '' })
    expect(await figure('satchel_accounts_msats{kind="project_wallet"}')).toBe(700_000)
    expect(await figure('satchel_accounts_msats{kind="user_wallet"}')).toBe(300_000)
    expect(await figure('satchel_commit_changes_count')).toBeGreaterThanOrEqual(3)
    expect(await figure('satchel_resident_memory_bytes')).toBeGreaterThan(1_000_000)
  })

  it('shows payments by outcome, and the number and age of those with no known outcome', async () => {
    const { client } = await world.project()
    const pay = (amount = sats(100)) => {
      const { invoice } = world.sandbox.outside.createInvoice({ amount })
      return world.clock.advanceUntil(client.sendPayment({ invoice }))
    }
    await pay()
    world.sandbox.setFault('fail')
    await pay()
    world.sandbox.setFault('unknown-then-paid', { delayMs: 600_000 })
    await pay()
    expect(await figure('satchel_payments{kind="invoice",status="completed"}')).toBe(1)
    expect(await figure('satchel_payments{kind="invoice",status="failed"}')).toBe(1)
    expect(await figure('satchel_payments_unknown')).toBe(1)
    expect(await figure('satchel_payments_unknown_oldest_seconds')).toBeGreaterThanOrEqual(10)
  })

  it('counts payments to gamertags from wallets of projects and of users', async () => {
    expect(await figure('satchel_payments{kind="gamertag",status="completed"}')).toBe(0)
    const { client } = await world.project(sats(1_000))
    const alice = await signedIn(world, 'alice')
    await world.user('bob')
    const tip = { gamertag: 'alice', amount: sats(300), description: '' }
    await client.payToGamertag(tip)
    await expect(client.payToGamertag({ ...tip, amount: sats(5_000) })).rejects.toThrow()
    await alice.browser.open('/wallet/send')
    await alice.browser.submit('/wallet/send', { to: 'bob', amount: '100' })
    await alice.browser.submit('/wallet/send/user')
    expect(await figure('satchel_payments{kind="gamertag",status="completed"}')).toBe(2)
  })

  it('shows waiting callbacks and how long they have waited', async () => {
    const receiver = await CallbackReceiver.open()
    receiver.answer = () => 500
    const { client } = await world.project()
    const { invoice } = world.sandbox.outside.createInvoice({ amount: sats(10) })
    await world.clock.advanceUntil(client.sendPayment({ invoice, callbackUrl: receiver.url() }))
    await world.until(() => receiver.received.length > 0)
    expect(await figure('satchel_callbacks_waiting')).toBe(1)
    expect(await figure('satchel_callbacks_waiting_oldest_seconds')).toBeGreaterThanOrEqual(10)
    expect(await figure('satchel_callbacks_dead_lettered')).toBe(0)
    await receiver.close()
  })

  describe('access', () => {
    const ask = async (headers: Record<string, string> = {}) => {
      const answer = await world.raw('GET', '/metrics', { headers })
      if (answer.status !== 200) {
        expectRefusal(answer, 403, 'not_from_here')
        expect(answer.json.message).toContain('METRICS_TOKEN')
      }
      return answer.status
    }

    it('is allowed from this machine unless the request was forwarded', async () => {
      expect(await ask()).toBe(200)
      for (const name of ['x-forwarded-for', 'x-real-ip', 'x-forwarded-proto', 'forwarded', 'via']) {
        expect(await ask({ [name]: 'for=203.0.113.9' })).toBe(403)
      }
    })

    it('is allowed only if the Host header names this machine', async () => {
      const named = async (host: string) =>
        (await world.service.inject({ method: 'GET', url: '/metrics', headers: { host } })).statusCode
      for (const host of ['localhost:8787', '127.0.0.1', '[::1]:8787']) expect(await named(host)).toBe(200)
      for (const host of ['pay.example.org', '203.0.113.9:8787', 'localhost.evil.example']) {
        expect(await named(host)).toBe(403)
      }
    })

    it.each<Partial<ServiceSettings>>([{ publicUrl: 'https://pay.example.org' }, { trustProxy: true }])(
      'is refused from this machine if a proxy may forward requests unmarked (%o)',
      async (settings) => {
        await world.restart(settings)
        expect(await ask()).toBe(403)
      },
    )

    it('is allowed from this machine if the public address is on this machine', async () => {
      for (const publicUrl of ['http://127.0.0.1:8787', 'http://localhost:8787', 'http://[::1]:8787']) {
        await world.restart({ publicUrl })
        expect(await ask()).toBe(200)
      }
    })

    it('requires the token if one is set', async () => {
      await world.restart({ publicUrl: 'https://pay.example.org', metricsToken: 'a-token-for-figures' })
      expect(await ask()).toBe(403)
      expect(await ask({ authorization: 'Bearer another-token' })).toBe(403)
      expect(await ask({ authorization: 'a-token-for-figures' })).toBe(403)
      const headers = { authorization: 'Bearer a-token-for-figures', 'x-forwarded-for': '203.0.113.9' }
      expect(await ask(headers)).toBe(200)
      await world.restart({ metricsToken: 'a-token-for-figures' })
      expect(await ask()).toBe(403)
    })
  })
})

describe('every answer', () => {
  it('has strict headers and its own request id', async () => {
    const ids = new Set<string | null>()
    for (const path of ['/health', '/v0/wallet', '/nothing', '/v0/payments/%zz', '/openapi.json']) {
      const { headers } = await world.raw('GET', path)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(headers.get('cache-control')).toBe('no-store')
      ids.add(headers.get('x-request-id'))
    }
    expect(ids.size).toBe(5)
  })
})
