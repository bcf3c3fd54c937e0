import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../../src/lib/clock.ts'
import type { GuardedFetch } from '../../../src/lib/http/guarded-fetch.ts'
import { createCallbackWays } from '../../../src/payments-service/engine/outbox/callback-ways.ts'
import { ManualClock } from '../../support/manual-clock.ts'

/** Another server on this machine, which counts the requests that reach it. */
let server: Server
let url: string
let asked = 0
beforeAll(async () => {
  server = createServer((_request, response) => {
    asked += 1
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const isOwn = (projectId: string, to: string) => projectId === 'bot' && new URL(to).origin === new URL(url).origin

function ways(callbacksAllowLoopback: boolean) {
  const made = createCallbackWays({ callbacksAllowLoopback }, systemClock, { isOwn })
  onTestFinished(() => made.close())
  return made
}

const post = { method: 'POST', body: '{}', statusOnly: true } as const

describe('a callback to this machine', () => {
  it('goes to the bot’s server if it is for the bot beside the service', async () => {
    const { fetchFor, mayReachLoopback } = ways(false)
    expect(mayReachLoopback('bot', url)).toBe(true)
    expect((await fetchFor('bot', url)(url, post)).status).toBe(200)
  })

  it.each([
    ['from another project', 'stranger', () => url],
    ['from the bot, but to another server', 'bot', () => 'http://127.0.0.1:8787/sandbox/faults'],
  ])('is never sent if it is %s', async (_whose, projectId, to) => {
    const { fetchFor, mayReachLoopback } = ways(false)
    const before = asked
    expect(mayReachLoopback(projectId, to())).toBe(false)
    await expect(fetchFor(projectId, to())(to(), post)).rejects.toMatchObject({ sent: false })
    expect(asked).toBe(before)
  })

  it('goes to any project’s server if the operator permits it', async () => {
    expect((await ways(true).fetchFor('stranger', url)(url, post)).status).toBe(200)
  })
})

describe('each client for callbacks', () => {
  it.each(['bot', 'stranger'])('(for the %s) uses the service’s clock', async (projectId) => {
    const clock = new ManualClock()
    const { fetchFor, close } = createCallbackWays({ callbacksAllowLoopback: false }, clock, { isOwn })
    const asking = fetchFor(projectId, url)(url, { ...post, timeoutMs: 1_234 })
    expect(clock.nextInMs).toBe(1_234)
    await asking.catch(() => undefined)
    await close()
  })

  it.each([
    ['bot', () => url],
    ['stranger', () => 'https://callbacks.invalid/'],
  ])('(for the %s) closes together with the others', async (projectId, to) => {
    const { fetchFor, close } = ways(false)
    await close()
    await expect(fetchFor(projectId, to())(to(), post)).rejects.toThrow('destroyed')
  })
})

describe('a service', () => {
  it('that is given a client for callbacks uses it for every URL and does not close it', async () => {
    let isClosed = false
    const outgoing = Object.assign((() => undefined) as unknown as GuardedFetch, {
      close: async () => {
        isClosed = true
      },
    })
    const { fetchFor, mayReachLoopback, close } = createCallbackWays({ callbacksAllowLoopback: false }, systemClock, {
      outgoing,
      isOwn: (projectId) => projectId === 'bot',
    })
    expect(fetchFor('bot', url)).toBe(outgoing)
    expect(fetchFor('stranger', url)).toBe(outgoing)
    expect([mayReachLoopback('bot', url), mayReachLoopback('stranger', url)]).toEqual([true, false])
    await close()
    expect(isClosed).toBe(false)
  })

  it('without a bot beside it sends no callbacks to this machine', async () => {
    const { mayReachLoopback, close } = createCallbackWays({ callbacksAllowLoopback: false }, systemClock, {})
    expect(mayReachLoopback('bot', url)).toBe(false)
    await close()
  })
})
