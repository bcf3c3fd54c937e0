import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Clock, systemClock } from '../../../../src/lib/clock.ts'
import { msats, sats } from '../../../../src/lib/money/amount.ts'
import type { LightningBackend } from '../../../../src/payments-service/backends/backend.ts'
import { readConnectionUri } from '../../../../src/payments-service/backends/nwc/connection-uri.ts'
import { createNwc } from '../../../../src/payments-service/backends/nwc/nwc.ts'
import { ManualClock } from '../../../support/manual-clock.ts'
import { describeBackend, settlements } from '../backend-contract.ts'
import { WalletOverRelay } from './wallet-over-relay.ts'

function connect(wallet: WalletOverRelay, clock: Clock): LightningBackend {
  return createNwc({ uri: wallet.uri }, { clock })
}

describeBackend('Nostr Wallet Connect', async () => {
  const wallet = await WalletOverRelay.start(systemClock)
  const backend = connect(wallet, systemClock)
  return {
    backend,
    peer: {
      pubkey: async () => wallet.side.outsidePubkey,
      createInvoice: async (request) => wallet.side.outsideInvoice(request),
      pay: async (invoice, amount) => {
        const paid = wallet.side.payFromOutside(invoice, amount)
        const own = wallet.side.invoices.find((one) => one.invoice === invoice)
        if (own !== undefined) await wallet.notify(own)
        return paid
      },
      keysend: async () => Promise.reject(new Error('the wallet takes no keysends')),
      received: async (paymentHash) => wallet.side.receivedOutside(paymentHash),
    },
    close: async () => {
      await backend.close()
      await wallet.stop()
    },
  }
})

const ask = { amount: sats(1_000), description: { text: 'A tip' }, expiresInSeconds: 600 }

let clock: ManualClock
let wallet: WalletOverRelay
let backend: LightningBackend

beforeEach(async () => {
  // The wallet service looks at the system's clock.
  clock = new ManualClock(Date.now())
  wallet = await WalletOverRelay.start(clock)
  backend = connect(wallet, clock)
})
afterEach(async () => {
  await backend.close()
  await wallet.stop()
})

/**
 * The step by which time passes: long enough for pauses between look-ups, too short for the time limits of requests.
 */
const PAUSES_MS = 1_000
const isRequest = ({ kind }: { kind: number }) => kind === 23_194

/** Prepares a payment of 500 sats to the outside node; each call of `pay` requests the same payment. */
function payment() {
  const { invoice, paymentHash } = wallet.side.outsideInvoice({ amount: sats(500) })
  const request = { invoice, paymentHash, amount: undefined, maxFee: sats(100), timeoutMs: 20_000 }
  return {
    paymentHash,
    pay: () => clock.advanceUntil(backend.pay(request), PAUSES_MS),
    lookUp: () => backend.lookUpPayment(paymentHash),
  }
}

/** Starts a payment that hangs, and waits until it has left our node. */
async function hangingPayment() {
  wallet.side.next('hang')
  const { pay, ...rest } = payment()
  const outcome = pay()
  await wallet.side.departed()
  return { outcome, ...rest }
}

const failing = (code: string) => async () => ({ result: undefined, error: { code, message: 'no' } })

