import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../src/lib/clock.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { decodeInvoice } from '../../src/lib/lightning/bolt11.ts'
import { silentLogger } from '../../src/lib/logger.ts'
import { type Msats, msats, sats } from '../../src/lib/money/amount.ts'
import { createAdministration } from '../../src/payments-service/administration/administration.ts'
import type { LightningBackend } from '../../src/payments-service/backends/backend.ts'
import { NODE, SUSPENSE, wallet } from '../../src/payments-service/core/chart-of-accounts.ts'
import { createService, DEFAULT_SETTINGS, type Service } from '../../src/payments-service/service.ts'
import { until } from './lnd-process.ts'

/** The network around the service in tests. */
export interface NetworkAround {
  connect(): LightningBackend
  /** Resolves when no channel has a payment. */
  atRest(): Promise<void>
  outsidePays(invoice: string): Promise<unknown>
  outsideInvoice(amount: Msats): Promise<{ invoice: string; paymentHash: string }>
  holdInvoice(amount: Msats): Promise<{
    asked: { invoice: string; paymentHash: string }
    held(): Promise<unknown>
    settle(): Promise<unknown>
    cancel(): Promise<unknown>
  }>
}

/** The service on its own database, with stops and restarts. */
class ServiceOnLnd {
  readonly #network: NetworkAround
  readonly #folder = mkdtempSync(join(tmpdir(), 'service-on-lnd-'))
  #running: { readonly backend: LightningBackend; readonly service: Service } | undefined
  #heldBefore = 0n
  project = { apiKey: '', projectId: '' }

  constructor(network: NetworkAround) {
    this.#network = network
  }

  get backend(): LightningBackend {
    return this.#now.backend
  }

  get parts(): Service['parts'] {
    return this.#now.service.parts
  }

  get #now() {
    if (this.#running === undefined) throw new Error('the service does not run')
    return this.#running
  }

  async open(): Promise<void> {
    await this.#network.atRest()
    await this.start()
    this.#heldBefore = (await this.backend.balances()).settled
    const administration = createAdministration({ ...this.parts, sandbox: false })
    this.project = await administration.createProject('a project')
    await administration.createUser('alice')
  }

  async start(): Promise<void> {
    const backend = this.#network.connect()
    const service = await createService({
      database: `file:${this.#folder}/payments.sqlite`,
      backend,
      clock: systemClock,
      entropy: systemEntropy,
      logger: silentLogger,
      settings: DEFAULT_SETTINGS,
      alone: true,
      port: 0,
    })
    this.#running = { backend, service }
  }

  async stop(): Promise<void> {
    const { backend, service } = this.#now
    this.#running = undefined
    await service.close()
    await backend.close()
  }

  async close(): Promise<void> {
    if (this.#running !== undefined) await this.stop()
    rmSync(this.#folder, { recursive: true })
  }

  async call(path: string, body: object) {
    const headers = { apikey: this.project.apiKey, 'content-type': 'application/json' }
    const answer = await fetch(this.#now.service.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await answer.json()) as { data: { id: string; invoiceRequest: string; status: string; fee: string } }
  }

  /** Makes a charge for alice, and resolves to its invoice. */
  async charge(amount: string): Promise<string> {
    return (await this.call('/v0/gamertag/charges', { amount, gamertag: 'alice' })).data.invoiceRequest
  }

  /** Resolves to the project's balance. */
  projectHas(): Promise<bigint> {
    return this.parts.ledger.balance(wallet({ kind: 'project', id: this.project.projectId }))
  }

  /** Resolves when the book's node account equals the channels' gain, to the msat. */
  isBalanced(): Promise<boolean> {
    return until('book and node agree to the msat', async () => {
      const { settled, inFlight } = await this.backend.balances()
      return inFlight === 0n && settled - this.#heldBefore === -(await this.parts.ledger.balance(NODE))
    })
  }

  finished(id: string) {
    return until('the payment has an end', async () => {
      const payment = await this.parts.database.read.payment.findUniqueOrThrow({ where: { id } })
      return payment.status !== 'sending' && payment.status !== 'unknown' && payment
    })
  }
}

/**
 * Declares the tests of a service with its book on a real node: after each step, the book's node account equals the
 * channels' sum.
 */
export function describeService(network: NetworkAround): void {
  const service = new ServiceOnLnd(network)
  beforeAll(() => service.open())
  afterAll(() => service.close())

  it('the book excludes payments that the node received before the book began', async () => {
    expect(await service.parts.ledger.balance(SUSPENSE)).toBe(0n)
    await service.isBalanced()
  })

  it('a deposit that arrives while the service is down is credited after a restart', async () => {
    const invoice = await service.charge('50000000')
    await service.stop()
    await network.outsidePays(invoice)
    await service.start()
    const { payeeId } = await service.parts.database.read.invoice.findFirstOrThrow()
    const alice = wallet({ kind: 'user', id: payeeId })
    await until('it is credited', async () => (await service.parts.ledger.balance(alice)) === 50_000_000n)
    await service.isBalanced()
    // The project's later payments use these sats.
    const moves = [
      { from: alice, to: wallet({ kind: 'project', id: service.project.projectId }), amount: sats(40_000) },
    ]
    await service.parts.ledger.commit({ entries: [{ operation: 'a gift', step: 'post', moves }] })
  })

  it('a payment is booked with the fee that the node paid', async () => {
    const { invoice } = await network.outsideInvoice(msats(1_234_567))
    const payment = await service.finished((await service.call('/v0/payments', { invoice })).data.id)
    expect(payment).toMatchObject({ status: 'completed', amount: 1_234_567n })
    expect(await service.projectHas()).toBe(40_000_000n - 1_234_567n - (payment.fee ?? 0n))
    await service.isBalanced()
  })

  it.each(['settle', 'cancel'] as const)(
    'a payment that is pending during a restart ends as its HTLC does: %s',
    async (decision) => {
      const before = await service.projectHas()
      const hold = await network.holdInvoice(sats(700))
      const { data } = await service.call('/v0/payments', { invoice: hold.asked.invoice })
      expect(data.status).toBe('processing')
      await hold.held()
      await service.stop()
      await service.start()
      expect(await service.projectHas()).toBeLessThan(before - sats(700))
      await hold[decision]()
      const payment = await service.finished(data.id)
      expect(payment.status).toBe(decision === 'settle' ? 'completed' : 'failed')
      const spent = decision === 'settle' ? sats(700) + (payment.fee ?? 0n) : 0n
      expect(await service.projectHas()).toBe(before - spent)
      await service.isBalanced()
    },
  )

  it('an invoice of our own is paid within the book and then canceled on the node', async () => {
    const invoice = await service.charge('5000')
    expect((await service.call('/v0/payments', { invoice })).data).toMatchObject({ status: 'completed', fee: '0' })
    const { paymentHash } = decodeInvoice(invoice)
    await until('it is closed', async () => (await service.backend.lookUpInvoice(paymentHash))?.state === 'closed')
    await expect(network.outsidePays(invoice)).rejects.toThrow()
    await service.isBalanced()
  })
}
