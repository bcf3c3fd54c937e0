import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { freePort } from '../../proof/nodes/lnd-process.ts'
import { KillableProcess } from '../../proof/world/processes/killable-process.ts'
import { startService } from '../../src/assembly/start-service.ts'
import { parseConfig } from '../../src/config/config.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { sats } from '../../src/lib/money/amount.ts'
import { createAdministration } from '../../src/payments-service/administration/administration.ts'
import { sandboxToken } from '../../src/payments-service/backends/sandbox/sandbox-token.ts'
import { NODE, wallet } from '../../src/payments-service/core/chart-of-accounts.ts'
import type { Service } from '../../src/payments-service/service.ts'
import { createSandboxPhone } from '../../src/playground/world/sandbox-phone.ts'
import type { Phone } from '../../src/playground/world.ts'

/** Runs the service in this process, and its sandbox in another process, which is killed at the worst moments. */

const runtime = { clock: systemClock, entropy: systemEntropy, logger: silentLogger }
let folder: string
let sandbox: KillableProcess
let service: Service
let phone: Phone
let project: { apiKey: string; projectId: string }

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-process-'))
  const SANDBOX_PORT = String(await freePort())
  const SANDBOX_URL = `http://127.0.0.1:${SANDBOX_PORT}`
  const token = sandboxToken(folder, systemEntropy)
  sandbox = new KillableProcess('sandbox.ts', folder, { DATA_FOLDER: folder, SANDBOX_PORT })
  await sandbox.start()
  const config = parseConfig({
    DATA_FOLDER: folder,
    SERVICE_PORT: '0',
    LIGHTNING_BACKEND: 'remote-sandbox',
    SANDBOX_URL,
    SANDBOX_TOKEN: token,
  })
  service = await startService({ config, ...runtime })
  phone = createSandboxPhone({ url: () => SANDBOX_URL, token }, () => undefined)
  const administration = createAdministration({ ...service.parts, sandbox: true })
  project = await administration.createProject('a project', sats(100_000))
  await administration.createUser('alice')
}, 120_000)

afterAll(async () => {
  await service.close()
  await sandbox.discard()
  rmSync(folder, { recursive: true })
})

async function call(path: string, body: object) {
  const headers = { apikey: project.apiKey, 'content-type': 'application/json' }
  const answer = await fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return (await answer.json()) as { data: { id: string; invoiceRequest: string; status: string } }
}

const PENDING = { state: 'pending' }
const has = async (kind: 'project' | 'user', id: string) => service.parts.ledger.balance(wallet({ kind, id }))
const charge = async () => (await call('/v0/gamertag/charges', { amount: '50000', gamertag: 'alice' })).data
/** The time limit is long because processes start slowly on a busy machine. */
vi.setConfig({ testTimeout: 120_000 })
const eventually = <T>(check: () => Promise<T> | T) => vi.waitFor(check, { timeout: 100_000, interval: 50 })

async function alice(): Promise<string> {
  return (await service.parts.database.read.invoice.findFirstOrThrow()).payeeId
}

it('payments by invoice and by Lightning Address are credited', async () => {
  await phone.pay((await charge()).invoiceRequest)
  const id = await alice()
  await eventually(async () => expect(await has('user', id)).toBe(50_000n))
  // The outside wallet asks only where a service has said that it serves LNURL.
  await phone.pay(`alice@${new URL(service.url).host}`, 7_000n)
  await eventually(async () => expect(await has('user', id)).toBe(57_000n))
})

it('a payment that hangs while the sandbox is killed stays reserved and ends once', async () => {
  await phone.misbehave('hang')
  const { invoice, paymentHash } = await phone.invoice(20_000n)
  const before = await has('project', project.projectId)
  const sending = call('/v0/payments', { invoice })
  await eventually(async () => expect(await service.parts.backend.lookUpPayment(paymentHash)).toMatchObject(PENDING))
  const arrived = async () => (await phone.history()).filter(({ direction }) => direction === 'in').length
  expect(await arrived()).toBe(0)
  await sandbox.kill()
  expect((await sending).data.status).toBe('processing')
  expect(await has('project', project.projectId)).toBeLessThan(before - 20_000n)
  await sandbox.start()
  await phone.release('settle')
  await eventually(async () => {
    const payment = await service.parts.database.read.payment.findFirstOrThrow()
    expect(payment.status).toBe('completed')
  })
  const { amount, fee } = await service.parts.database.read.payment.findFirstOrThrow()
  expect(await has('project', project.projectId)).toBe(before - amount - (fee ?? 0n))
  expect(await arrived()).toBe(1)
})

it('an invoice made before a kill can still be paid, and its payment is credited', async () => {
  const { invoiceRequest } = await charge()
  const before = await has('user', await alice())
  await sandbox.kill()
  await sandbox.start()
  await phone.pay(invoiceRequest)
  await eventually(async () => expect(await has('user', await alice())).toBe(before + 50_000n))
  expect(await service.parts.ledger.balance(NODE)).toBeLessThan(0n)
})
