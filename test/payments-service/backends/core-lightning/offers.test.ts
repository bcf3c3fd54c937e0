import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemEntropy } from '../../../../src/lib/entropy.ts'
import { decodeOffer, decodeOfferInvoice } from '../../../../src/lib/lightning/bolt12.ts'
import { msats, sats } from '../../../../src/lib/money/amount.ts'
import type { LightningBackend, Settlement } from '../../../../src/payments-service/backends/backend.ts'
import { createCoreLightning } from '../../../../src/payments-service/backends/core-lightning/core-lightning.ts'
import { isOdd } from '../../../../src/payments-service/backends/node-answers.ts'
import { makeOfferInvoice } from '../../../support/bolt12-texts.ts'
import { ManualClock } from '../../../support/manual-clock.ts'
import { FakeClnrest } from './fake-clnrest.ts'

const maxFee = sats(100)
/**
 * The step by which time passes: long enough for pauses between look-ups, too short for the time limits of requests.
 */
const PAUSES_MS = 1_000

let clock: ManualClock
let node: FakeClnrest
let backend: LightningBackend

function connect(): LightningBackend {
  const options = { url: node.http.url, rune: node.rune, certificate: undefined }
  return createCoreLightning(options, { clock, entropy: systemEntropy })
}

beforeEach(async () => {
  clock = new ManualClock()
  node = new FakeClnrest(clock)
  await node.http.start()
  backend = connect()
})
afterEach(async () => {
  await backend.close()
  await node.http.stop()
})

describe('offers paid through Core Lightning', () => {
  const fetchInvoice = (to: { offer: string } | { name: string }, amount?: bigint) => {
    const about = { payer: 'user:alice', note: 'hi', timeoutMs: 20_000 }
    const request = { ...about, to, amount: amount === undefined ? undefined : msats(amount) }
    return backend.fetchInvoice?.(request) ?? Promise.reject(new Error('it fetches no invoices'))
  }

  it('yield an invoice that is paid only once, however often it is submitted', async () => {
    const answer = await fetchInvoice({ offer: node.side.outsideOffer() }, 70_000n)
    if (answer.state !== 'fetched') throw new Error(answer.reason)
    expect(node.side.attempts).toEqual([])
    const { paymentHash } = decodeOfferInvoice(answer.invoice)
    const request = { invoice: answer.invoice, paymentHash, amount: undefined, maxFee, timeoutMs: 20_000 }
    node.http.next('cut-after', '/xpay')
    expect(await clock.advanceUntil(backend.pay(request), PAUSES_MS)).toMatchObject({ state: 'paid' })
    expect(await backend.pay(request)).toMatchObject({ state: 'paid' })
    expect(node.side.attemptsOf(paymentHash)).toHaveLength(1)
    expect(node.side.receivedOutside(paymentHash)).toBe(70_000n)
    expect(node.http.requests.find(({ path }) => path === '/v1/xpay')?.body).not.toContain('amount_msat')
  })

  it('can be given as a Bitcoin name, which lightningd resolves and verifies', async () => {
    node.names.set('bob@example.com', node.side.outsideOffer())
    node.names.set('chain@example.com', undefined)
    expect(await fetchInvoice({ name: 'bob@example.com' }, 5_000n)).toMatchObject({ state: 'fetched' })
    const asked = node.http.requests.find(({ path }) => path === '/v1/fetchinvoice')
    expect(JSON.parse(asked?.body ?? '')).toMatchObject({ bip353: 'bob@example.com', amount_msat: 5_000 })
    for (const name of ['chain@example.com', 'nobody@example.com']) {
      expect(await fetchInvoice({ name }, 5_000n)).toMatchObject({ state: 'unknown-name' })
    }
    node.reachesDns = false
    expect(await fetchInvoice({ name: 'bob@example.com' }, 5_000n)).toMatchObject({ state: 'name-unanswered' })
  })

  it.each([
    ['expired', 'expired'],
    ['no-path', 'unreachable'],
    ['silent', 'unreachable'],
    ['refused', 'refused'],
  ] as const)('yield a reason instead of an invoice in the case “%s”', async (next, state) => {
    node.nextFetch = next
    expect(await fetchInvoice({ offer: node.side.outsideOffer() }, 5_000n)).toMatchObject({ state })
  })

  it('yield an error if the answer proves nothing', async () => {
    const offer = node.side.outsideOffer()
    node.nextFetch = 'unheard'
    await expect(fetchInvoice({ offer }, 5_000n)).rejects.toThrow('code -1')
    node.http.next('html', '/fetchinvoice')
    await expect(fetchInvoice({ offer }, 5_000n)).rejects.toThrow('without an error of Core Lightning')
    node.isLightningdDead = true
    await expect(fetchInvoice({ name: 'bob@example.com' }, 5_000n)).rejects.toThrow('Connection refused')
  })

  it('need certain rights of the rune; Bitcoin names also need a recent version', async () => {
    const can = async () => {
      const one = connect()
      expect(await one.health()).toMatchObject({ state: 'ready' })
      const { offers, bitcoinNames, ownOffers } = one.capabilities
      await one.close()
      return { offers, bitcoinNames, ownOffers }
    }
    expect(backend.capabilities).toMatchObject({ offers: false, bitcoinNames: false, ownOffers: false })
    expect(await can()).toEqual({ offers: true, bitcoinNames: true, ownOffers: true })
    node.knowsNames = false
    expect(await can()).toEqual({ offers: true, bitcoinNames: false, ownOffers: true })
    node.methods = node.methods.filter((method) => method !== 'fetchinvoice')
    expect(await can()).toEqual({ offers: false, bitcoinNames: false, ownOffers: true })
    node.methods = node.methods.filter((method) => method !== 'offer')
    expect(await can()).toEqual({ offers: false, bitcoinNames: false, ownOffers: false })
  })

  it('with an invoice of our own node fail without a call to xpay', async () => {
    const ask = { amount: sats(5), description: { text: 'A tip' }, expiresInSeconds: 600 }
    const own = await backend.createInvoice(ask)
    const createdAt = Math.floor(clock.now() / 1_000)
    const { paymentHash } = own
    const invoice = makeOfferInvoice({ network: 'regtest', amount: 5_000n, paymentHash, createdAt })
    const request = { invoice, paymentHash, amount: undefined, maxFee, timeoutMs: 5_000 }
    expect(await backend.pay(request)).toMatchObject({ state: 'failed', code: 'refused_by_node' })
    expect(node.http.requests.some(({ path }) => path === '/v1/xpay')).toBe(false)
  })
})

