import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Sql } from '@prisma/client/runtime/client'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../src/payments-api/payments-api.ts'
import { ServiceWorld, type TestProject } from '../../test/payments-service/harness.ts'
import { cases, hostileBody, hostileHeaders, hostileText, seeded } from './hostile.ts'

let world: ServiceWorld
let project: TestProject

/** A source of prices: without one, Get Price answers 503. */
const source = createServer((_, response) => response.end('{"USD": 50000}'))

beforeAll(async () => {
  await once(source.listen(0, '127.0.0.1'), 'listening')
  const ratesUrl = `http://127.0.0.1:${(source.address() as AddressInfo).port}/`
  world = await ServiceWorld.open({ settings: { ratesUrl, requestsPerSecond: 0, publicRequestsPerSecond: 0 } })
  project = await world.project()
  await world.until(() => world.service.parts.prices.quote('USD') !== undefined)
})

afterAll(async () => {
  await world.close()
  source.closeAllConnections()
  source.close()
})

interface Hostility {
  readonly params: readonly string[]
  readonly body: string
  readonly headers: Record<string, string>
  readonly query: string
}

const NEWEST = new Sql(['SELECT MAX("id") AS "id" FROM "Entry"'], [])

/** Reads the last entry. This must be quick, because it runs for each case. */
function lastEntry(): PromiseLike<unknown> {
  return world.service.parts.database.readRaw.$queryRaw(NEWEST)
}

/** Sends a request, and checks what every answer must fulfil: no 5xx, the error shape, and no move after a refusal. */
async function ask(method: string, url: string, { body, headers }: Pick<Hostility, 'body' | 'headers'>): Promise<void> {
  const before = await lastEntry()
  const isRead = method === 'GET'
  const answer = await world.service.inject({
    method: method as 'GET',
    url,
    headers: { ...(isRead ? {} : { 'content-type': 'application/json' }), ...headers, apikey: project.apiKey },
    ...(isRead ? {} : { payload: body }),
  })
  const said = `${method} ${url} ${body.slice(0, 200)} → ${answer.statusCode} ${answer.body.slice(0, 300)}`
  expect(answer.statusCode < 500, said).toBe(true)
  if (answer.statusCode < 400 || method === 'HEAD') return
  expect(await lastEntry(), said).toEqual(before)
  if (answer.headers['content-type']?.toString().startsWith('application/json')) {
    const { message, reason } = JSON.parse(answer.body)
    // LUD-06 gives the field another name.
    expect(message ?? reason, said).toBeTypeOf('string')
  }
}

const all = Object.values(operations)

describe('hostile requests to the service', () => {
  for (const operation of all) {
    const names = [...operation.path.matchAll(/\{(\w+)\}/g)]
    const fields = Object.keys(operation.body?.shape ?? {})
    it(`cause no internal error in ${operation.name}`, { timeout: 300_000 }, async () => {
      const hostility = fc.record({
        params: fc.tuple(...names.map(() => hostileText)),
        body: hostileBody(fields),
        headers: hostileHeaders,
        query: fc.oneof(fc.constant(''), hostileText),
      })
      const property = fc.asyncProperty(hostility, async ({ params, body, headers, query }) => {
        let i = 0
        const path = operation.path.replace(/\{\w+\}/g, () => encode(params[i++] ?? ''))
        await ask(operation.verb, query === '' ? path : `${path}?${encode(query)}=${encode(query)}`, { body, headers })
      })
      await fc.assert(property, { numRuns: cases(35 / all.length), ...seeded })
    })
  }

  it('cause no internal error on any public route or unknown path', { timeout: 300_000 }, async () => {
    const route = fc.constantFrom(
      '/.well-known/lnurlp/',
      '/lnurlp/',
      '/lnurl/',
      '/withdraw/',
      '/v0/payload-voucher?secret=',
      '/v0/claim-voucher?x=',
      '/wallet/',
      '/v0/',
      '/docs/',
      '/',
    )
    const property = fc.asyncProperty(
      ...([route, hostileText, hostileText, hostileBody(['amount', 'k1', 'pr', 'comment']), hostileHeaders] as const),
      fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'),
      async (at, name, value, body, headers, method) => {
        const query = `amount=${encode(value)}&k1=${encode(value)}&pr=${encode(value)}&comment=${encode(value)}`
        await ask(method, `${at}${encode(name)}?${query}`, { body, headers })
      },
    )
    await fc.assert(property, { numRuns: cases(5), ...seeded })
  })

  it('leave no faults in the book', async () => {
    expect((await world.service.parts.ledger.prove()).faults).toEqual([])
  })
})

/** Percent-encodes a text, and replaces lone surrogates, which cannot be sent. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
