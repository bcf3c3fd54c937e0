import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { decodeInvoice, encodeInvoice } from '../../../src/lib/lightning/bolt11.ts'
import { sats, ZERO } from '../../../src/lib/money/amount.ts'
import type { PaymentOutcome } from '../../../src/payments-service/backends/backend.ts'
import { describeBackend } from './backend-contract.ts'
import { ask, maxFee, open, payOutside, TEN_BTC, timeoutMs } from './sandbox-world.ts'

function hashOf(preimage: string): string {
  return createHash('sha256').update(Buffer.from(preimage, 'hex')).digest('hex')
}

describeBackend('the sandbox', async () => {
  const { backend, outside } = open()
  return {
    backend,
    peer: {
      pubkey: async () => outside.wallet().pubkey,
      createInvoice: async ({ amount }) => outside.createInvoice({ amount }),
      pay: (invoice, amount) => outside.pay(invoice, amount),
      keysend: (amount) => outside.keysend(amount),
      received: async (paymentHash) => {
        const receipt = outside.lookUp(paymentHash)
        return receipt?.state === 'paid' ? receipt.amount : undefined
      },
    },
    close: () => backend.close(),
  }
})

describe('payments of our node', () => {
  it('cost 1 sat and 0.1 % and move exactly the stated amounts', async () => {
    const network = open()
    const { outcome, paymentHash } = payOutside(network, sats(10_000))
    expect(await outcome).toMatchObject({ state: 'paid', fee: sats(11) })
    expect(network.outside.wallet().balance).toBe(TEN_BTC + sats(10_000))
    expect(network.outside.lookUp(paymentHash)).toMatchObject({ state: 'paid', amount: sats(10_000) })
  })

  it('take as long as the configured latency', async () => {
    const network = open({ latencyMs: 500 })
    const { outcome, paymentHash } = payOutside(network)
    expect(await network.backend.lookUpPayment(paymentHash)).toMatchObject({ state: 'pending' })
    await network.clock.advance(499)
    expect(network.outside.lookUp(paymentHash)).toMatchObject({ state: 'open' })
    await network.clock.advance(1)
    expect(await outcome).toMatchObject({ state: 'paid' })
    expect(network.outside.lookUp(paymentHash)).toMatchObject({ state: 'paid' })
  })

  it.each([
    ['nonsense', () => ({ invoice: 'lnbcrt1nonsense' })],
    ['a hash of another invoice', () => ({ paymentHash: '00'.repeat(32) })],
    ['an amount for an invoice that has one', () => ({ amount: sats(1) })],
  ])('fail with proof and send no sats if they are requested with %s', async (_, change) => {
    const { backend, outside } = open()
    const { invoice, paymentHash } = outside.createInvoice({ amount: sats(5) })
    const request = { invoice, paymentHash, amount: undefined, maxFee, timeoutMs, ...change() }
    expect(await backend.pay(request)).toMatchObject({ state: 'failed' })
    expect(await backend.lookUpPayment(request.paymentHash)).toMatchObject({ state: 'failed' })
    expect(outside.wallet().balance).toBe(TEN_BTC)
  })

  it('fail if the invoice has expired or has no amount or no known node or network', async () => {
    const { backend, outside, clock } = open()
    const draft = {
      network: 'regtest' as const,
      amount: sats(5),
      description: '',
      paymentHash: 'ab'.repeat(32),
      paymentSecret: '02'.repeat(32),
      createdAt: new Date(clock.now()),
      expiresInSeconds: 60,
      privateKey: '03'.repeat(32),
    }
    const tell = async (invoice: string) => {
      const { paymentHash } = decodeInvoice(invoice)
      return (await backend.pay({ invoice, paymentHash, amount: undefined, maxFee, timeoutMs })) as { reason: string }
    }
    expect((await tell((await backend.createInvoice(ask)).invoice)).reason).toContain('our own node')
    expect((await tell(encodeInvoice(draft))).reason).toContain('no route')
    expect((await tell(encodeInvoice({ ...draft, network: 'bitcoin' }))).reason).toContain('for bitcoin')
    expect((await tell(outside.createInvoice().invoice)).reason).toContain('no amount')
    const { invoice, paymentHash } = outside.createInvoice({ amount: sats(5), expiresInSeconds: 60 })
    await clock.advance(60_000)
    expect((await tell(invoice)).reason).toContain('expired')
    expect(outside.lookUp(paymentHash)).toMatchObject({ state: 'expired' })
  })

  it('without an invoice fail if the hash, the receiver or the amount is impossible', async () => {
    const { backend, outside } = open()
    const preimage = '11'.repeat(32)
    const paymentHash = hashOf(preimage)
    const { pubkey } = outside.wallet()
    const good = { pubkey, amount: sats(1), maxFee, preimage, paymentHash, tlvRecords: [], timeoutMs }
    const own = (await backend.info()).pubkey
    const tell = async (change: object) => (await backend.keysend({ ...good, ...change })) as { reason: string }
    expect((await tell({ preimage: '22'.repeat(32) })).reason).toContain('preimage')
    expect((await tell({ pubkey: own })).reason).toContain('our own node')
    expect((await tell({ amount: ZERO })).reason).toContain('nothing to send')
    expect(outside.wallet().balance).toBe(TEN_BTC)
    expect(await tell({})).toMatchObject({ state: 'paid' })
    const ours = await backend.createInvoice(ask)
    const { preimage: revealed } = await outside.pay(ours.invoice)
    expect((await tell({ preimage: revealed, paymentHash: ours.paymentHash })).reason).toContain('an invoice')
  })

  it('fail if our node has too few sats', async () => {
    const network = open({ balances: { ours: sats(1_001) } })
    expect(await payOutside(network, sats(1_000)).outcome).toMatchObject({ state: 'failed' })
    expect(await payOutside(network, sats(999)).outcome).toMatchObject({ state: 'paid' })
  })

  it('can be retried after a failure', async () => {
    const network = open()
    network.setFault('fail')
    const { outcome, again, paymentHash } = payOutside(network)
    expect(await outcome).toMatchObject({ state: 'failed' })
    expect(await again()).toMatchObject({ state: 'paid' })
    expect(await network.backend.lookUpPayment(paymentHash)).toMatchObject({ state: 'paid' })
  })
})

