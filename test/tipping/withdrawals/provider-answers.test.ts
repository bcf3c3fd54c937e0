import { describe, expect, it } from 'vitest'
import { Busy } from '../../../src/lib/concurrency-per-caller.ts'
import { msats } from '../../../src/lib/money/amount.ts'
import { PaymentsError, type PaymentsErrorKind } from '../../../src/payments-api/payments-api.ts'
import { cancelCode } from '../../../src/tipping/withdrawals/cancel-code.ts'
import { fetchOfferInvoice } from '../../../src/tipping/withdrawals/fetch-offer-invoice.ts'
import { readDestination } from '../../../src/tipping/withdrawals/read-destination.ts'
import { makeOffer, makeOfferInvoice, type OfferInvoiceDraft } from '../../support/bolt12-texts.ts'
import { ManualClock } from '../../support/manual-clock.ts'

const clock = new ManualClock()

const problem = (code: string | undefined, kind: PaymentsErrorKind = 'refused', status = 400) =>
  new PaymentsError({ kind, code, status, message: 'No.', operation: 'anything' })

const refused = (code: string, facts: object = {}) => expect.objectContaining({ name: 'TippingRefusal', code, facts })

describe('the invoice of an offer', () => {
  const context = { egress: { lnurl: {} } } as never
  const offerOf = (draft = {}) => readDestination(context, makeOffer(draft)) as never
  const name = readDestination(context, '₿bob@b.test') as never

  function invoiceWith(change: Partial<OfferInvoiceDraft> = {}): string {
    const createdAt = Math.floor(clock.now() / 1_000)
    return makeOfferInvoice({ network: 'regtest', amount: 500n, paymentHash: 'ab'.repeat(32), createdAt, ...change })
  }

  interface Told {
    readonly network?: string | undefined
    /** The provider's answer, or the error that its client throws. */
    readonly answer?: string | Error
    readonly asked?: unknown[]
    readonly offersAsked?: (member: string, ask: () => Promise<string>) => Promise<string>
  }

  function fetchOf(destination: never, told: Told = {}) {
    const { answer = invoiceWith(), asked = [], offersAsked = (_: string, ask: () => Promise<string>) => ask() } = told
    const payments = {
      async fetchOfferInvoice(body: unknown) {
        asked.push(body)
        if (answer instanceof Error) throw answer
        return { data: { invoice: answer } }
      },
    }
    const network = { find: async () => ('network' in told ? told.network : 'regtest') }
    const parts = { clock, payments, network, offersAsked } as never
    return fetchOfferInvoice(parts, destination, { member: 'alice', amount: msats(500n) })
  }

  it('is requested with the amount, and is accepted if it is valid', async () => {
    const asked: unknown[] = []
    const text = makeOffer()
    const invoice = await fetchOf(readDestination(context, text) as never, { asked })
    expect(invoice).toMatchObject({ amount: 500n, network: 'regtest' })
    expect(asked).toEqual([{ offer: text, amount: 500n }])
  })

  it('is refused if the member has two requests in progress', async () => {
    const members: string[] = []
    const busy = async (member: string) => {
      members.push(member)
      throw new Busy('two are under way')
    }
    await expect(fetchOf(offerOf(), { offersAsked: busy })).rejects.toEqual(
      refused('too-many-withdrawals', { most: 2 }),
    )
    expect(members).toEqual(['alice'])
    const broken = new Error('broken')
    await expect(fetchOf(offerOf(), { offersAsked: () => Promise.reject(broken) })).rejects.toBe(broken)
  })

  it('is not requested if the offer has a wrong network, amount or expiry', async () => {
    const asked: unknown[] = []
    const told = { asked }
    await expect(fetchOf(offerOf({ network: 'bitcoin' }), told)).rejects.toEqual(
      refused('invoice-foreign', { network: 'bitcoin', own: 'regtest' }),
    )
    await expect(fetchOf(offerOf({ amount: 499n }), told)).rejects.toEqual(
      refused('invoice-amount-differs', { asked: 500n, invoice: 499n }),
    )
    const expiresAt = Math.floor(clock.now() / 1_000) + 60
    await expect(fetchOf(offerOf({ expiresAt }), told)).rejects.toEqual(refused('invoice-expired'))
    expect(asked).toEqual([])
    await fetchOf(offerOf({ expiresAt: expiresAt + 1, amount: 500n }), told)
    // Until the network is known, only the provider can tell.
    await fetchOf(offerOf({ network: 'bitcoin' }), { ...told, network: undefined })
    expect(asked).toHaveLength(2)
  })

  it.each<[string, Partial<OfferInvoiceDraft>, string]>([
    ['another amount', { amount: 501n }, 'offer-failed'],
    ['another network', { network: 'bitcoin' }, 'offer-failed'],
    ['only a minute left', { expiresInSeconds: 60 }, 'invoice-expired'],
  ])('is refused if it has %s', async (_, change, code) => {
    await expect(fetchOf(offerOf(), { answer: invoiceWith(change) })).rejects.toEqual(refused(code))
  })

  it('is accepted with 61 seconds left, or while the bot does not yet know the network', async () => {
    const foreign = invoiceWith({ network: 'bitcoin' })
    expect(await fetchOf(offerOf(), { network: undefined, answer: foreign })).toMatchObject({ network: 'bitcoin' })
    expect(await fetchOf(offerOf(), { answer: invoiceWith({ expiresInSeconds: 61 }) })).toMatchObject({ amount: 500n })
  })

  it('is refused if it cannot be read, with different texts for offers and names', async () => {
    for (const answer of ['', 'lni1damaged', 'lnbc1damaged']) {
      await expect(fetchOf(offerOf(), { answer })).rejects.toEqual(refused('offer-failed'))
      await expect(fetchOf(name, { answer })).rejects.toEqual(refused('address-failed', { address: '₿bob@b.test' }))
    }
  })

  const named = { name: 'bob@b.test' }
  const gone = { address: '₿bob@b.test' }
  it.each<[string, Error, [string, object], [string, object]]>([
    [
      'the answer that no such operation exists',
      problem(undefined, 'refused', 404),
      ['offer-not-payable', {}],
      ['bitcoin-name-not-payable', named],
    ],
    [
      'the answer that the node cannot pay it',
      problem('not_offered', 'refused', 501),
      ['offer-not-payable', {}],
      ['bitcoin-name-not-payable', named],
    ],
    [
      'the answer that the invoice has expired',
      problem('invoice_expired'),
      ['invoice-expired', {}],
      ['invoice-expired', {}],
    ],
    [
      'the answer that no such offer exists',
      problem('invalid_offer'),
      ['offer-failed', {}],
      ['bitcoin-name-not-found', named],
    ],
    ['no answer', problem('offer_unanswered'), ['offer-failed', {}], ['address-failed', gone]],
    [
      'an answer that cannot be read',
      problem(undefined, 'malformed', 200),
      ['offer-failed', {}],
      ['address-failed', gone],
    ],
    [
      'another refusal',
      problem('rate_of_fees'),
      ['provider-refused', { message: 'No.' }],
      ['provider-refused', { message: 'No.' }],
    ],
    [
      'no connection',
      problem(undefined, 'unreachable', 503),
      ['provider-unreachable', {}],
      ['provider-unreachable', {}],
    ],
  ])('is refused after %s, with the right text for an offer and for a name', async (_, answer, ofOffer, ofName) => {
    await expect(fetchOf(offerOf(), { answer })).rejects.toEqual(refused(...ofOffer))
    await expect(fetchOf(name, { answer })).rejects.toEqual(refused(...ofName))
  })

  it('is not fetched if the bot’s own code throws an error, which is passed on', async () => {
    const broken = new Error('broken')
    await expect(fetchOf(offerOf(), { answer: broken })).rejects.toBe(broken)
  })
})

