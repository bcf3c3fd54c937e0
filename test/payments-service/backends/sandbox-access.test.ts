import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startService } from '../../../src/assembly/start-service.ts'
import { parseConfig } from '../../../src/config/config.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { systemEntropy } from '../../../src/lib/entropy.ts'
import { encodeLnurl } from '../../../src/lib/lightning/lnurl.ts'
import { silentLogger } from '../../../src/lib/logger.ts'
import { sandboxToken } from '../../../src/payments-service/backends/sandbox/sandbox-token.ts'
import type { Service } from '../../../src/payments-service/service.ts'

/** Tests the service as `npm run service` starts it, with a stranger who reaches its port. */

let folder: string
let service: Service
let token: string
/** Another server on this machine, which a stranger tries to reach through the sandbox. */
let other: Server
let asked: string[]

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-access-'))
  const config = parseConfig({ DATA_FOLDER: folder, SERVICE_PORT: '0' })
  service = await startService({ config, clock: systemClock, entropy: systemEntropy, logger: silentLogger })
  token = readFileSync(join(folder, 'sandbox-token'), 'utf8').trim()
  other = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.end(JSON.stringify({ status: 'ERROR', reason: 'a secret of this machine' }))
  })
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  other.close()
  await service.close()
  rmSync(folder, { recursive: true })
})

const json = { 'content-type': 'application/json' }

async function ask(method: 'GET' | 'POST', path: string, headers: Record<string, string>, body?: string) {
  const answer = await service.inject({ method, url: path, headers, ...(body !== undefined && { payload: body }) })
  return { status: answer.statusCode, code: answer.json().code as unknown, text: answer.body }
}

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

describe('a caller without the token', () => {
  it.each(ROUTES)('cannot reach %s %s', async (method, path, body) => {
    const guesses = ['Bearer x', `Bearer ${'0'.repeat(64)}`, token].map((authorization) => ({ ...json, authorization }))
    for (const stranger of [json, ...guesses])
      expect(await ask(method, path, stranger, body)).toMatchObject({ status: 401, code: 'missing_token' })
    const owner = { ...json, authorization: `Bearer ${token}` }
    expect((await ask(method, path, owner, body)).status).not.toBe(401)
  })

  it('cannot read the token, which is private and unique to its data folder', () => {
    expect(token).toMatch(/^[0-9a-f]{64}$/)
    expect(statSync(join(folder, 'sandbox-token')).mode & 0o777).toBe(0o600)
    expect(sandboxToken(folder, systemEntropy)).toBe(token)
    const elsewhere = mkdtempSync(join(tmpdir(), 'sandbox-access-'))
    expect(sandboxToken(elsewhere, systemEntropy)).not.toBe(token)
    writeFileSync(join(elsewhere, 'sandbox-token'), 'guessable')
    chmodSync(join(elsewhere, 'sandbox-token'), 0o600)
    expect(() => sandboxToken(elsewhere, systemEntropy)).toThrow('Remove the file')
    rmSync(elsewhere, { recursive: true })
  })
})

describe('a web page in the owner’s browser', () => {
  const owner = () => ({ ...json, authorization: `Bearer ${token}` })

  it.each([
    ['of another site', { origin: 'https://evil.example' }],
    ['without an origin', { origin: 'null' }],
    ['foreign to the browser', { 'sec-fetch-site': 'cross-site' }],
    ['of a neighbouring name', { 'sec-fetch-site': 'same-site' }],
  ])('is refused if it is %s', async (_which, headers) => {
    const answer = await ask('GET', '/sandbox/history', { ...owner(), ...headers })
    expect(answer).toMatchObject({ status: 403, code: 'foreign_origin' })
  })

  it('is refused if its host name was rebound to this machine', async () => {
    for (const host of ['evil.example:8787', 'evil.example']) {
      const answer = await ask('GET', '/sandbox/wallet', { ...owner(), host })
      expect(answer).toMatchObject({ status: 403, code: 'foreign_host' })
    }
    for (const host of ['127.0.0.1:8787', 'localhost', '[::1]:8787', '192.168.1.5:8787']) {
      expect((await ask('GET', '/sandbox/wallet', { ...owner(), host })).status).toBe(200)
    }
  })

  it.each([undefined, 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'cannot post as %s, for which browsers send no preflight request',
    async (type) => {
      const headers = { authorization: `Bearer ${token}`, ...(type !== undefined && { 'content-type': type }) }
      const answer = await ask('POST', '/sandbox/release', headers, '{"outcome":"fail"}')
      expect(answer).toMatchObject({ status: 415, code: 'unsupported_media_type' })
    },
  )
})

describe('the outside wallet', () => {
  it('sends LNURL requests only to its own service, not to others on this machine', async () => {
    asked = []
    const owner = { ...json, authorization: `Bearer ${token}` }
    const port = (other.address() as AddressInfo).port
    const origin = `127.0.0.1:${port}`
    for (const request of [
      encodeLnurl(`http://${origin}/private`),
      `lnurlp://${origin}/private`,
      `somebody@${origin}`,
    ]) {
      for (const path of ['/sandbox/pay', '/sandbox/claim']) {
        const answer = await ask('POST', path, owner, JSON.stringify({ request }))
        expect(answer.status).toBe(400)
        expect(answer.text).not.toContain('a secret')
      }
    }
    expect(asked).toEqual([])
    const own = encodeLnurl(`${service.url}/.well-known/lnurlp/nobody`)
    const answer = await ask('POST', '/sandbox/pay', owner, JSON.stringify({ request: own }))
    expect(answer).toMatchObject({ status: 400, code: 'lnurl_refused' })
  })
})
