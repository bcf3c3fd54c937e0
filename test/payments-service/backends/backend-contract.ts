import { createHash, randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { decodeInvoice } from '../../../src/lib/lightning/bolt11.ts'
import { type Msats, msats, sats, ZERO } from '../../../src/lib/money/amount.ts'
import type { InvoiceRequest, LightningBackend, Settlement } from '../../../src/payments-service/backends/backend.ts'
import { isOdd, isReadable } from '../../../src/payments-service/backends/node-answers.ts'
import { BACKEND_KINDS } from '../../../src/payments-service/engine/node/backend-list.ts'

/**
 * A backend and somebody else's node, between which there are routes in both directions. Payments take no noticeable
 * time.
 */
export interface BackendUnderTest {
  readonly backend: LightningBackend
  readonly peer: {
    pubkey(): Promise<string>
    createInvoice(request: { amount?: Msats }): Promise<{ invoice: string; paymentHash: string }>
    /** Pays an invoice. Rejects if the payment fails. */
    pay(invoice: string, amount?: Msats): Promise<{ preimage: string }>
    keysend(amount: Msats): Promise<{ paymentHash: string }>
    /** Returns the amount that arrived for a hash; undefined if none did. */
    received(paymentHash: string): Promise<Msats | undefined>
  }
  close(): Promise<void>
}

const maxFee = sats(100)
/** A time limit for payments that is longer than any test. */
const timeoutMs = 60_000
const request: InvoiceRequest = { amount: sats(1_000), description: { text: 'A tip' }, expiresInSeconds: 600 }

function sha256(hex: string): string {
  return createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex')
}

/** Returns the first `count` settlements after a cursor. */
export async function settlements(backend: LightningBackend, count: number, cursor?: string): Promise<Settlement[]> {
  const stop = new AbortController()
  const found: Settlement[] = []
  for await (const settlement of backend.settledInvoices(cursor, stop.signal)) {
    if (isOdd(settlement)) throw new Error(settlement.odd)
    found.push(settlement)
    if (found.length === count) stop.abort()
  }
  return found
}

/** A function that returns the running test's own backend. */
type Current = () => BackendUnderTest

/** Tests what the payments service requires of a node, with any backend. `open` creates a new backend for each test. */
export function describeBackend(name: string, open: () => Promise<BackendUnderTest>): void {
  describe(`${name} as a backend`, () => {
    let test: BackendUnderTest
    beforeEach(async () => {
      test = await open()
    })
    afterEach(() => test.close())

    describe('its state', () => describeIdentity(() => test))
    describe('its invoices', () => describeInvoices(() => test))
    describe('the end of an invoice', () => describeEndsOfInvoices(() => test))
    describe('its settlements', () => describeSettlements(() => test))
    describe('its payments of invoices', () => describePayments(() => test))
    describe('its list of payments', () => describeSentPayments(() => test))
    describe('its payments without an invoice', () => describeKeysends(() => test))
  })
}

function describeInvoices(current: Current): void {
  it('have the requested content', async () => {
    const { backend } = current()
    const { pubkey, network } = await backend.info()
    const made = await backend.createInvoice(request)
    expect(decodeInvoice(made.invoice)).toMatchObject({
      network,
      payee: pubkey,
      amount: request.amount,
      description: 'A tip',
      paymentHash: made.paymentHash,
      expiresAt: made.expiresAt,
    })
    expect(await backend.lookUpInvoice(made.paymentHash)).toEqual({ state: 'open' })
    if (made.preimage !== undefined) expect(sha256(made.preimage)).toBe(made.paymentHash)
    const open = await backend.createInvoice({ ...request, amount: undefined })
    expect(decodeInvoice(open.invoice).amount).toBeUndefined()
    expect(open.paymentHash).not.toBe(made.paymentHash)
  })

  it('can carry a description hash', async (context) => {
    if (!current().backend.capabilities.descriptionHash) context.skip()
    const text = 'what the payer has read'
    const hash = createHash('sha256').update(text).digest('hex')
    const { invoice } = await current().backend.createInvoice({ ...request, description: { text, hash } })
    expect(decodeInvoice(invoice)).toMatchObject({ descriptionHash: hash, description: undefined })
  })

  it('are reported with their preimages once they are paid', async () => {
    const { backend, peer } = current()
    const { invoice, paymentHash } = await backend.createInvoice(request)
    const { preimage } = await peer.pay(invoice)
    expect(sha256(preimage)).toBe(paymentHash)
    const status = await backend.lookUpInvoice(paymentHash)
    expect(status).toMatchObject({ state: 'settled', received: request.amount, preimage })
    expect(await settlements(backend, 1)).toEqual([
      {
        cursor: expect.any(String),
        paymentHash,
        received: request.amount,
        preimage,
        settledAt: status?.state === 'settled' && status.settledAt,
        keysend: false,
      },
    ])
  })

  it('can be paid with any amount if they state none', async () => {
    const { backend, peer } = current()
    const { invoice, paymentHash } = await backend.createInvoice({ ...request, amount: undefined })
    await peer.pay(invoice, sats(77))
    expect(await backend.lookUpInvoice(paymentHash)).toMatchObject({ state: 'settled', received: sats(77) })
  })
}

function describeEndsOfInvoices(current: Current): void {
  it('comes with the payment, after which the invoice cannot be paid again', async () => {
    const { backend, peer } = current()
    const { invoice, paymentHash } = await backend.createInvoice(request)
    await peer.pay(invoice)
    await expect(peer.pay(invoice)).rejects.toThrow()
    expect(await backend.lookUpInvoice(paymentHash)).toMatchObject({ received: request.amount })
  })

  it('comes with a cancellation unless the invoice has been paid', async (context) => {
    const { backend, peer } = current()
    if (!backend.capabilities.cancelInvoice) context.skip()
    const open = await backend.createInvoice(request)
    expect(await backend.cancelInvoice(open.paymentHash)).toBe('canceled')
    expect(await backend.cancelInvoice(open.paymentHash)).toBe('canceled')
    await expect(peer.pay(open.invoice)).rejects.toThrow()
    expect(['closed', 'gone']).toContain((await backend.lookUpInvoice(open.paymentHash))?.state)
    const paid = await backend.createInvoice(request)
    await peer.pay(paid.invoice)
    expect(await backend.cancelInvoice(paid.paymentHash)).toBe('settled')
    expect(await backend.lookUpInvoice(paid.paymentHash)).toMatchObject({ state: 'settled' })
  })

  it('is unknown for a hash that the node has never seen', async () => {
    const { paymentHash } = await current().peer.createInvoice({ amount: sats(5) })
    for (const hash of [sha256('ff'), paymentHash]) {
      expect(await current().backend.lookUpInvoice(hash)).toBeUndefined()
      expect(await current().backend.cancelInvoice(hash)).toBe('unknown')
    }
  })
}

function describeSettlements(current: Current): void {
  it('are reported in order, after a given cursor and as they arrive', async () => {
    const { backend, peer } = current()
    const hashes: string[] = []
    for (let i = 0; i < 3; i += 1) {
      const { invoice, paymentHash } = await backend.createInvoice(request)
      hashes.push(paymentHash)
      await peer.pay(invoice)
    }
    const first = await settlements(backend, 3)
    expect(first.map((one) => one.paymentHash)).toEqual(hashes)
    expect(await settlements(backend, 2, first[0]?.cursor)).toEqual(first.slice(1))
    const coming = settlements(backend, 1, first[2]?.cursor)
    const { invoice, paymentHash } = await backend.createInvoice(request)
    await peer.pay(invoice)
    expect(await coming).toMatchObject([{ paymentHash }])
  })

  it('are reported only until their reader stops listening', async () => {
    const stop = new AbortController()
    const ended = (async () => {
      for await (const _ of current().backend.settledInvoices(undefined, stop.signal))
        throw new Error('nothing settled')
    })()
    stop.abort()
    await ended
  })

  it('include keysends, for which there is no invoice', async (context) => {
    if (!current().backend.capabilities.keysend) context.skip()
    const { paymentHash } = await current().peer.keysend(sats(3))
    expect(await settlements(current().backend, 1)).toMatchObject([{ paymentHash, received: sats(3), keysend: true }])
    expect(await current().backend.lookUpInvoice(paymentHash)).toBeUndefined()
  })
}

function describeSentPayments(current: Current): void {
  it('contains the sent payments if the node can list them', async (context) => {
    const { backend, peer } = current()
    if (backend.sentPayments === undefined) return context.skip('this node has no list that ends')
    const { invoice, paymentHash } = await peer.createInvoice({ amount: sats(500) })
    const paid = await backend.pay({ invoice, paymentHash, amount: undefined, maxFee, timeoutMs })
    const sent = await backend.sentPayments(5)
    const fee = paid.state === 'paid' ? (paid.fee ?? 0n) : 0n
    const found = sent.filter(isReadable).find((one) => one.paymentHash === paymentHash)
    expect(found).toMatchObject({ at: expect.any(Date) })
    // Some count whole sats.
    expect(Math.abs(Number(found?.amount ?? 0n) - Number(sats(500) + fee))).toBeLessThan(1_000)
    expect(sent.length).toBeLessThanOrEqual(5)
  })
}

function describePayments(current: Current): void {
  it('stay within the fee limit and return the preimage and the fee', async () => {
    const { backend, peer } = current()
    const { invoice, paymentHash } = await peer.createInvoice({ amount: sats(500) })
    expect(await backend.lookUpPayment(paymentHash)).toEqual({ state: 'absent' })
    const outcome = await backend.pay({ invoice, paymentHash, amount: undefined, maxFee, timeoutMs })
    expect(outcome).toEqual({ state: 'paid', preimage: expect.any(String), fee: expect.any(BigInt) })
    if (outcome.state !== 'paid') return
    expect(sha256(outcome.preimage)).toBe(paymentHash)
    expect(outcome.fee).toBeLessThanOrEqual(maxFee)
    expect(await peer.received(paymentHash)).toBe(sats(500))
    expect(await backend.lookUpPayment(paymentHash)).toEqual(outcome)
  })

  it('use the given amount if the invoice has none', async () => {
    const { backend, peer } = current()
    const { invoice, paymentHash } = await peer.createInvoice({})
    expect(await backend.pay({ invoice, paymentHash, amount: sats(7), maxFee, timeoutMs })).toMatchObject({
      state: 'paid',
    })
    expect(await peer.received(paymentHash)).toBe(sats(7))
  })

  it('never pay a hash twice, whether in sequence or at the same time', async () => {
    const { backend, peer } = current()
    const { invoice, paymentHash } = await peer.createInvoice({ amount: sats(500) })
    const payment = { invoice, paymentHash, amount: undefined, maxFee, timeoutMs }
    const outcomes = await Promise.all([backend.pay(payment), backend.pay(payment), backend.pay(payment)])
    outcomes.push(await backend.pay(payment))
    expect(outcomes[0]).toMatchObject({ state: 'paid' })
    for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0])
    expect(await peer.received(paymentHash)).toBe(sats(500))
  })

  it('fail without sending anything if every route costs more than the fee limit', async (context) => {
    const { backend, peer } = current()
    if (backend.capabilities.feeLimit !== 'exact') context.skip()
    const { invoice, paymentHash } = await peer.createInvoice({ amount: sats(1_000_000) })
    const outcome = await backend.pay({ invoice, paymentHash, amount: undefined, maxFee: ZERO, timeoutMs })
    // A peer with a direct channel asks for no fee.
    if (outcome.state === 'paid') expect(outcome.fee).toBe(0n)
    else {
      expect(outcome).toMatchObject({ state: 'failed' })
      expect(await peer.received(paymentHash)).toBeUndefined()
      // What never left may leave no record.
      expect(['failed', 'absent']).toContain((await backend.lookUpPayment(paymentHash)).state)
    }
  })

  it('fail if the invoice was made by our own node', async () => {
    const { backend } = current()
    const { invoice, paymentHash } = await backend.createInvoice(request)
    const outcome = await backend.pay({ invoice, paymentHash, amount: undefined, maxFee, timeoutMs })
    expect(outcome).toMatchObject({ state: 'failed' })
    expect(await backend.lookUpInvoice(paymentHash)).toEqual({ state: 'open' })
  })
}

