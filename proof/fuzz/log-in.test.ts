import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tokenBody } from '../../src/payments-api/log-in.ts'
import { listTransactions } from '../../src/payments-api/operations/transactions.ts'
import { ServiceWorld } from '../../test/payments-service/harness.ts'
import { LogIns, REDIRECT } from '../../test/payments-service/log-in/log-in-world.ts'
import { cases, hostileBody, hostileText, seeded } from './hostile.ts'

let world: ServiceWorld
let game: LogIns

beforeAll(async () => {
  world = await ServiceWorld.open({ settings: { requestsPerSecond: 0, publicRequestsPerSecond: 0 } })
  game = await LogIns.open(world)
})
afterAll(() => world.close())

const printable = (text: string) => text.replace(/[^\x20-\x7e]/g, '').slice(0, 2_000)
const wellFormed = (fields: Record<string, string>) =>
  new URLSearchParams(Object.entries(fields).map(([name, text]): [string, string] => [name, text.toWellFormed()]))

/** Some of these fields, each with an unexpected text. */
function someOf(names: readonly string[]): fc.Arbitrary<Record<string, string>> {
  return fc.dictionary(fc.constantFrom(...names), hostileText, { maxKeys: names.length })
}

describe('the log-in under hostile requests', () => {
  const asked = ['response_type', 'client_id', 'redirect_uri', 'scope', 'code_challenge', 'code_challenge_method']

  it('redirects only to the registered address and issues no code', { timeout: 300_000 }, async () => {
    const property = fc.asyncProperty(someOf([...asked, 'state', 'prompt', 'request_uri']), async (fields) => {
      const given = new URLSearchParams(game.address().split('?')[1])
      for (const [name, text] of Object.entries(fields)) given.set(name, text.toWellFormed())
      const answer = await world.service.inject({ method: 'GET', url: `/v1/oauth2/authorize?${given}` })
      const said = `${given} → ${answer.statusCode} ${answer.headers.location}`
      expect([200, 303, 400, 414, 431], said).toContain(answer.statusCode)
      const { location } = answer.headers
      if (location === undefined) return
      expect(location.startsWith(`${REDIRECT}&error=`), said).toBe(true)
    })
    await fc.assert(property, { numRuns: cases(1), ...seeded })
    expect(await world.service.parts.database.read.logInCode.count()).toBe(0)
  })

  it('refuses hostile token requests with an error code and a message', { timeout: 300_000 }, async () => {
    const names = Object.keys(tokenBody.shape)
    const { clientId, clientSecret } = game.program
    const form = someOf(names).map((fields) => ({
      type: 'application/x-www-form-urlencoded',
      text: String(wellFormed(fields)),
    }))
    const json = hostileBody(names).map((text) => ({ type: 'application/json', text: text.toWellFormed() }))
    const known = someOf(names).map((fields) => {
      const grant_type = fields.refresh_token === undefined ? 'authorization_code' : 'refresh_token'
      const own = { client_id: clientId, client_secret: clientSecret ?? '', grant_type }
      return { type: 'application/json', text: JSON.stringify({ ...fields, ...own }).toWellFormed() }
    })
    const property = fc.asyncProperty(fc.oneof(form, json, known), async ({ type, text: payload }) => {
      const headers = { 'content-type': type }
      const answer = await world.service.inject({ method: 'POST', url: '/v1/oauth2/token', headers, payload })
      const said = `${payload.slice(0, 300)} → ${answer.statusCode} ${answer.body}`
      expect([400, 401, 413, 415], said).toContain(answer.statusCode)
      const told: unknown = JSON.parse(answer.body)
      expect(told, said).toMatchObject({ error: expect.any(String), message: expect.any(String), success: false })
    })
    await fc.assert(property, { numRuns: cases(1), ...seeded })
  })

  it('answers hostile tokens, cursors and filters without an internal error', { timeout: 300_000 }, async () => {
    const { apiKey } = game.project
    const get = async (url: string, header: Record<string, string> = {}) =>
      (await world.service.inject({ method: 'GET', url, headers: { apikey: apiKey, ...header } })).statusCode
    const property = fc.asyncProperty(
      hostileText.map(printable),
      someOf(Object.keys(listTransactions.query.shape)),
      async (text, query) => {
        for (const what of ['user', 'wallet']) {
          expect([400, 401, 431], text).toContain(await get(`/v1/oauth2/${what}`, { usertoken: text }))
        }
        // A stream would begin without an id, or with an empty one.
        if (text.trim() !== '') {
          expect([400, 410, 431], text).toContain(await get('/v0/events', { 'last-event-id': text }))
        }
        const filters = String(wellFormed(query))
        expect([200, 400, 414, 431], filters).toContain(await get(`/v0/transactions?${filters}`))
      },
    )
    await fc.assert(property, { numRuns: cases(1), ...seeded })
  })
})