describe('a withdrawal code that is to be cancelled', () => {
  const shown = {
    id: 'one',
    member: 'alice',
    state: 'offered',
    remoteId: 'remote',
    token: 'token',
    expiresAt: new Date(5),
  }

  /** Returns the result, the provider's calls, and the job that was scheduled earlier. */
  async function cancel(row: object | null, answer: { status: string } | Error = { status: 'expired' }) {
    const asked: unknown[] = []
    const hurried: unknown[] = []
    const read = {
      withdrawal: { findFirst: async () => (row === null ? null : { ...shown, ...row }) },
      pollJob: {
        findUnique: async (query: unknown) => {
          hurried.push(query)
          return null
        },
      },
    }
    const payments = {
      async cancelWithdrawalRequest(of: unknown) {
        asked.push(of)
        if (answer instanceof Error) throw answer
        return { data: answer }
      },
    }
    const decision = { withdrawal: 'one', member: 'alice', origin: {} }
    const [end] = await Promise.allSettled([cancelCode({ database: { read }, payments } as never, decision as never)])
    return { end: end.status === 'fulfilled' ? end.value : end.reason, asked, hurried }
  }

  const hurried = [{ where: { token: 'token' } }]
  const asked = [{ id: 'remote' }]

  it('is cancelled or claimed, depending on the provider’s answer, and is then polled', async () => {
    expect(await cancel({})).toEqual({ end: 'cancelled', asked, hurried })
    for (const status of ['pending', 'processing', 'completed']) {
      expect(await cancel({}, { status })).toEqual({ end: 'claimed', asked, hurried })
    }
    expect(await cancel({ token: null })).toEqual({ end: 'cancelled', asked, hurried: [] })
  })

  it('is not cancelled if it is claimed, over or another member’s', async () => {
    const nothing = { asked: [], hurried: [] }
    expect(await cancel({ state: 'claimed' })).toEqual({ end: 'claimed', ...nothing })
    for (const row of [null, { state: 'paid' }, { state: 'asked' }, { state: 'unknown' }, { remoteId: null }]) {
      expect(await cancel(row)).toEqual({ end: refused('withdrawal-over'), ...nothing })
    }
    for (const state of ['offered', 'claimed', 'paid']) {
      expect(await cancel({ state, member: 'bob' })).toEqual({ end: refused('not-yours'), ...nothing })
    }
  })

  it('is not cancelled if the provider cannot do so or is silent, and is then polled', async () => {
    const lacks = problem(undefined, 'refused', 404)
    const until = (at: Date) => refused('code-not-cancellable', { until: at })
    expect(await cancel({}, lacks)).toEqual({ end: until(new Date(5)), asked, hurried })
    expect(await cancel({ expiresAt: null }, lacks)).toEqual({ end: until(new Date(0)), asked, hurried })
    const lost = problem(undefined, 'unreachable', 503)
    expect(await cancel({}, lost)).toEqual({ end: refused('provider-unreachable'), asked, hurried })
  })
})
