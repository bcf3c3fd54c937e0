import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../../../src/lib/clock.ts'
import { systemEntropy } from '../../../../src/lib/entropy.ts'
import { decodeInvoice } from '../../../../src/lib/lightning/bolt11.ts'
import { msats, sats, ZERO } from '../../../../src/lib/money/amount.ts'
import type { LightningBackend } from '../../../../src/payments-service/backends/backend.ts'
import { createLnd, type LndOptions } from '../../../../src/payments-service/backends/lnd/lnd.ts'
import { ONE_CERTIFICATE, OTHER_CERTIFICATE } from '../../../support/certificates.ts'
import { describeBackend, settlements } from '../backend-contract.ts'
import { FakeLnd, MACAROON } from './fake-lnd.ts'

const maxFee = sats(100)
const timeoutMs = 20_000
const request = { amount: sats(1_000), description: { text: '' }, expiresInSeconds: 600 }

function connect(lnd: FakeLnd, options: Partial<LndOptions> = {}): LightningBackend {
  const found = { url: lnd.url, macaroon: MACAROON, certificate: ONE_CERTIFICATE.cert, ...options }
  return createLnd(found, { clock: systemClock, entropy: systemEntropy })
}

describeBackend('lnd (as documented and recorded)', async () => {
  const lnd = await new FakeLnd().start()
  const backend = connect(lnd)
  const { network } = lnd
  return {
    backend,
    peer: {
      pubkey: async () => network.outsidePubkey,
      createInvoice: async ({ amount }) => network.outsideInvoice(amount),
      pay: async (invoice, amount) => network.receive(invoice, amount),
      keysend: async (amount) => network.receiveKeysend(amount),
      received: async (hash) => {
        const received = network.outsideReceived(hash)
        return received === undefined ? undefined : msats(received)
      },
    },
    close: async () => {
      await backend.close()
      await lnd.kill()
    },
  }
})