describe('a payment through NWC', () => {
  it('is unknown while the wallet is silent and is paid once the wallet says so', async () => {
    const { outcome, lookUp, paymentHash } = await hangingPayment()
    await clock.advance(20_000)
    expect(await outcome).toMatchObject({ state: 'unknown' })
    expect(await lookUp()).toMatchObject({ state: 'pending' })
    wallet.side.release('complete')
    expect(await lookUp()).toMatchObject({ state: 'paid', fee: msats(1_500) })
    expect(wallet.side.receivedOutside(paymentHash)).toBe(sats(500))
  })

  it('counts as paid if the wallet reports a failure but has a record of the payment', async () => {
    const { payInvoice } = wallet.handlers
    wallet.handlers.payInvoice = async (request) => {
      await payInvoice(request)
      return failing('PAYMENT_FAILED')()
    }
    expect(await payment().pay()).toMatchObject({ state: 'paid' })
  })

  it.each(['PAYMENT_FAILED', 'INTERNAL', 'OTHER', 'RATE_LIMITED', 'SOMETHING_NEW'])(
    'is unknown after the error %s if the wallet has no record of the payment',
    async (code) => {
      wallet.handlers.payInvoice = failing(code)
      const { pay, lookUp } = payment()
      expect(await pay()).toMatchObject({ state: 'unknown', evidence: expect.stringContaining(code) })
      expect(await lookUp()).toEqual({ state: 'absent' })
    },
  )

  it.each([
    ['INSUFFICIENT_BALANCE', 'no_liquidity'],
    ['QUOTA_EXCEEDED', 'no_liquidity'],
    ['RESTRICTED', 'refused_by_node'],
    ['UNAUTHORIZED', 'refused_by_node'],
    ['NOT_IMPLEMENTED', 'refused_by_node'],
    ['UNSUPPORTED_ENCRYPTION', 'refused_by_node'],
  ])('fails after the refusal %s if the wallet has no record of the payment', async (error, code) => {
    wallet.handlers.payInvoice = failing(error)
    expect(await payment().pay()).toMatchObject({ state: 'failed', code })
  })

  it('counts as failed once the wallet has reported the failure twice, some time apart', async () => {
    wallet.side.next('refused-by-payee')
    const { pay, lookUp, paymentHash } = payment()
    expect(await pay()).toMatchObject({ state: 'failed', evidence: expect.stringContaining('said twice') })
    expect(await lookUp()).toMatchObject({ state: 'failed' })
    const other = connect(wallet, clock)
    expect(await other.lookUpPayment(paymentHash)).toMatchObject({ state: 'pending' })
    await clock.advance(2_000)
    expect(await other.lookUpPayment(paymentHash)).toMatchObject({ state: 'failed' })
    await other.close()
  })

  it('has no known fee if the wallet reports none', async () => {
    const { payInvoice, lookupInvoice } = wallet.handlers
    wallet.handlers.payInvoice = async (request) => {
      const { result, error } = await payInvoice(request)
      return { result: { preimage: result?.preimage } as never, error }
    }
    wallet.handlers.lookupInvoice = async (request) => {
      const { result, error } = (await lookupInvoice?.(request)) ?? { result: undefined, error: undefined }
      return { result: result && ({ ...result, fees_paid: undefined } as never), error }
    }
    expect(await payment().pay()).toEqual({ state: 'paid', preimage: expect.any(String), fee: undefined })
  })

  it('is reported with the preimage and fee from the wallet, even if they are wrong', async () => {
    wallet.side.next('wrong-preimage', 'overcharge')
    expect(await payment().pay()).toMatchObject({ state: 'paid', preimage: '11'.repeat(32) })
    expect(await payment().pay()).toMatchObject({ state: 'paid', fee: msats(3_000) })
  })

  it('is requested with an expiry, so that a wallet that returns later ignores it', async () => {
    await payment().pay()
    const requests = wallet.relay.received.filter(isRequest)
    expect(requests.length).toBeGreaterThan(0)
    for (const { tags, created_at } of requests) expect(tags).toContainEqual(['expiration', `${created_at + 30}`])
  })

  it('is unknown if no relay can be reached', async () => {
    await wallet.relay.stop()
    expect(await payment().pay()).toMatchObject({ state: 'unknown' })
    expect(wallet.side.attempts).toEqual([])
  })

  it('is not affected by an answer that somebody other than the wallet signed', async () => {
    const { outcome } = await hangingPayment()
    for (const { id } of wallet.relay.received.filter(isRequest)) await wallet.forgeAnswer(id)
    await clock.advance(20_000)
    expect(await outcome).toMatchObject({ state: 'unknown' })
  })
})

describe('the receiving NWC backend', () => {
  it('finds payments across many pages without a notification', async () => {
    for (let made = 0; made < 43; made += 1) {
      const own = wallet.side.addInvoice({ amount: sats(1), description: '', expiresInSeconds: 600 })
      wallet.side.payFromOutside(own.invoice)
    }
    const all = await settlements(backend, 43)
    expect(all.map(({ paymentHash }) => paymentHash)).toEqual(wallet.side.invoices.map((own) => own.paymentHash))
    expect(await settlements(backend, 3, all[39]?.cursor)).toEqual(all.slice(40))
  })

  it('reports all payments that settle within the same second', async () => {
    wallet.side.spacingMs = 0
    for (let made = 0; made < 5; made += 1) {
      const own = wallet.side.addInvoice({ amount: sats(1), description: '', expiresInSeconds: 600 })
      wallet.side.payFromOutside(own.invoice)
    }
    expect(await settlements(backend, 5)).toHaveLength(5)
  })

  it('refuses an invoice without its description hash and offers no hashes afterwards', async () => {
    const { makeInvoice } = wallet.handlers
    wallet.handlers.makeInvoice = (request) => makeInvoice({ ...request, description_hash: undefined })
    expect(backend.capabilities.descriptionHash).toBe(true)
    const hashed = { ...ask, description: { text: 'x', hash: '00'.repeat(32) } }
    await expect(backend.createInvoice(hashed)).rejects.toThrow('left out the description hash')
    expect(backend.capabilities.descriptionHash).toBe(false)
  })

  it('reports the received amount instead of the requested one', async () => {
    const { invoice, paymentHash } = await backend.createInvoice(ask)
    wallet.side.payFromOutside(invoice, sats(1_000), { received: sats(990) })
    expect(await backend.lookUpInvoice(paymentHash)).toMatchObject({ state: 'settled', received: sats(990) })
  })

  it('refuses an invoice for an amount other than the requested one', async () => {
    const { makeInvoice } = wallet.handlers
    wallet.handlers.makeInvoice = (request) => makeInvoice({ ...request, amount: request.amount - 1_000 })
    await expect(backend.createInvoice(ask)).rejects.toThrow('not for the requested amount')
  })
})

