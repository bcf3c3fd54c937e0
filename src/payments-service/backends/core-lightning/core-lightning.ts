import { createHash } from 'node:crypto'
import type { Clock } from '../../../lib/clock.ts'
import type { Entropy } from '../../../lib/entropy.ts'
import type { Network } from '../../../lib/lightning/bolt11.ts'
import { decodeAnyInvoice } from '../../../lib/lightning/bolt12.ts'
import { networkNamed } from '../../../lib/lightning/network-names.ts'
import { type Msats, msats, ZERO } from '../../../lib/money/amount.ts'
import type {
  BackendCapabilities,
  CreatedInvoice,
  InvoiceRequest,
  InvoiceStatus,
  LightningBackend,
  NodeBalances,
  NodeHealth,
  NodeInfo,
  OddRecord,
  OfferAnswer,
  OfferDraft,
  OfferRequest,
  OwnOffer,
  PayRequest,
  Settlement,
} from '../backend.ts'
import { isOdd, readRow } from '../node-answers.ts'
import { createNodeHttp } from '../node-http.ts'
import type { CallEnd, NodeRecord } from '../one-payment.ts'
import { RecordedSender } from '../recorded-sender.ts'
import {
  ClnError,
  type ClnInvoice,
  type ClnMethod,
  type ClnPay,
  Clnrest,
  ClnUnreadable,
  clnPay,
  RUNE_REFUSALS,
} from './clnrest.ts'
import { explainClnError } from './clnrest-health.ts'
import { explainMissingRights, missingRights, offerRights } from './clnrest-rights.ts'
import { fetchOfferInvoice, makeOffer } from './offers.ts'
import { arrivalOf, readSettlements } from './settlements.ts'
import { FINAL_XPAY_ERRORS } from './xpay-errors.ts'

export interface CoreLightningOptions {
  /** The address on which clnrest listens. */
  readonly url: string
  readonly rune: string
  /** The only trusted certificate, in PEM; undefined to trust the system's certificates. */
  readonly certificate: string | undefined
}

/** Creates the backend of a Core Lightning node over clnrest. The backend connects at its first use. */
export function createCoreLightning(
  { url, rune, certificate }: CoreLightningOptions,
  { clock, entropy }: { clock: Clock; entropy: Entropy },
): LightningBackend {
  const http = createNodeHttp({ baseUrl: url, ca: certificate, clock })
  return new CoreLightning({ rpc: new Clnrest(http, rune), url, clock, entropy })
}

interface CoreLightningParts {
  readonly rpc: Clnrest
  /** The node's address, for error messages. */
  readonly url: string
  readonly clock: Clock
  readonly entropy: Entropy
}

const ANSWER_TIMEOUT_MS = 10_000
const HEALTH_TIMEOUT_MS = 4_000
/**
 * How long one `xpay` may try further routes, in seconds. This is shorter than the time after which a resolver believes
 * "no record".
 */
const RETRY_FOR_S = 30
/**
 * The delay before the record is read once more, if the call ended with parts under way. By then, the record contains
 * the parts that `xpay` had just reserved.
 */
const READ_AGAIN_MS = 1_000
/** The permitted difference between the node's clock and ours, in milliseconds. */
const CLOCK_SKEW_MS = 60_000
/** The maximum number of canceled invoices that are remembered. */
const MAX_CANCELED = 10_000

const UNKNOWN_INVOICE = 905
const WRONG_STATUS = 906

/** The channel states in which `to_us_msat` can still be spent over Lightning, not only on the chain. */
const LIVE_CHANNEL = /^(CHANNELD_|DUALOPEND_AWAITING_LOCKIN|CLOSINGD_SIGEXCHANGE)/

/**
 * The backend of Core Lightning behind clnrest (v24.11 or later, because of `xpay`). We choose each invoice's preimage,
 * and label the invoice with its payment hash.
 */
class CoreLightning extends RecordedSender implements LightningBackend {
  readonly kind = 'core-lightning'
  // The health check finds out what the node can do with offers and the rune permits.
  capabilities: BackendCapabilities = {
    // `xkeysend` chooses the preimage itself, so a keysend with a lost answer could not be found again.
    keysend: false,
    descriptionHash: true,
    cancelInvoice: true,
    msats: true,
    feeLimit: 'exact',
    offers: false,
    bitcoinNames: false,
    ownOffers: false,
    sendable: { smallest: msats(1) },
    receivable: { smallest: msats(1) },
  }
  readonly #parts: CoreLightningParts
  /**
   * The payment hashes of invoices that were canceled here. They are remembered because the node itself deletes such
   * invoices.
   */
  readonly #canceled = new Set<string>()
  #hasAllRights = false

  constructor(parts: CoreLightningParts) {
    super({
      clock: parts.clock,
      lookUpTimeoutMs: ANSWER_TIMEOUT_MS,
      noKeysend: 'Core Lightning cannot send without an invoice in a way that can be looked up afterwards.',
      isShutOut: isRuneRefused,
    })
    this.#parts = parts
  }