function describeIdentity(current: Current): void {
  it('includes the identity and the readiness of the node', async () => {
    const { backend } = current()
    expect(BACKEND_KINDS).toContain(backend.kind)
    expect(await backend.info()).toMatchObject({ pubkey: expect.stringMatching(/^0[23][0-9a-f]{64}$/) })
    expect(await backend.health()).toMatchObject({ state: 'ready' })
  })

  it('includes its balance, which a payment lowers by the amount and the fee', async () => {
    const { backend, peer } = current()
    const before = (await backend.balances()).settled
    const { invoice, paymentHash } = await peer.createInvoice({ amount: sats(2_000) })
    const outcome = await backend.pay({ invoice, paymentHash, amount: undefined, maxFee, timeoutMs })
    if (outcome.state !== 'paid') throw new Error(`it was not paid: ${JSON.stringify(outcome)}`)
    // A payment is proven a moment before the channel has done with it.
    await vi.waitFor(
      async () => {
        const after = await backend.balances()
        if (outcome.fee !== undefined) expect(before - after.settled).toBe(sats(2_000) + outcome.fee)
        expect(after.inFlight ?? 0n).toBe(0n)
      },
      { timeout: 20_000 },
    )
  })

  it('includes a tariff if its fees are fixed', async () => {
    const { backend, peer } = current()
    const tariff = backend.tariff(sats(1_000))
    expect(tariff !== undefined).toBe(backend.capabilities.feeLimit === 'tariff')
    if (tariff === undefined) return
    const { invoice, paymentHash } = await peer.createInvoice({ amount: sats(1_000) })
    const outcome = await backend.pay({ invoice, paymentHash, amount: undefined, maxFee: tariff, timeoutMs })
    expect(outcome).toMatchObject({ state: 'paid' })
    if (outcome.state === 'paid' && outcome.fee !== undefined) expect(outcome.fee <= tariff).toBe(true)
  })
}

