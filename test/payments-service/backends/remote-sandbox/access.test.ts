import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SandboxServer, startSandbox } from '../../../../src/assembly/start-sandbox.ts'
import { startService } from '../../../../src/assembly/start-service.ts'
import { parseConfig } from '../../../../src/config/config.ts'
import { systemClock } from '../../../../src/lib/clock.ts'
import { systemEntropy } from '../../../../src/lib/entropy.ts'
import { silentLogger } from '../../../../src/lib/logger.ts'
import { sandboxToken } from '../../../../src/payments-service/backends/sandbox/sandbox-token.ts'

/** Tests the sandbox as `npm run sandbox` starts it, with a stranger who reaches its port. */

const runtime = { clock: systemClock, entropy: systemEntropy, logger: silentLogger }
let folder: string
let sandbox: SandboxServer
let token: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-server-'))
  const config = parseConfig({ DATA_FOLDER: folder, SANDBOX_PORT: '0', SANDBOX_URL: 'http://sandbox.internal:8789' })
  sandbox = await startSandbox(config, runtime)
  token = sandboxToken(folder, systemEntropy)
})
afterAll(async () => {
  await sandbox.close()
  rmSync(folder, { recursive: true })
})

const hash = '0'.repeat(64)
const json = { 'content-type': 'application/json' }
const ROUTES = [
  ['POST', '/node/hello', { serves: [] }],
  ['GET', '/node/balances', undefined],
  ['POST', '/node/invoices', { amount: '1000', description: { text: '' }, expiresInSeconds: 60 }],
  ['GET', `/node/invoices/${hash}`, undefined],
  ['POST', `/node/invoices/${hash}/cancel`, {}],
  ['POST', '/node/payments', { invoice: 'lnbcrt1', paymentHash: hash, maxFee: '0', timeoutMs: 0 }],
  ['POST', '/node/keysends', {}],
  ['GET', `/node/payments/${hash}`, undefined],
  ['GET', '/node/settlements', undefined],
  ['POST', '/sandbox/pay', { request: 'lnbcrt1' }],
  ['GET', '/sandbox/wallet', undefined],
  ['POST', '/sandbox/faults', { next: 'fail', times: 0 }],
] as const

async function ask(method: string, path: string, headers: Record<string, string>, body?: object) {
  const stop = new AbortController()
  const answer = await fetch(`${sandbox.url}${path}`, {
    method,
    headers,
    signal: stop.signal,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  // The stream of settlements has no end.
  const text = path.endsWith('/settlements') && answer.ok ? '{}' : await answer.text()
  stop.abort()
  return { status: answer.status, code: JSON.parse(text).code as unknown }
}

describe('a sandbox in its own process', () => {
  it.each(ROUTES)('opens %s %s only to the holder of its token', async (method, path, body) => {
    const stranger = { status: 401, code: 'missing_token' }
    expect(await ask(method, path, json, body)).toEqual(stranger)
    expect(await ask(method, path, { ...json, authorization: `Bearer ${hash}` }, body)).toEqual(stranger)
    const { status } = await ask(method, path, { ...json, authorization: `Bearer ${token}` }, body)
    expect([200, 400, 404]).toContain(status)
  })

  it.each(ROUTES)('refuses %s %s to every web page', async (method, path, body) => {
    const page = { ...json, authorization: `Bearer ${token}`, origin: 'https://evil.example' }
    expect(await ask(method, path, page, body)).toEqual({ status: 403, code: 'foreign_origin' })
    if (method !== 'POST') return
    const form = { authorization: `Bearer ${token}`, 'content-type': 'text/plain' }
    expect((await ask(method, path, form, body)).status).toBe(415)
  })

  it('listens on loopback, answers everybody at /health and keeps its token private', async () => {
    expect(new URL(sandbox.url).hostname).toBe('127.0.0.1')
    expect((await fetch(`${sandbox.url}/health`)).status).toBe(200)
    expect(statSync(sandbox.tokenFile).mode & 0o777).toBe(0o600)
  })

  it('locks its folder against a second sandbox and a service with its own sandbox', async () => {
    const config = parseConfig({ DATA_FOLDER: folder, SANDBOX_PORT: '0', SERVICE_PORT: '0' })
    await expect(startSandbox(config, runtime)).rejects.toThrow(/in use by another process/)
    await expect(startService({ config, ...runtime })).rejects.toThrow(/in use by another process/)
  })

  it('answers 400 to an invalid amount or cursor', async () => {
    const owner = { ...json, authorization: `Bearer ${token}` }
    expect(await ask('POST', '/node/invoices', owner, { amount: '1.5' })).toEqual({
      status: 400,
      code: 'malformed_input',
    })
    expect(await ask('GET', '/node/settlements?after=nothing', owner)).toMatchObject({ status: 400 })
  })
})