describe('a planned fault', () => {
  it('(fail) makes the requested number of payments fail provably and returns the sats', async () => {
    const network = open({ balances: { ours: sats(2_000) } })
    network.setFault('fail', { times: 2 })
    for (const state of ['failed', 'failed', 'paid']) {
      const { outcome, paymentHash } = payOutside(network)
      expect(await outcome).toMatchObject({ state })
      expect(await network.backend.lookUpPayment(paymentHash)).toMatchObject({ state })
    }
    expect(network.outside.wallet().balance).toBe(TEN_BTC + sats(1_000))
  })

  it('(fail) makes the payment fail only after the given delay', async () => {
    const network = open()
    network.setFault('fail', { delayMs: 3_000 })
    const { outcome, paymentHash } = payOutside(network)
    await network.clock.advance(2_999)
    expect(await network.backend.lookUpPayment(paymentHash)).toMatchObject({ state: 'pending' })
    await network.clock.advance(1)
    expect(await outcome).toMatchObject({ state: 'failed' })
  })

  it.each([
    ['settle', 'paid', sats(1_000)],
    ['fail', 'failed', ZERO],
  ] as const)(
    '(hang) keeps the payment pending until it is released with the outcome “%s”',
    async (release, state, arrived) => {
      const network = open()
      network.setFault('hang')
      const { outcome, again, paymentHash } = payOutside(network)
      await network.clock.advance(14 * 86_400_000)
      expect(await network.backend.lookUpPayment(paymentHash)).toMatchObject({ state: 'pending' })
      const second = again()
      expect(network.release(release)).toBe(1)
      expect(await outcome).toMatchObject({ state })
      expect(await second).toEqual(await outcome)
      expect(network.outside.wallet().balance).toBe(TEN_BTC + arrived)
      expect(network.release(release)).toBe(0)
    },
  )

  it('(hang) ends the payment after the fault’s delay or when its hash is released', async () => {
    const network = open()
    network.setFault('hang', { times: 2, delayMs: 5_000 })
    const first = payOutside(network)
    const second = payOutside(network)
    expect(network.release('settle')).toBe(0)
    expect(network.release('fail', second.paymentHash)).toBe(1)
    expect(await second.outcome).toMatchObject({ state: 'failed' })
    await network.clock.advance(5_000)
    expect(await first.outcome).toMatchObject({ state: 'paid' })
    expect(network.clock.pending).toBe(0)
  })

  it.each([
    ['unknown-then-paid', 'paid', sats(1_000)],
    ['unknown-then-failed', 'failed', ZERO],
  ] as const)('(%s) leaves the outcome unknown until the payment ends', async (fault, state, arrived) => {
    const network = open()
    network.setFault(fault, { delayMs: 4_000 })
    const { outcome, again, paymentHash } = payOutside(network)
    expect(await outcome).toMatchObject({ state: 'unknown', evidence: expect.stringContaining(fault) })
    const second = again()
    expect(await network.backend.lookUpPayment(paymentHash)).toMatchObject({ state: 'pending' })
    await network.clock.advance(4_000)
    expect(await network.backend.lookUpPayment(paymentHash)).toMatchObject({ state })
    expect(await second).toMatchObject({ state })
    expect(network.outside.wallet().balance).toBe(TEN_BTC + arrived)
  })

  it('(overcharge) makes the payment cost more than the fee limit', async () => {
    const network = open()
    network.setFault('overcharge')
    const outcome = (await payOutside(network).outcome) as PaymentOutcome & { state: 'paid' }
    expect(outcome.fee).toBeGreaterThan(maxFee)
  })

  it('affects keysends but no payment to ourselves, and can be removed', async () => {
    const network = open()
    const { backend, outside } = network
    network.setFault('fail')
    const own = await backend.createInvoice(ask)
    await backend.pay({ invoice: own.invoice, paymentHash: own.paymentHash, amount: undefined, maxFee, timeoutMs })
    const preimage = '11'.repeat(32)
    const paymentHash = hashOf(preimage)
    const { pubkey } = outside.wallet()
    const keysend = { pubkey, amount: sats(1), maxFee, preimage, paymentHash, tlvRecords: [], timeoutMs }
    expect(await backend.keysend(keysend)).toMatchObject({ state: 'failed', reason: expect.stringContaining('fault') })
    network.setFault('hang', { times: 5 })
    network.setFault('hang', { times: 0 })
    expect(await payOutside(network).outcome).toMatchObject({ state: 'paid' })
  })
})