  async info(): Promise<NodeInfo> {
    const { id, alias, network } = await this.#call('getinfo', {})
    return { pubkey: id, alias, network: networkOf(network) }
  }

  async health(): Promise<NodeHealth> {
    const { rpc, url } = this.#parts
    try {
      const info = await rpc.call('getinfo', {}, { timeoutMs: HEALTH_TIMEOUT_MS })
      const behind = info.warning_lightningd_sync ?? info.warning_bitcoind_sync
      if (behind !== undefined) return { state: 'syncing', reason: `Core Lightning is behind the chain: ${behind}` }
      if (!this.#hasAllRights) {
        const missing = await missingRights(rpc, HEALTH_TIMEOUT_MS)
        if (missing.length > 0) return explainMissingRights(missing)
        this.capabilities = { ...this.capabilities, ...(await offerRights(rpc, HEALTH_TIMEOUT_MS)) }
        this.#hasAllRights = true
      }
      return { state: 'ready', height: info.blockheight }
    } catch (error) {
      return explainClnError(error, url)
    }
  }

  async balances(): Promise<NodeBalances> {
    const { channels } = await this.#call('listpeerchannels', {})
    const live = channels.filter(({ state }) => LIVE_CHANNEL.test(state))
    const usable = live.filter(({ state, peer_connected }) => state === 'CHANNELD_NORMAL' && peer_connected)
    const under = (way: 'in' | 'out') =>
      sum(live.flatMap(({ htlcs }) => htlcs.filter((one) => one.direction === way).map((one) => one.amount_msat)))
    const inFlight = under('out')
    // Sums that are leaving still count in `to_us_msat`.
    const ours = sum(live.map((channel) => channel.to_us_msat ?? ZERO))
    return {
      settled: msats(ours > inFlight ? ours - inFlight : 0n),
      inFlight,
      arriving: under('in'),
      spendable: sum(usable.map((channel) => channel.spendable_msat ?? ZERO)),
      receivable: sum(usable.map((channel) => channel.receivable_msat ?? ZERO)),
    }
  }

  tariff(): undefined {
    return undefined
  }

