import { createHash } from 'node:crypto'
import type { Clock } from '../../../../src/lib/clock.ts'
import { type Msats, msats } from '../../../../src/lib/money/amount.ts'
import { makeOffer } from '../../../support/bolt12-texts.ts'
import { FakeHttp, type FakeRequest } from '../nodes/fake-http.ts'
import {
  type Attempt,
  LightningSide,
  type NotPaid,
  type OfferChange,
  type OwnInvoice,
  SendFailed,
} from '../nodes/lightning-side.ts'

type Parameters = Readonly<Record<string, unknown>>

/** A refusal by lightningd, whose code is part of its documented interface, and whose text is not. */
class RpcRefusal extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data: unknown = null) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** The codes and texts with which `xpay` of a real v26.06.6 refuses. */
const XPAY_REFUSALS: Readonly<Record<NotPaid, readonly [number, string]>> = {
  'already-paid': [219, 'Already paid this invoice successfully'],
  'in-progress': [
    -3,
    'Unexpected injectpaymentonion error 200: {"code":200,"message":"Payment with groupid=5996404687357486601 still in progress, cannot retry before that completes."}',
  ],
  expired: [207, 'Invoice expired 1 seconds ago'],
  'own-invoice': [205, 'Failed: no path'],
  'amount-missing': [-32602, 'amount_msat required'],
  'amount-surplus': [-32602, 'amount_msat unnecessary'],
  'too-expensive': [206, 'Failed: Could not find route without excessive cost'],
  'no-path': [205, 'Failed: We could not find a usable set of paths. All 1 channels to the source are disabled.'],
  'refused-by-payee': [203, "Destination said it doesn't know invoice: incorrect_or_unknown_payment_details"],
}

const ALL_METHODS = [
  ...['getinfo', 'listpeerchannels', 'invoice', 'listinvoices', 'delinvoice', 'waitanyinvoice'],
  ...['xpay', 'listpays', 'fetchinvoice', 'fetchbip353', 'offer'],
]

/** Errors of `fetchinvoice` from an offer's maker, or from lightningd (doc/schemas/fetchinvoice.json). */
const FETCH_REFUSALS = {
  expired: [1002, 'Offer expired'],
  'no-path': [1003, 'Cannot find a route to the node making the offer'],
  refused: [1004, 'Remote node sent failure message: "not today"'],
  silent: [1005, 'Timeout waiting for response'],
  unheard: [-1, 'Something else'],
} as const

/**
 * Core Lightning v26.06.6 behind clnrest, as an adapter sees it: every answer has the status, code and fields of a real
 * node's answer.
 */
export class FakeClnrest {
  readonly side: LightningSide
  readonly http: FakeHttp
  readonly rune = 'dGVzdC1ydW5lLXRlc3QtcnVuZS10ZXN0LXJ1bmUtdGVzdD0'
  /** The methods to which the rune is restricted. */
  methods: readonly string[] = ALL_METHODS
  /** Whether lightningd has ended, which clnrest outlives by a moment. */
  isLightningdDead = false
  isSyncing = false
  /** Whether the peer is offline, so that no channel works and `xpay` finds no path. */
  isPeerAway = false
  /** Bitcoin names and their offers; undefined if a name only has an on-chain address. */
  readonly names = new Map<string, string | undefined>()
  /** The result of the next `fetchinvoice`: a refusal, or an invoice that differs from the request. */
  nextFetch: keyof typeof FETCH_REFUSALS | OfferChange | undefined
  /** Whether lightningd resolves Bitcoin names; false for versions before v25.09. */
  knowsNames = true
  /** Whether `waitanyinvoice` also reports an offer's fields, which only `listinvoices` documents. */
  tellsOffersAtOnce = true
  /** Whether the rune was revoked with `blacklistrune`. */
  isRuneBlacklisted = false
  /** The code and text with which the next `xpay` fails before anything leaves. */
  nextRefusal: readonly [number, string] | undefined
  /**
   * The code and text with which `xpay` fails if a hop downstream has no liquidity, in which case `listpays` shows the
   * failed attempt.
   */
  carriesNothing: readonly [number, string] | undefined
  /** Whether lightningd can query the DNS. */
  reachesDns = true
  /** Whether the operator has disabled every offer. */
  areOffersDisabled = false
  readonly #labels = new Map<OwnInvoice, string>()
  /** Our node's offers, by their text. */
  readonly #offers = new Map<string, { readonly id: string; readonly text: string; readonly description: string }>()
  readonly #paidBy = new Map<OwnInvoice, { readonly id: string; readonly note: string | undefined }>()
  /** The waiting calls of `waitanyinvoice`, as functions that make them read again. */
  readonly #waiting = new Set<() => void>()

