import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { freePort } from '../../proof/nodes/lnd-process.ts'
import { type Balancer, balance } from '../../proof/world/processes/balancer.ts'
import { KillableProcess } from '../../proof/world/processes/killable-process.ts'
import { type SandboxServer, startSandbox } from '../../src/assembly/start-sandbox.ts'
import { startService } from '../../src/assembly/start-service.ts'
import { parseConfig } from '../../src/config/config.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { sats } from '../../src/lib/money/amount.ts'
import { createAdministration } from '../../src/payments-service/administration/administration.ts'
import { sandboxToken } from '../../src/payments-service/backends/sandbox/sandbox-token.ts'
import { wallet } from '../../src/payments-service/core/chart-of-accounts.ts'
import type { Service } from '../../src/payments-service/service.ts'
import { proveService } from '../payments-service/prove-service.ts'
import { databaseFor } from '../support/postgres/databases.ts'

/** Two services as separate processes on one book, behind a balancer; this process reads the book beside them. */

const CLIENTS = 6
const runtime = { clock: systemClock, entropy: systemEntropy, logger: silentLogger }
let folder: string
let sandbox: SandboxServer
let services: { readonly url: string; readonly process: KillableProcess }[]
let balancer: Balancer
let beside: Service
let apiKey: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rolling-'))
  const SANDBOX_TOKEN = sandboxToken(folder, systemEntropy)
  sandbox = await startSandbox(parseConfig({ DATA_FOLDER: folder, SANDBOX_PORT: '0' }), runtime)
  const environment = {
    PAYMENTS_DATABASE_URL: await databaseFor('rolling-restart', 'payments'),
    LIGHTNING_BACKEND: 'remote-sandbox',
    SANDBOX_URL: sandbox.url,
    SANDBOX_TOKEN,
    // As docs/SCALING.md advises: the balancer notices in time, even on a busy machine.
    DRAIN_SECONDS: '5',
  }
  services = []
  for (const name of ['one', 'two']) {
    const SERVICE_PORT = String(await freePort())
    const own = { ...environment, SERVICE_PORT, DATA_FOLDER: join(folder, name), INSTANCE_NAME: name }
    services.push({ url: `http://127.0.0.1:${SERVICE_PORT}`, process: new KillableProcess('service.ts', folder, own) })
  }
  const config = parseConfig({ ...environment, SERVICE_PORT: '0', DATA_FOLDER: folder, DRAIN_SECONDS: '0' })
  beside = await startService({ config, ...runtime })
  const administration = createAdministration({ ...beside.parts, sandbox: true })
  apiKey = (await administration.createProject('a project', sats(1_000_000))).apiKey
  await administration.createUser('alice')
  balancer = await balance(services.map(({ url }) => url))
  for (const { process } of services) await process.start()
  await bothAreReady()
}, 240_000)

afterAll(async () => {
  await balancer.close()
  for (const { process } of services) await process.discard()
  await beside.close()
  await sandbox.close()
  rmSync(folder, { recursive: true })
})

const bothAreReady = () => vi.waitFor(() => expect(balancer.ready.size).toBe(2), { timeout: 100_000, interval: 50 })

/** Keeps paying a sat to alice, as several clients do, each with its own keys. */
function payOnAndOn() {
  const answers: { readonly key: string; readonly status: number }[] = []
  let over = false
  const client = async (name: number) => {
    for (let count = 0; !over; count += 1) {
      const key = `${name}-${count}`
      const { status, text } = await pay(key)
      answers.push({ key, status })
      if (status !== 200) throw new Error(`${key}: ${status} ${text}`)
    }
  }
  const clients = Promise.allSettled(Array.from({ length: CLIENTS }, (_, name) => client(name)))
  return {
    answers,
    async end() {
      over = true
      expect((await clients).filter(({ status }) => status === 'rejected')).toEqual([])
    },
  }
}

async function pay(key: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${balancer.url}/v0/gamertag/send-payment`, {
    method: 'POST',
    headers: { apikey: apiKey, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ gamertag: 'alice', amount: '1000', description: key }),
  })
  return { status: response.status, text: await response.text() }
}

const ownership = () => beside.parts.database.read.lease.findMany()

it('a killed service can start again before its old lease ends', async () => {
  const [{ process }] = services as [(typeof services)[number]]
  const living = async () =>
    (await ownership()).filter(({ name }) => name.startsWith('process:')).map(({ name }) => name)
  const before = await living()
  await process.kill()
  await process.start()
  const after = await living()
  expect(after).toHaveLength(before.length)
  expect(after.filter((name) => !before.includes(name))).toHaveLength(1)
  await bothAreReady()
})

it('no request fails and no payment is made twice while services restart one by one', async () => {
  const paying = payOnAndOn()
  const more = async () => {
    const count = paying.answers.length
    await vi.waitFor(() => expect(paying.answers.length).toBeGreaterThan(count + 20), { timeout: 60_000 })
  }
  for (const { process, url } of services) {
    await more()
    const stopping = process.stop()
    await vi.waitFor(() => expect(balancer.ready.has(url)).toBe(false), { timeout: 30_000, interval: 10 })
    await more()
    await stopping
    // It has given back what it had: nobody waits for half a minute until it counts as silent.
    const rows = await ownership()
    const living = rows.filter(({ name }) => name.startsWith('process:')).map(({ holder }) => holder)
    expect(living).toHaveLength(2)
    for (const { holder } of rows) expect([...living, '']).toContain(holder)
    await more()
    await process.start()
    await bothAreReady()
  }
  await more()
  await paying.end()
  expect(paying.answers.filter(({ status }) => status !== 200)).toEqual([])
  const { id } = await beside.parts.database.read.user.findFirstOrThrow()
  expect(await beside.parts.ledger.balance(wallet({ kind: 'user', id }))).toBe(sats(paying.answers.length))
  await proveService(beside)
}, 240_000)