describe('the outside wallet', () => {
  it('pays at least the face value and at most twice that value', async () => {
    const { backend, outside } = open()
    const { invoice, paymentHash } = await backend.createInvoice(ask)
    await expect(outside.pay(invoice, sats(999))).rejects.toMatchObject({ code: 'amount_out_of_range' })
    await expect(outside.pay(invoice, sats(2_001))).rejects.toMatchObject({ code: 'amount_out_of_range' })
    await outside.pay(invoice, sats(2_000))
    expect(await backend.lookUpInvoice(paymentHash)).toMatchObject({ received: sats(2_000) })
    expect(outside.wallet().balance).toBe(TEN_BTC - sats(2_000))
    await expect(outside.pay(invoice)).rejects.toMatchObject({ code: 'already_paid' })
  })

  it('pays an invoice only once even if it is asked to do so twice at the same time', async () => {
    const { backend, outside, clock } = open({ latencyMs: 100 })
    const { invoice } = await backend.createInvoice(ask)
    const both = Promise.allSettled([outside.pay(invoice), outside.pay(invoice)])
    await clock.advance(100)
    expect((await both).map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(outside.wallet().balance).toBe(TEN_BTC - sats(1_000))
  })

  it('cannot pay expired or canceled invoices or its own invoices', async () => {
    const { backend, outside, clock } = open({ latencyMs: 100 })
    const canceled = await backend.createInvoice(ask)
    const onItsWay = outside.pay(canceled.invoice)
    expect(await backend.cancelInvoice(canceled.paymentHash)).toBe('canceled')
    const refused = expect(onItsWay).rejects.toMatchObject({ code: 'invoice_expired' })
    await clock.advance(100)
    await refused
    const expired = await backend.createInvoice(ask)
    await clock.advance(60_000)
    expect(await backend.lookUpInvoice(expired.paymentHash)).toEqual({ state: 'closed' })
    clock.jump(-60_000)
    await expect(outside.pay(expired.invoice)).rejects.toMatchObject({ code: 'invoice_expired' })
    const own = outside.createInvoice({ amount: sats(1) })
    await expect(outside.pay(own.invoice)).rejects.toMatchObject({ code: 'own_invoice' })
    expect(outside.wallet().balance).toBe(TEN_BTC)
  })

  it('refuses a forged invoice, a missing amount and an amount above its balance', async () => {
    const { backend, outside } = open({ balances: { outside: sats(10) } })
    const anyAmount = await backend.createInvoice({ ...ask, amount: undefined })
    await expect(outside.pay(anyAmount.invoice)).rejects.toMatchObject({ code: 'amount_required' })
    await expect(outside.pay(anyAmount.invoice, sats(11))).rejects.toMatchObject({ code: 'insufficient_funds' })
    const genuine = decodeInvoice(anyAmount.invoice)
    const forged = encodeInvoice({
      ...ask,
      network: 'regtest',
      amount: sats(1),
      description: '',
      paymentHash: genuine.paymentHash,
      paymentSecret: genuine.paymentSecret,
      createdAt: genuine.createdAt,
      privateKey: '05'.repeat(32),
    })
    await expect(outside.pay(forged)).rejects.toMatchObject({ code: 'no_route' })
    expect(await backend.lookUpInvoice(anyAmount.paymentHash)).toEqual({ state: 'open' })
  })

  it('lists payments in both directions with preimages', async () => {
    const network = open()
    const { backend, outside, clock } = network
    const { invoice, paymentHash } = await backend.createInvoice({ ...ask, description: { text: 'a coffee' } })
    const { preimage } = await outside.pay(invoice)
    await clock.advance(1_000)
    const sent = payOutside(network, sats(5))
    await sent.outcome
    expect(outside.history()).toEqual([
      expect.objectContaining({ direction: 'received', paymentHash: sent.paymentHash, amount: sats(5) }),
      {
        direction: 'sent',
        kind: 'invoice',
        paymentHash,
        preimage,
        amount: sats(1_000),
        description: 'a coffee',
        at: expect.any(Date),
      },
    ])
  })
})