describe('offers of our own Core Lightning', () => {
  const draft = { description: 'Payment to alice', issuer: 'pay.example/1' }
  const make = async (which = draft) => {
    const made = await backend.createOffer?.(which)
    if (made === undefined) throw new Error('it makes no offers')
    return made
  }
  /** Resolves to the first `count` settlements after a cursor. */
  const settled = async (count: number, after?: string) => {
    const stop = new AbortController()
    const found: Settlement[] = []
    for await (const one of backend.settledInvoices(after, stop.signal)) {
      if (isOdd(one)) throw new Error(one.odd)
      found.push(one)
      if (found.length === count) break
    }
    stop.abort()
    return found
  }

  it('accept any amount and are identical for identical texts', async () => {
    const offer = await make()
    expect(await make()).toEqual(offer)
    expect((await make({ ...draft, issuer: 'pay.example/2' })).id).not.toBe(offer.id)
    expect(decodeOffer(offer.text)).toMatchObject({ amount: undefined, description: 'Payment to alice' })
    const asked = node.http.requests.filter(({ path }) => path === '/v1/offer')
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({ amount: 'any', ...draft })
  })

  it.each([true, false])(
    'are identified in their settlements (offer fields reported at once: %s)',
    async (tellsAtOnce) => {
      node.tellsOffersAtOnce = tellsAtOnce
      const [alice, bob] = [await make(), await make({ ...draft, issuer: 'pay.example/2' })]
      const first = node.receiveByOffer(alice.text, msats(70_001n), 'For the fish')
      const own = await backend.createInvoice({ amount: sats(5), description: { text: '' }, expiresInSeconds: 600 })
      node.side.payFromOutside(own.invoice)
      const last = node.receiveByOffer(bob.text, msats(1n))
      const found = await settled(3)
      expect(found.map(({ paymentHash, received, offer, keysend }) => [paymentHash, received, offer, keysend])).toEqual(
        [
          [first.paymentHash, 70_001n, { id: alice.id, invoice: first.invoice, note: 'For the fish' }, false],
          [own.paymentHash, sats(5), undefined, false],
          [last.paymentHash, 1n, { id: bob.id, invoice: last.invoice, note: '' }, false],
        ],
      )
      expect(await settled(1, found[1]?.cursor)).toEqual([found[2]])
      expect(await backend.lookUpInvoice(first.paymentHash)).toMatchObject({ state: 'settled', received: 70_001n })
    },
  )

  it('are not made if the operator has disabled them', async () => {
    node.areOffersDisabled = true
    expect(await backend.createOffer?.(draft)).toBeUndefined()
  })
})