  async createInvoice({ amount, description, expiresInSeconds }: InvoiceRequest): Promise<CreatedInvoice> {
    const { text, hash } = description
    if (hash !== undefined && sha256(Buffer.from(text)) !== hash) {
      throw new TypeError('the description hash is not the hash of the text, and Core Lightning hashes the text itself')
    }
    const preimage = this.#parts.entropy.bytes(32).toString('hex')
    const paymentHash = sha256(Buffer.from(preimage, 'hex'))
    const made = await this.#call('invoice', {
      amount_msat: amount === undefined ? 'any' : Number(amount),
      label: paymentHash,
      description: text,
      expiry: expiresInSeconds,
      preimage,
      ...(hash !== undefined && { deschashonly: true }),
    })
    if (made.payment_hash !== paymentHash) throw new ClnUnreadable('invoice: its payment hash is not the requested one')
    return { invoice: made.bolt11, paymentHash, preimage, expiresAt: new Date(made.expires_at * 1000) }
  }

  async lookUpInvoice(paymentHash: string): Promise<InvoiceStatus | undefined> {
    const invoice = await this.#invoice(paymentHash)
    if (invoice?.status === 'paid') return { state: 'settled', ...arrivalOf(invoice, this.#parts.clock) }
    if (invoice?.status === 'unpaid') return { state: 'open' }
    return invoice?.status === 'expired' || this.#canceled.has(paymentHash) ? { state: 'closed' } : undefined
  }

  async cancelInvoice(paymentHash: string): Promise<'canceled' | 'settled' | 'unknown'> {
    if (this.#canceled.has(paymentHash)) return 'canceled'
    try {
      await this.#call('delinvoice', { label: paymentHash, status: 'unpaid' })
      this.#rememberCanceled(paymentHash)
      return 'canceled'
    } catch (error) {
      if (!(error instanceof ClnError)) throw error
      if (error.code === UNKNOWN_INVOICE) return 'unknown'
      if (error.code !== WRONG_STATUS) throw error
      const found = await this.lookUpInvoice(paymentHash)
      if (found?.state === 'settled') return 'settled'
      return found?.state === 'closed' ? 'canceled' : 'unknown'
    }
  }

  fetchInvoice(request: OfferRequest): Promise<OfferAnswer> {
    return fetchOfferInvoice(this.#parts.rpc, request)
  }

  createOffer(draft: OfferDraft): Promise<OwnOffer | undefined> {
    return makeOffer(this.#parts.rpc, draft, ANSWER_TIMEOUT_MS)
  }

  settledInvoices(cursor: string | undefined, signal: AbortSignal): AsyncGenerator<Settlement | OddRecord> {
    const { rpc, clock } = this.#parts
    return readSettlements({ rpc, clock, find: (paymentHash) => this.#invoice(paymentHash) }, cursor, signal)
  }

  async close(): Promise<void> {
    await this.#parts.rpc.close()
  }

  protected async sendOnce(request: PayRequest, timeoutMs: number): Promise<CallEnd> {
    const { invoice, paymentHash, amount, maxFee } = request
    const refused = (reason: string, evidence: string): CallEnd => ({
      ...{ state: 'over', code: 'refused_by_node', reason, evidence },
    })
    if (decodeAnyInvoice(invoice).paymentHash !== paymentHash) {
      return refused("The payment hash is not the invoice's.", 'the node was not asked')
    }
    const params = {
      invstring: invoice,
      maxfee: Number(maxFee),
      retry_for: Math.min(Math.max(Math.floor(timeoutMs / 1_000), 1), RETRY_FOR_S),
      ...(amount !== undefined && { amount_msat: Number(amount) }),
    }
    try {
      // Core Lightning would pay itself, which moves nothing and costs the payer.
      if ((await this.#invoice(paymentHash)) !== undefined) {
        return refused('The invoice is one of our own node.', 'listinvoices knows its payment hash')
      }
      const paid = await this.#parts.rpc.call('xpay', params, { timeoutMs })
      const fee = feeOf(paid.amount_msat, paid.amount_sent_msat)
      return { state: 'paid', preimage: paid.payment_preimage ?? '', fee }
    } catch (error) {
      return this.#judge(error, request)
    }
  }

  async #judge(error: unknown, { invoice, amount }: PayRequest): Promise<CallEnd> {
    const evidence = String(error)
    const final = error instanceof ClnError && error.code !== null && FINAL_XPAY_ERRORS.get(error.code)
    if (!final) return { state: 'unknown', evidence }
    const { code, reason, afterParts } = final
    const over = {
      ...({ state: 'over', code, reason, evidence } as const),
      ...(afterParts && { readAgainAfterMs: READ_AGAIN_MS }),
      ...(isRuneRefused(error) && ({ isUnread: true } as const)),
    }
    if (code !== 'no_route') return over
    const { spendable } = await this.balances().catch(() => ({ spendable: undefined }))
    const wanted = decodeAnyInvoice(invoice).amount ?? amount
    if (spendable === undefined || wanted === undefined || wanted <= spendable) return over
    return { ...over, code: 'no_liquidity', reason: 'The Lightning node has too little to send now.' }
  }

  protected async readRecord(paymentHash: string, timeoutMs: number): Promise<NodeRecord> {
    const answer = await this.#parts.rpc.call('listpays', { payment_hash: paymentHash }, { timeoutMs })
    const rows = answer.pays.map((row) => readRow('listpays', row, clnPay))
    const pays = rows.flatMap((row) => (isOdd(row) ? [] : row.read))
    const complete = pays.find(({ status }) => status === 'complete')
    if (complete !== undefined) return paidBy(complete)
    // An unreadable one may be under way, or have arrived.
    const odd = rows.find(isOdd)
    if (odd !== undefined) throw new ClnUnreadable(odd.odd)
    if (pays.some(({ status }) => status === 'pending')) return { state: 'pending', evidence: 'listpays: pending' }
    if (pays.length === 0) return { state: 'absent' }
    const newest = Math.max(...pays.map(({ created_at }) => Math.ceil(created_at * 1_000)))
    return {
      ...{ state: 'failed', code: 'other', reason: 'No route could carry the payment.', evidence: 'listpays: failed' },
      // An `xpay` whose call broke off may send further parts for this long.
      retriesUntil: newest + RETRY_FOR_S * 1_000 + CLOCK_SKEW_MS,
    }
  }

  async #invoice(paymentHash: string): Promise<ClnInvoice | undefined> {
    const { invoices } = await this.#call('listinvoices', { payment_hash: paymentHash })
    return invoices[0]
  }

  #call<Method extends ClnMethod>(method: Method, params: Readonly<Record<string, unknown>>) {
    return this.#parts.rpc.call(method, params, { timeoutMs: ANSWER_TIMEOUT_MS })
  }

  #rememberCanceled(paymentHash: string): void {
    this.#canceled.add(paymentHash)
    const [oldest] = this.#canceled
    if (this.#canceled.size > MAX_CANCELED && oldest !== undefined) this.#canceled.delete(oldest)
  }
}

function isRuneRefused(error: unknown): boolean {
  return error instanceof ClnError && error.code !== null && RUNE_REFUSALS.includes(error.code)
}

function paidBy(pay: ClnPay): NodeRecord {
  const { preimage = '', amount_msat: arrived, amount_sent_msat: sent } = pay
  return { state: 'paid', preimage, fee: feeOf(arrived, sent) }
}

/** Returns the fee; undefined if one of its two parts is missing or impossible. */
function feeOf(arrived: Msats | undefined, sent: Msats | undefined): Msats | undefined {
  return arrived === undefined || sent === undefined || sent < arrived ? undefined : msats(sent - arrived)
}

function networkOf(name: string): Network {
  const network = networkNamed(name)
  if (network !== undefined) return network
  throw new ClnUnreadable(`getinfo: the node is on the network "${name}", which Satchel does not know`)
}

function sum(amounts: readonly Msats[]): Msats {
  return amounts.reduce((total, amount) => msats(total + amount), ZERO)
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
