import { readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { encodeLnurl } from '../../src/lib/lightning/lnurl.ts'
import { attack, installed } from './installation.ts'

/** Web pages, tunnels and neighbours attack what is open to this machine alone. */
const world = installed()

const ROUTES = [
  ['POST', '/sandbox/pay', '{"request":"lnbcrt1"}'],
  ['POST', '/sandbox/claim', '{"request":"lnurl1"}'],
  ['POST', '/sandbox/invoice', '{}'],
  ['GET', '/sandbox/wallet', undefined],
  ['GET', `/sandbox/payments/${'0'.repeat(64)}`, undefined],
  ['GET', '/sandbox/history', undefined],
  ['POST', '/sandbox/faults', '{"next":"fail"}'],
  ['POST', '/sandbox/release', '{"outcome":"fail"}'],
] as const

const owner = () => ({ authorization: `Bearer ${readFileSync(join(world().folder, 'sandbox-token'), 'utf8').trim()}` })
const JSON_TYPE = { 'content-type': 'application/json' }

/** A request under another name than the one that it is sent to; `fetch` would not let a page lie about it. */
function askUnder(host: string, path: string, headers: Record<string, string> = {}): Promise<number> {
  const { port } = new URL(world().url)
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, headers: { ...headers, host } }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
    })
    sent.on('error', reject).end()
  })
}

/** Another server of this machine; what it was asked for. */
async function trap(attempt: (origin: string) => Promise<void>): Promise<string[]> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.end(JSON.stringify({ status: 'ERROR', reason: 'a secret of this machine' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  await attempt(`127.0.0.1:${(server.address() as AddressInfo).port}`)
  server.close()
  return asked
}

describe("the sandbox's routes", () => {
  attack('all of them without the token, and with tokens that are guessed', 'none does anything', async () => {
    for (const [method, path, body] of ROUTES) {
      for (const authorization of [undefined, 'Bearer x', `Bearer ${'0'.repeat(64)}`, owner().authorization.slice(7)]) {
        const headers = { ...JSON_TYPE, ...(authorization !== undefined && { authorization }) }
        const answer = await world().ask(path, { method, headers, ...(body !== undefined && { body }) })
        expect([answer.status, answer.json.code], path).toEqual([401, 'missing_token'])
      }
    }
  })

  attack("a web page in the owner's browser, that knows the token", 'refused by origin, name and type', async () => {
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      const answer = await world().ask('/sandbox/history', { headers: { ...owner(), ...(headers as object) } })
      expect(answer.status, JSON.stringify(headers)).toBe(403)
    }
    expect(await askUnder('rebound.evil.example', '/sandbox/history', owner())).toBe(403)
    expect(await askUnder('localhost', '/sandbox/history', owner())).toBe(200)
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const headers = { ...owner(), 'content-type': type }
      const answer = await world().ask('/sandbox/faults', { method: 'POST', headers, body: '{"next":"fail"}' })
      expect(answer.status, type).toBe(415)
    }
  })

  attack(
    'an LNURL or address of another server of this machine, for its wallet to pay',
    'it is not asked',
    async () => {
      const asked = await trap(async (origin) => {
        for (const request of [encodeLnurl(`http://${origin}/private`), `lnurlp://${origin}/private`, `x@${origin}`]) {
          for (const path of ['/sandbox/pay', '/sandbox/claim']) {
            const answer = await world().ask(path, { headers: owner(), body: { request } })
            expect(answer.status, `${path} ${request}`).toBe(400)
            expect(answer.text).not.toContain('a secret')
          }
        }
      })
      expect(asked).toEqual([])
    },
  )
})

describe('servers open to this machine alone', () => {
  attack('/metrics through a tunnel that passes on the name, or says for whom it asks', 'refused', async () => {
    for (const host of ['pay.example.org', '203.0.113.9:8787', 'localhost.evil.example', 'evil.example:80']) {
      expect(await askUnder(host, '/metrics'), host).toBe(403)
    }
    for (const name of ['x-forwarded-for', 'x-real-ip', 'x-forwarded-proto', 'forwarded', 'via']) {
      expect(await askUnder('localhost', '/metrics', { [name]: 'for=203.0.113.9' }), name).toBe(403)
    }
    expect(await askUnder('localhost', '/metrics')).toBe(200)
  })

  attack("callbacks to the bot's own server, for another project", 'refused: they are the bot’s alone', async () => {
    const { apiKey } = await world().project()
    for (const host of [world().callbacksUrl, world().url]) {
      const callbackUrl = `${host}/callbacks/${'0'.repeat(64)}`
      const answer = await world().ask('/v0/withdrawal-requests', { apiKey, body: { amount: '1000', callbackUrl } })
      expect(answer.status, host).toBe(400)
    }
  })

  attack('a thousand Idempotency-Keys of a key that may only read', 'the book has none of them', async () => {
    const { administration, phone } = world()
    const project = await world().project()
    const { apiKey } = await administration.createKey(project.projectId, { scopes: ['read'] })
    const { invoice } = await phone.invoice(5_000n)
    const rows = () => world().stored('payments', 'SELECT count(*) FROM "IdempotencyKey"')
    const before = await rows()
    for (let round = 0; round < 10; round += 1) {
      const ask = (n: number) =>
        world().ask('/v0/decode-invoice', {
          ...{ apiKey, body: { invoice } },
          headers: { 'idempotency-key': `read-${round}-${n}` },
        })
      const answers = await Promise.all(Array.from({ length: 100 }, (_, n) => ask(n)))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    }
    expect((await rows()) - before).toBe(0n)
  })
})