describe('the state of an NWC wallet', () => {
  it('is ready if the connection has all required rights', async () => {
    expect(await backend.health()).toEqual({ state: 'ready', height: 448 })
  })

  it('names the rights that the connection lacks', async () => {
    wallet.methods = wallet.methods.filter((method) => !['pay_invoice', 'list_transactions'].includes(method))
    const reason = expect.stringContaining('may not use pay_invoice, list_transactions')
    expect(await backend.health()).toMatchObject({ state: 'refused', reason })
  })

  it('shows that the wallet refuses or is silent, or that no relay can be reached', async () => {
    wallet.handlers.getInfo = failing('UNAUTHORIZED')
    expect(await backend.health()).toMatchObject({
      state: 'refused',
      reason: expect.stringContaining('new connection'),
    })
    wallet.handlers.getInfo = () => new Promise(() => {})
    const [waiting] = [backend.health(), await wallet.relay.reached(isRequest)]
    await clock.advance(5_000)
    expect(await waiting).toMatchObject({ state: 'away', reason: expect.stringContaining('does not answer') })
    await wallet.relay.stop()
    const late = connect(wallet, clock)
    expect(await late.health()).toMatchObject({ state: 'away', reason: expect.stringContaining('No relay') })
    await late.close()
  })

  it('cannot include an unknown network, and the error names that network', async () => {
    wallet.network = 'liquid'
    await expect(backend.info()).rejects.toThrow('"liquid"')
  })
})

describe('an old wallet that knows only NIP-04', () => {
  it('is sent requests that are encrypted with NIP-04', async () => {
    const old = await WalletOverRelay.start(clock, { isOld: true })
    const client = connect(old, clock)
    const { invoice, paymentHash } = old.side.outsideInvoice({ amount: sats(500) })
    const request = { invoice, paymentHash, amount: undefined, maxFee: sats(100), timeoutMs: 20_000 }
    expect(await client.pay(request)).toMatchObject({ state: 'paid' })
    expect(old.relay.received.filter(isRequest)[0]?.content).toContain('?iv=')
    await client.close()
    await old.stop()
  })
})

describe('a relay that hides the wallet’s info', () => {
  const usesNip04 = () => wallet.relay.received.filter(isRequest).some(({ content }) => content.includes('?iv='))

  it('does not make the backend send requests in NIP-04', async () => {
    wallet.relay.hidesInfo = true
    const misled = connect(wallet, clock)
    expect(await misled.health()).toMatchObject({ state: 'ready' })
    expect(usesNip04()).toBe(false)
    await misled.close()
  })

  it('is sent requests in NIP-04 only if the operator chose NIP-04', async () => {
    wallet.relay.hidesInfo = true
    const old = createNwc({ uri: wallet.uri, encryption: 'nip04' }, { clock })
    const [waiting] = [old.health(), await wallet.relay.reached(isRequest)]
    expect(usesNip04()).toBe(true)
    await clock.advance(5_000)
    await waiting
    await old.close()
  })
})

describe('a relay that disconnects before it sends the wallet’s info', () => {
  it('does not make the backend treat the wallet as one that knows only NIP-04', async () => {
    const late = connect(wallet, clock)
    wallet.relay.cutsQueries = true
    const [waiting] = [late.health(), await wallet.relay.cut()]
    expect(await waiting).toMatchObject({ state: 'away' })
    wallet.relay.cutsQueries = false
    expect(await clock.advanceUntil(late.health(), PAUSES_MS)).toMatchObject({ state: 'ready' })
    expect(wallet.relay.received.filter(isRequest).some(({ content }) => content.includes('?iv='))).toBe(false)
    await late.close()
  })
})

describe('the URI of a connection', () => {
  const good = `nostr+walletconnect://${'ab'.repeat(32)}?relay=wss%3A%2F%2Frelay.example.com&secret=${'cd'.repeat(32)}`

  it('yields the wallet’s key, the relays and the secret', () => {
    expect(readConnectionUri(` ${good}&relay=wss%3A%2F%2Ftwo.example.com\n`)).toEqual({
      walletPubkey: 'ab'.repeat(32),
      relays: ['wss://relay.example.com', 'wss://two.example.com'],
      secret: 'cd'.repeat(32),
    })
  })

  it.each([
    ['has another scheme', 'https://example.com', 'not a Nostr Wallet Connect URI'],
    ['names no wallet', good.replace('ab'.repeat(32), 'nobody'), 'no public key'],
    ['lacks its end', good.slice(0, -10), 'no secret'],
    ['contains no relay', good.replace('relay=', 'other='), 'no relay'],
    ['uses an unencrypted line', good.replace('wss', 'ws'), 'Only wss:// is safe'],
  ])('is refused with an error that hides the secret if it %s', (_, uri, words) => {
    expect(() => readConnectionUri(uri)).toThrow(words)
    expect(() => readConnectionUri(uri)).not.toThrow('cdcd')
  })
})