function describeKeysends(current: Current): void {
  it('are sent with the chosen preimage', async (context) => {
    const { backend, peer } = current()
    if (!backend.capabilities.keysend) context.skip()
    const preimage = randomBytes(32).toString('hex')
    const paymentHash = sha256(preimage)
    const keysend = {
      pubkey: await peer.pubkey(),
      amount: msats(12_000),
      maxFee,
      preimage,
      paymentHash,
      tlvRecords: [{ type: 65_537, value: '00ff' }],
      timeoutMs,
    }
    const outcome = await backend.keysend(keysend)
    expect(outcome).toMatchObject({ state: 'paid', preimage })
    expect(await backend.keysend(keysend)).toEqual(outcome)
    expect(await backend.lookUpPayment(paymentHash)).toEqual(outcome)
    expect(await peer.received(paymentHash)).toBe(msats(12_000))
  })

  it('fail if the receiving node does not exist', async (context) => {
    const { backend } = current()
    if (!backend.capabilities.keysend) context.skip()
    const preimage = randomBytes(32).toString('hex')
    const pubkey = `02${'79'.repeat(32)}`
    const keysend = {
      pubkey,
      amount: sats(1),
      maxFee,
      preimage,
      paymentHash: sha256(preimage),
      tlvRecords: [],
      timeoutMs,
    }
    expect(await backend.keysend(keysend)).toMatchObject({ state: 'failed' })
  })
}