describe('the lnd backend', () => {
  let lnd: FakeLnd
  let backend: LightningBackend
  beforeEach(async () => {
    lnd = await new FakeLnd().start()
    backend = connect(lnd)
  })
  afterEach(async () => {
    await backend.close()
    await lnd.kill()
  })

  const pay = (paymentHash: string, invoice: string, more: object = {}) =>
    backend.pay({ invoice, paymentHash, amount: undefined, maxFee, timeoutMs, ...more })
  const payOutside = (more: object = {}) => {
    const { invoice, paymentHash } = lnd.network.outsideInvoice(sats(500))
    return { invoice, paymentHash, outcome: pay(paymentHash, invoice, more) }
  }
  const reached = (path: string, times = 1) => lnd.reached(path, times)

  it('sends the records of a keysend as bytes that it decodes from hex', async () => {
    const [preimage, pubkey] = ['0a'.repeat(32), lnd.network.outsidePubkey]
    const paymentHash = createHash('sha256').update(Buffer.from(preimage, 'hex')).digest('hex')
    const tlvRecords = [
      { type: 696_969, value: '00ff41' },
      { type: 34_349_334, value: Buffer.from('hä?').toString('hex') },
      { type: 5_000_001, value: '' },
    ]
    const about = { pubkey, preimage, paymentHash, tlvRecords, maxFee, timeoutMs }
    expect(await backend.keysend({ ...about, amount: sats(500) })).toMatchObject({ state: 'paid' })
    expect(lnd.sends.at(-1)?.dest_custom_records).toEqual({
      ...{
        696969: Buffer.from([0x00, 0xff, 0x41]).toString('base64'),
        34349334: Buffer.from('hä?').toString('base64'),
      },
      ...{ 5000001: '', 5482373484: Buffer.from(preimage, 'hex').toString('base64') },
    })
    expect(lnd.sends.at(-1)?.dest).toBe(Buffer.from(pubkey, 'hex').toString('base64'))
  })

  describe('a payment', () => {
    it.each([
      ['a fee limit below the fee of every route', { maxFee: ZERO }, 'no_route'],
      [
        'too little liquidity on our side',
        { invoice: () => lnd.network.outsideInvoice(sats(6_000_000)) },
        'no_liquidity',
      ],
    ])(
      'fails provably because of %s',
      async (_, {
        invoice,
        ...more
      }: { maxFee?: bigint; invoice?: () => { invoice: string; paymentHash: string } }, code) => {
        const asked = invoice?.() ?? lnd.network.outsideInvoice(sats(500))
        expect(await pay(asked.paymentHash, asked.invoice, more)).toMatchObject({ state: 'failed', code })
        expect(await backend.lookUpPayment(asked.paymentHash)).toMatchObject({ state: 'failed', code })
      },
    )

    it('fails if the payee does not accept it', async () => {
      const { invoice, paymentHash } = lnd.network.outsideInvoice(sats(500))
      lnd.network.cancelOutside(paymentHash)
      expect(await pay(paymentHash, invoice)).toMatchObject({ state: 'failed', code: 'refused_by_payee' })
    })

    it.each([
      ['an expired invoice', () => lnd.network.outsideInvoice(sats(5), -60), {}],
      ['an amount for an invoice that has one', () => lnd.network.outsideInvoice(sats(5)), { amount: sats(5) }],
      ['no amount for an invoice without one', () => lnd.network.outsideInvoice(), {}],
      ['a text that is no invoice', () => ({ invoice: 'lnbcrt1nonsense', paymentHash: '12'.repeat(32) }), {}],
    ])('fails because of %s if the node says so and has no record of the payment', async (_, make, more) => {
      const { invoice, paymentHash } = make()
      const outcome = await pay(paymentHash, invoice, more)
      expect(outcome).toMatchObject({ state: 'failed', code: 'refused_by_node' })
      expect(outcome).toMatchObject({ evidence: expect.stringContaining('no record') })
    })

    it('is unknown if the record cannot be read after a refusal', async () => {
      const { invoice, paymentHash } = lnd.network.outsideInvoice(sats(5), -60)
      lnd.faults.push({ path: '/v2/router/track', fault: 'html' })
      expect(await pay(paymentHash, invoice)).toMatchObject({ state: 'unknown' })
    })

    it.each(['breaks-off', 'html'] as const)(
      'is unknown after a faulty answer (%s) and is found to be paid by a look-up',
      async (fault) => {
        lnd.faults.push({ path: '/v2/router/send', fault })
        const { paymentHash, outcome } = payOutside()
        expect(await outcome).toMatchObject({ state: 'unknown' })
        expect(await backend.lookUpPayment(paymentHash)).toMatchObject({ state: 'paid', fee: 1_000n })
      },
    )

    it('is awaited no longer than its caller allows', async () => {
      lnd.network.fates.push('hangs')
      const { paymentHash, outcome } = payOutside({ timeoutMs: 300 })
      expect(await outcome).toMatchObject({ state: 'unknown' })
      expect(await backend.lookUpPayment(paymentHash)).toMatchObject({ state: 'pending' })
      lnd.network.release(paymentHash, 'settle')
      expect(await backend.lookUpPayment(paymentHash)).toMatchObject({ state: 'paid' })
    })

    it('is not sent again while it hangs, and a second caller receives the same outcome', async () => {
      lnd.network.fates.push('hangs')
      const { paymentHash, invoice, outcome } = payOutside()
      await reached('/v2/router/send')
      expect(await pay(paymentHash, invoice, { timeoutMs: 1_000 })).toMatchObject({ state: 'pending' })
      const again = pay(paymentHash, invoice)
      await reached('/v2/router/track', 2)
      lnd.network.release(paymentHash, 'cancel')
      expect(await outcome).toMatchObject({ state: 'failed', code: 'refused_by_payee' })
      expect(await again).toMatchObject({ state: 'failed' })
      expect(lnd.network.outsideReceived(paymentHash)).toBeUndefined()
    })

    it('has an unknown outcome until its node is back after a crash', async () => {
      lnd.network.fates.push('hangs')
      const { paymentHash, outcome } = payOutside()
      await reached('/v2/router/send')
      await lnd.kill()
      expect(await outcome).toMatchObject({ state: 'unknown' })
      await expect(backend.lookUpPayment(paymentHash)).rejects.toThrow()
      lnd.network.release(paymentHash, 'settle')
      await lnd.start()
      expect(await backend.lookUpPayment(paymentHash)).toMatchObject({ state: 'paid' })
    })

    it('has the fee and the preimage that lnd reports, even if they are wrong', async () => {
      lnd.network.fates.push('fee-over-limit', 'wrong-preimage')
      expect(await payOutside().outcome).toMatchObject({ state: 'paid', fee: maxFee + 5_000n })
      expect(await payOutside().outcome).toMatchObject({ state: 'paid', preimage: '11'.repeat(32) })
    })
  })

  describe('settlements', () => {
    const receive = async (amount = sats(7)) => {
      const { invoice, paymentHash } = await backend.createInvoice({ ...request, amount })
      lnd.network.receive(invoice)
      return paymentHash
    }

    it('begin with the first invoice, which lnd’s own stream omits', async () => {
      const first = await receive()
      const [found] = await settlements(backend, 1)
      expect(found).toMatchObject({ paymentHash: first, cursor: `1:${first}` })
      const second = await receive()
      expect(await settlements(backend, 1, found?.cursor)).toMatchObject([{ paymentHash: second }])
    })

    it('are read from the beginning if the node was restored from an older state', async () => {
      const first = await receive()
      const cursor = `7:${'ab'.repeat(32)}`
      expect(await settlements(backend, 1, cursor)).toMatchObject([{ paymentHash: first }])
      expect(await settlements(backend, 1, `9:${first}`)).toMatchObject([{ paymentHash: first }])
    })

    it('are found even beyond the first page of invoices', async () => {
      const last = { value: 5_000n, memo: '', expiry: 600 }
      for (let i = 0; i < 5; i += 1) {
        lnd.network.addInvoice({ ...last, preimage: i.toString(16).padStart(64, '0') })
      }
      const hash = await receive()
      expect(await settlements(backend, 1)).toMatchObject([{ paymentHash: hash }])
    })

    it('state the amount that arrived even if the invoice was for another amount', async () => {
      lnd.network.shortChanges = true
      await receive(sats(7))
      expect(await settlements(backend, 1)).toMatchObject([{ received: sats(6) }])
    })

    it('end with an error when the node dies and continue later from the cursor', async () => {
      const first = await receive()
      const [found] = await settlements(backend, 1)
      const broken = settlements(backend, 1, found?.cursor)
      const end = expect(broken).rejects.toThrow()
      await reached('subscribe', 1)
      await lnd.kill()
      await end
      await lnd.start()
      const { invoice, paymentHash } = await backend.createInvoice(request)
      lnd.network.receive(invoice)
      expect(first).not.toBe(paymentHash)
      expect(await settlements(backend, 1, found?.cursor)).toMatchObject([{ paymentHash }])
    })
  })

  describe('an invoice', () => {
    it('has a preimage of our own, whose hash it contains', async () => {
      const { invoice, preimage = '' } = await backend.createInvoice(request)
      expect(decodeInvoice(invoice).paymentHash).toBe(
        createHash('sha256').update(Buffer.from(preimage, 'hex')).digest('hex'),
      )
    })

    it('is closed once it has expired', async () => {
      const { paymentHash } = await backend.createInvoice(request)
      Object.assign(lnd.network.findInvoice(paymentHash), { expiresAt: 0 })
      expect(await backend.lookUpInvoice(paymentHash)).toEqual({ state: 'closed' })
    })
  })

  describe('a report about lnd', () => {
    it.each([
      ['starting', 'starting', 'Unlock'],
      ['locked', 'starting', 'Unlock'],
      ['syncing', 'syncing', 'behind the chain'],
    ] as const)('states that lnd is %s', async (state, health, words) => {
      lnd.state = state
      expect(await backend.health()).toMatchObject({ state: health, reason: expect.stringContaining(words) })
    })

    it('states that lnd is away', async () => {
      await lnd.kill()
      expect(await backend.health()).toMatchObject({ state: 'away', reason: expect.stringContaining('Start it') })
      await lnd.start()
    })

    it.each([
      ['a wrong macaroon', { macaroon: '00' }, 'refused', 'lncli bakemacaroon'],
      ['a certificate of another node', { certificate: OTHER_CERTIFICATE.cert }, 'refused', 'LND_TLS_CERT_FILE'],
      ['a missing certificate', { certificate: undefined }, 'refused', 'LND_TLS_CERT_FILE'],
    ])('names %s and the remedy', async (_, options, state, words) => {
      const other = connect(lnd, options)
      expect(await other.health()).toMatchObject({ state, reason: expect.stringContaining(words) })
      await expect(other.info()).rejects.toThrow()
      await other.close()
    })

    it('names the right that the macaroon lacks', async () => {
      lnd.forbidden.add('/routerrpc.Router/SendPaymentV2')
      const health = await backend.health()
      expect(health).toMatchObject({ state: 'refused', reason: expect.stringMatching(/SendPaymentV2\. Make one with/) })
      lnd.forbidden.clear()
      expect(await backend.health()).toMatchObject({ state: 'ready' })
    })

    it('states that another program uses the address', async () => {
      lnd.faults.push({ path: '/v1/getinfo', fault: 'html' })
      expect(await backend.health()).toMatchObject({ state: 'away', reason: expect.stringContaining('LND_REST_URL') })
    })

    it('states the network that lnd is on', async () => {
      lnd.network.network = 'bitcoin'
      expect(await backend.info()).toMatchObject({ network: 'bitcoin' })
    })
  })

  it('counts a hanging payment in no balance but reports it as in flight', async () => {
    const before = await backend.balances()
    lnd.network.fates.push('hangs')
    const { paymentHash, outcome } = payOutside()
    await reached('/v2/router/send')
    const during = await backend.balances()
    expect(before.settled - during.settled).toBe(during.inFlight)
    expect(during.spendable).toBe(msats((during.settled / 1_000n) * 1_000n - sats(100_000)))
    lnd.network.release(paymentHash, 'settle')
    await outcome
  })
})
