import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect } from 'vitest'
import { attack, blockedAfterMs, installed, type Project } from './installation.ts'

/** A project attacks the interface: what is not public, and what fills the machine. */
const world = installed()
let owner: Project
let thief: Project

beforeAll(async () => {
  owner = await world().project()
  thief = await world().project()
})

describe('access', () => {
  attack('other spellings and methods of a path', 'each needs the key or does not exist', async () => {
    for (const path of ['//v0/wallet', '/v0//wallet', '/V0/wallet', '/v0/./wallet', '/x/../v0/wallet', '/v0/wallet/']) {
      expect([401, 404, 429], path).toContain((await world().ask(path)).status)
    }
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const headers = { 'x-http-method-override': 'GET' }
      const answer = await world().ask('/v0/wallet', { method, apiKey: owner.apiKey, body: {}, headers })
      expect(answer.status, method).toBe(405)
    }
  })

  attack('pages of other sites that read answers', 'no answer permits it', async () => {
    for (const path of ['/v0/wallet', '/wallet', '/metrics', '/health']) {
      const headers = { origin: 'https://evil.example', 'access-control-request-method': 'GET' }
      for (const method of ['GET', 'OPTIONS']) {
        const answer = await world().ask(path, { method, apiKey: owner.apiKey, headers })
        expect(answer.headers.get('access-control-allow-origin'), path).toBe(null)
      }
    }
  })
})

describe('internal addresses', () => {
  const INSIDE = [
    'http://127.0.0.1:PORT/',
    'https://127.0.0.1:PORT/',
    'https://localhost:PORT/',
    'https://localhost.:PORT/',
    'https://[::1]:PORT/',
    'https://[::ffff:127.0.0.1]:PORT/',
    'https://2130706433:PORT/',
    'https://0x7f.1:PORT/',
    'https://0:PORT/',
    'https://user@127.0.0.1:PORT/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[fd00::1]/',
    'https://[64:ff9b::7f00:1]/',
    'ftp://127.0.0.1:PORT/',
    'file:///etc/passwd',
  ]

  attack('callbacks and addresses that lead to internal servers', 'no internal server is contacted', async () => {
    let hits = 0
    const trap = createServer((_request, response) => {
      hits += 1
      response.end('{}')
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => trap.once('listening', resolve))
    const { port } = trap.address() as AddressInfo
    const { apiKey } = thief
    for (const address of INSIDE) {
      const callbackUrl = address.replace('PORT', String(port))
      const made = await world().ask('/v0/withdrawal-requests', { apiKey, body: { amount: '1000', callbackUrl } })
      expect(made.status, address).toBe(400)
      const host = URL.canParse(callbackUrl) ? new URL(callbackUrl).host : 'localhost'
      const valid = await world().ask(`/v0/ln-address/validate/${encodeURIComponent(`x@${host}`)}`, { apiKey })
      expect(valid.json?.data?.valid ?? false, address).toBe(false)
    }
    trap.close()
    expect(hits).toBe(0)
  })

  attack('24 look-ups of names without an address', 'other callers are answered meanwhile', async () => {
    const lookUps = Array.from({ length: 24 }, (_, n) =>
      world().ask(`/v0/ln-address/validate/x@n${n}.attacker.invalid`, { apiKey: thief.apiKey }),
    )
    const started = performance.now()
    expect((await world().ask('/v0/wallet', { apiKey: owner.apiKey })).status).toBe(200)
    expect(performance.now() - started).toBeLessThan(blockedAfterMs())
    for (const answer of await Promise.all(lookUps)) expect(answer.json?.data?.valid ?? false).toBe(false)
  })
})

describe('requests that exhaust the machine', () => {
  attack(
    'bodies that are huge, deeply nested or have unexpected fields',
    'each is refused, and none causes an internal error',
    async () => {
      const { apiKey } = thief
      const json = { 'content-type': 'application/json' }
      const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`
      for (const [body, status] of [
        ['a'.repeat(10 * 1024 * 1024), 413],
        [deep, 400],
        [`{"amount":"1000","metadata":${deep}}`, 400],
        ['{"__proto__":{"scope":"send"},"amount":"1000"}', 400],
        [`{"amount":"1000","description":"${'x'.repeat(25_000)}"}`, 400],
      ] as const) {
        const answer = await world()
          .ask('/v0/withdrawal-requests', { method: 'POST', apiKey, body, headers: json })
          .catch(() => undefined)
        // The server may cut off a text that is far too long before it answers.
        if (answer !== undefined) expect(answer.status, body.slice(0, 40)).toBe(status)
      }
    },
  )
})