  constructor(clock: Clock, tls?: { readonly key: string; readonly cert: string }) {
    this.side = new LightningSide({ clock, paysItself: true })
    this.http = new FakeHttp((request) => this.#serve(request), tls)
    this.side.onSettled(() => {
      for (const wake of [...this.#waiting]) wake()
    })
  }

  /** Receives a keysend, for which this node creates its own invoice. */
  receiveKeysend(amount: Msats): OwnInvoice {
    const own = this.side.addInvoice({ amount, description: 'keysend', expiresInSeconds: 3_600 })
    this.#labels.set(own, `keysend-${this.side.clock.now()}.${this.side.invoices.length}`)
    this.side.payFromOutside(own.invoice)
    return own
  }

  /** Receives a payment from outside for one of this node's offers, for which the node creates its own invoice. */
  receiveByOffer(text: string, amount: Msats, note?: string): OwnInvoice {
    const offer = [...this.#offers.values()].find((one) => one.text === text)
    if (offer === undefined) throw new Error('this node has no such offer')
    const own = this.side.addOfferInvoice(amount, offer.description, note)
    this.#labels.set(own, `${offer.id}-${own.paymentHash.slice(0, 8)}-0`)
    this.#paidBy.set(own, { id: offer.id, note })
    this.side.payFromOutside(own.invoice)
    return own
  }

  async #serve(request: FakeRequest) {
    const refuse = (status: number, code: number | null, message: string, data: unknown = null) => ({
      status,
      body: JSON.stringify({ code, data, message }),
    })
    const method = request.path.replace('/v1/', '')
    if (request.headers.rune === undefined) return refuse(403, 1501, 'Not authorized: Missing rune')
    if (this.isLightningdDead) return refuse(401, null, 'Connection refused (os error 111)')
    if (request.headers.rune !== this.rune) {
      return refuse(401, -32602, 'rune: should be base64 string: invalid token \'"abc"\'')
    }
    if (this.isRuneBlacklisted) return refuse(401, 1503, 'Not authorized: Blacklisted rune')
    const isKnown = ALL_METHODS.includes(method) && (method !== 'fetchbip353' || this.knowsNames)
    if (!isKnown && method !== 'withdraw') {
      return refuse(404, -32601, `Unknown command '${method}'`)
    }
    if (!this.methods.includes(method)) {
      const tried = this.methods.map((allowed) => `method is not equal to ${allowed}`).join(' AND ')
      return refuse(401, 1502, `Not permitted: ${tried}`)
    }
    try {
      const result = await this.#call(method, JSON.parse(request.body || '{}'))
      return { status: 201, body: JSON.stringify(result) }
    } catch (error) {
      if (error instanceof RpcRefusal) return refuse(500, error.code, error.message, error.data)
      throw error
    }
  }

  #call(method: string, params: Parameters): unknown {
    switch (method) {
      case 'getinfo':
        return this.#getinfo()
      case 'listpeerchannels':
        return this.#listpeerchannels()
      case 'invoice':
        return this.#invoice(params)
      case 'listinvoices':
        return this.#listinvoices(params)
      case 'delinvoice':
        return this.#delinvoice(params)
      case 'waitanyinvoice':
        return this.#waitanyinvoice(params)
      case 'xpay':
        return this.#xpay(params)
      case 'listpays':
        return { pays: this.#listpays(String(required(params, 'payment_hash'))) }
      case 'fetchinvoice':
        return this.#fetchinvoice(params)
      case 'fetchbip353':
        return this.#fetchbip353(params)
      case 'offer':
        return this.#offer(params)
      default:
        throw new RpcRefusal(-32601, `Unknown command '${method}'`)
    }
  }

  #getinfo() {
    const info = {
      ...{ id: this.side.pubkey, alias: 'cln', color: '02284d', num_peers: 1, blockheight: 448 },
      ...{ network: this.side.network, version: 'v26.06.6', fees_collected_msat: 0 },
    }
    return this.isSyncing ? { ...info, warning_lightningd_sync: 'Still loading latest blocks from bitcoind.' } : info
  }

  #listpeerchannels() {
    const out = this.side.attempts.filter(({ state }) => state === 'pending')
    const mine = Number(this.side.balance + this.side.inFlight)
    const channel = {
      ...{ peer_id: this.side.outsidePubkey, peer_connected: !this.isPeerAway, state: 'CHANNELD_NORMAL' },
      ...{ short_channel_id: '443x2x0', to_us_msat: mine, total_msat: 2 * mine, our_reserve_msat: 0 },
      ...{ spendable_msat: Number(this.side.balance), receivable_msat: mine },
      htlcs: out.map((attempt) => ({
        ...{ direction: 'out', id: 0, expiry: 500, state: 'SENT_ADD_ACK_REVOCATION' },
        ...{ amount_msat: Number(attempt.amount + attempt.fee), payment_hash: attempt.paymentHash },
      })),
    }
    return { channels: [channel] }
  }

  #invoice(params: Parameters) {
    const amount = required(params, 'amount_msat')
    const label = String(required(params, 'label'))
    const description = String(required(params, 'description'))
    if ([...this.#labels.values()].includes(label)) throw new RpcRefusal(900, `Duplicate label '${label}'`)
    const preimage = params.preimage === undefined ? undefined : String(params.preimage)
    if (this.side.invoices.some((own) => own.preimage === preimage)) throw new RpcRefusal(901, 'preimage already used')
    const own = this.side.addInvoice({
      amount: amount === 'any' ? undefined : msats(Number(amount)),
      description,
      descriptionHash:
        params.deschashonly === true ? createHash('sha256').update(description).digest('hex') : undefined,
      expiresInSeconds: Number(params.expiry ?? 604_800),
      preimage,
    })
    this.#labels.set(own, label)
    return {
      ...{ payment_hash: own.paymentHash, expires_at: own.expiresAt / 1000, bolt11: own.invoice },
      ...{ payment_secret: '00'.repeat(32), created_index: this.side.invoices.length },
      warning_capacity: 'Insufficient incoming channel capacity to pay invoice',
    }
  }

  #listinvoices(params: Parameters) {
    const { payment_hash: hash, label } = params
    const found = this.side.invoices.filter((own) => own.paymentHash === hash || this.#labels.get(own) === label)
    return { invoices: found.map((own) => ({ ...this.#show(own), ...this.#offerOf(own) })) }
  }

  #delinvoice(params: Parameters) {
    const label = required(params, 'label')
    const own = this.side.invoices.find((one) => this.#labels.get(one) === label)
    if (own === undefined) throw new RpcRefusal(905, 'Unknown invoice')
    const { status } = this.#show(own)
    if (status !== params.status) {
      const data = { current_status: status, expected_status: params.status }
      throw new RpcRefusal(906, `Invoice status is ${status} not ${params.status}`, data)
    }
    this.side.removeInvoice(own)
    return this.#show(own)
  }

  async #waitanyinvoice(params: Parameters): Promise<unknown> {
    const after = Number(params.lastpay_index ?? 0)
    const timeout = params.timeout === undefined ? undefined : Number(params.timeout)
    const find = () => {
      const later = this.side.invoices.filter((own) => (own.settled?.index ?? 0) > after)
      return later.sort((a, b) => (a.settled?.index ?? 0) - (b.settled?.index ?? 0))[0]
    }
    let isOver = timeout === 0
    const cancel = isOver || timeout === undefined ? () => {} : this.side.clock.after(timeout * 1_000, () => wakeAll())
    const wakeAll = () => {
      isOver = true
      for (const wake of [...this.#waiting]) wake()
    }
    for (;;) {
      const own = find()
      if (own !== undefined) {
        cancel()
        return { ...this.#show(own), ...(this.tellsOffersAtOnce && this.#offerOf(own)) }
      }
      if (isOver) throw new RpcRefusal(904, 'Timed out while waiting for invoice to be paid')
      await new Promise<void>((resolve) => {
        const wake = () => {
          this.#waiting.delete(wake)
          resolve()
        }
        this.#waiting.add(wake)
      })
    }
  }

  async #xpay(params: Parameters) {
    const invoice = String(required(params, 'invstring'))
    const amount = params.amount_msat === undefined ? undefined : msats(Number(params.amount_msat))
    const maxFee = params.maxfee === undefined ? undefined : msats(Number(params.maxfee))
    if (this.isPeerAway) throw new RpcRefusal(...XPAY_REFUSALS['no-path'])
    const refusal = this.nextRefusal
    this.nextRefusal = undefined
    if (refusal !== undefined) throw new RpcRefusal(...refusal)
    try {
      const { amount: arrived, fee, preimage } = await this.side.send({ invoice, amount, maxFee })
      return {
        ...{ payment_preimage: preimage, amount_msat: Number(arrived), amount_sent_msat: Number(arrived + fee) },
        ...{ failed_parts: 0, successful_parts: 1 },
      }
    } catch (error) {
      if (error instanceof SendFailed) throw new RpcRefusal(...(this.carriesNothing ?? XPAY_REFUSALS[error.why]))
      throw error
    }
  }

  #fetchinvoice(params: Parameters) {
    const offer = String(required(params, 'offer'))
    const amount = params.amount_msat === undefined ? undefined : msats(Number(params.amount_msat))
    const next = this.nextFetch
    this.nextFetch = undefined
    if (typeof next === 'string') {
      const [code, words] = FETCH_REFUSALS[next]
      throw new RpcRefusal(code, words)
    }
    const invoice = this.side.invoiceForOffer(offer, amount, next)
    if (invoice === undefined) throw new RpcRefusal(-32602, 'offer: msatoshi parameter required')
    return { invoice, changes: {} }
  }

  #fetchbip353(params: Parameters) {
    const name = String(required(params, 'address'))
    if (!this.reachesDns) throw new RpcRefusal(-32700, 'Error: HrnResolutionError("Failed to connect")')
    if (!this.names.has(name)) throw new RpcRefusal(-32700, 'Error parsing instructions: unknown name')
    const offer = this.names.get(name)
    const instructions = [{ onchain: 'bcrt1qexample' }, ...(offer === undefined ? [] : [{ offer }])]
    return { instructions, proof: '00' }
  }

  #offer(params: Parameters) {
    const amount = required(params, 'amount')
    if (amount !== 'any') throw new RpcRefusal(-32602, 'this fake makes offers of any amount alone')
    if (this.areOffersDisabled) throw new RpcRefusal(1000, 'offer already exists, but is not active')
    const description = String(params.description)
    const said = JSON.stringify([description, params.issuer])
    const known = this.#offers.get(said)
    const id = createHash('sha256').update(said).digest('hex')
    const issuer = params.issuer === undefined ? undefined : String(params.issuer)
    const offer = known ?? { id, text: makeOffer({ network: this.side.network, description, issuer }), description }
    this.#offers.set(said, offer)
    return {
      ...{ offer_id: offer.id, active: true, single_use: false, bolt12: offer.text, used: false },
      ...{ force_paths: false, created: known === undefined },
    }
  }

  #listpays(paymentHash: string) {
    return this.side.attemptsOf(paymentHash).map((attempt: Attempt) => ({
      ...{ payment_hash: paymentHash, status: attempt.state, created_at: attempt.createdAt / 1000 },
      ...{ bolt11: attempt.invoice, destination: this.side.outsidePubkey },
      ...(attempt.state === 'failed'
        ? { amount_sent_msat: 0 }
        : { amount_msat: Number(attempt.amount), amount_sent_msat: Number(attempt.amount + attempt.fee) }),
      ...(attempt.state === 'complete' ? { preimage: attempt.preimage, number_of_parts: 1 } : {}),
    }))
  }

  #offerOf(own: OwnInvoice) {
    const paidBy = this.#paidBy.get(own)
    if (paidBy === undefined) return {}
    const note = paidBy.note === undefined ? {} : { invreq_payer_note: paidBy.note }
    return { local_offer_id: paidBy.id, ...note }
  }

  #show(own: OwnInvoice) {
    const { settled } = own
    const isOver = this.side.clock.now() >= own.expiresAt
    return {
      ...{ label: this.#labels.get(own), payment_hash: own.paymentHash },
      ...(this.#paidBy.has(own) ? { bolt12: own.invoice } : { bolt11: own.invoice }),
      ...{ description: own.description, expires_at: own.expiresAt / 1000, created_index: 1 },
      ...(own.amount === undefined ? {} : { amount_msat: Number(own.amount) }),
      ...(settled === undefined
        ? { status: isOver ? 'expired' : 'unpaid' }
        : {
            ...{ status: 'paid', pay_index: settled.index, amount_received_msat: Number(settled.received) },
            ...{ paid_at: Math.floor(settled.at / 1000), payment_preimage: own.preimage },
          }),
    }
  }
}

function required(params: Parameters, name: string): unknown {
  if (params[name] === undefined) throw new RpcRefusal(-32602, `missing required parameter: ${name}`)
  return params[name]
}
