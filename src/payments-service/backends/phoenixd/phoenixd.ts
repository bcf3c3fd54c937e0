import { type Clock, pause } from '../../../lib/clock.ts'
import { OutgoingError } from '../../../lib/http/outgoing-error.ts'
import { decodeInvoice, type Network } from '../../../lib/lightning/bolt11.ts'
import { networkNamed } from '../../../lib/lightning/network-names.ts'
import { ceilDivide, type Msats, msats, sats } from '../../../lib/money/amount.ts'
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
  PayRequest,
  SentPayment,
  Settlement,
} from '../backend.ts'
import { isOdd, isReadable } from '../node-answers.ts'
import { createNodeHttp } from '../node-http.ts'
import type { CallEnd, NodeRecord } from '../one-payment.ts'
import { cannotCancel, RecordedSender } from '../recorded-sender.ts'
import { inTimeOrder, readTimeCursor, timedSettlement } from '../time-cursor.ts'
import { ArrivalHints } from './arrival-hints.ts'
import { FINAL_PHOENIXD_FAILURES, REFUSED_UNSENT } from './payment-failures.ts'
import { type IncomingPayment, PhoenixdApi, PhoenixdError, PhoenixdUnreadable } from './phoenixd-api.ts'

export interface PhoenixdOptions {
  readonly url: string
  readonly password: string
}

/** Creates phoenixd's backend. The backend connects at its first use. */
export function createPhoenixd({ url, password }: PhoenixdOptions, { clock }: { clock: Clock }): LightningBackend {
  const api = new PhoenixdApi(createNodeHttp({ baseUrl: url, clock }), password)
  const { authorization } = api
  return new Phoenixd({ api, hints: new ArrivalHints({ url, authorization, clock }), url, clock })
}

interface PhoenixdParts {
  readonly api: PhoenixdApi
  readonly hints: ArrivalHints
  /** The node's address, for error messages. */
  readonly url: string
  readonly clock: Clock
}

const HEALTH_TIMEOUT_MS = 4_000
const ANSWER_TIMEOUT_MS = 10_000
const POLL_EVERY_MS = 2_000
/** The period before the newest payment that is read again, because phoenixd may record payments out of order. */
const OVERLAP_MS = 60_000
/** The time after an invoice's expiry within which a payment that reached the node earlier may still settle. */
const LATE_MS = 600_000
/** The longest description that phoenixd accepts, in UTF-16 units (Api.kt). */
const MAX_DESCRIPTION = 128

/** The price of the only route out, ACINQ's trampoline node: 4 sats and 0.4 % (phoenixd's docs, "Fees"). */
const TARIFF_BASE = sats(4)
const TARIFF_PER_THOUSAND = 4n

const NOT_CONNECTED: ReadonlySet<string> = new Set(['Offline', 'Syncing'])

/** The backend of phoenixd, which has one channel with ACINQ, whole sats, and a fixed price for sending. */
class Phoenixd extends RecordedSender implements LightningBackend {
  readonly kind = 'phoenixd'
  readonly capabilities: BackendCapabilities = {
    keysend: false,
    descriptionHash: true,
    cancelInvoice: false,
    msats: false,
    feeLimit: 'tariff',
    offers: false,
    bitcoinNames: false,
    ownOffers: false,
    sendable: { smallest: sats(1) },
    receivable: { smallest: sats(1) },
  }
  readonly #parts: PhoenixdParts
  #maySend = false

  constructor(parts: PhoenixdParts) {
    super({
      clock: parts.clock,
      lookUpTimeoutMs: ANSWER_TIMEOUT_MS,
      noKeysend: 'phoenixd cannot send without an invoice.',
    })
    this.#parts = parts
  }

  async info(): Promise<NodeInfo> {
    const { nodeId, chain } = await this.#parts.api.getInfo()
    return { pubkey: nodeId, alias: 'phoenixd', network: networkOf(chain) }
  }

  async health(): Promise<NodeHealth> {
    const { api, url } = this.#parts
    try {
      const { channels, blockHeight } = await api.getInfo(HEALTH_TIMEOUT_MS)
      if (!this.#maySend && !(await api.maySend(HEALTH_TIMEOUT_MS))) {
        const reason =
          'The password may receive and not send: it is the limited one. Put http-password from ~/.phoenix/phoenix.conf (not http-password-limited-access) into PHOENIXD_PASSWORD_FILE.'
        return { state: 'refused', reason }
      }
      this.#maySend = true
      if (channels.length > 0 && channels.every(({ state }) => NOT_CONNECTED.has(state))) {
        const reason =
          'phoenixd is not connected to its channels yet. Wait a minute; if it stays so, check its connection to the Internet and its log.'
        return { state: 'starting', reason }
      }
      return { state: 'ready', ...(blockHeight !== undefined && { height: blockHeight }) }
    } catch (error) {
      return explainPhoenixdError(error, url)
    }
  }

  /** Returns the balance. phoenixd reports neither pending sats nor how much more it could receive. */
  async balances(): Promise<NodeBalances> {
    const { balanceSat } = await this.#parts.api.getBalance()
    return { settled: balanceSat, inFlight: undefined, spendable: balanceSat, receivable: undefined }
  }

  tariff(amount: Msats): Msats {
    return msats(TARIFF_BASE + ceilDivide(amount * TARIFF_PER_THOUSAND, 1_000n))
  }

  async createInvoice({ amount, description, expiresInSeconds }: InvoiceRequest): Promise<CreatedInvoice> {
    const { api } = this.#parts
    const { text, hash } = description
    if (amount !== undefined && amount % 1_000n !== 0n)
      throw new TypeError('phoenixd makes invoices only for whole sats')
    const { paymentHash, serialized } = await api.createInvoice({
      ...{ amount, expiresInSeconds },
      description: hash === undefined ? { text: shorten(text) } : { hash },
    })
    const invoice = decodeInvoice(serialized)
    if (invoice.paymentHash !== paymentHash || invoice.amount !== amount || invoice.descriptionHash !== hash) {
      throw new PhoenixdUnreadable('/createinvoice: the invoice differs from the request')
    }
    const made = await api.incoming(paymentHash).catch(() => undefined)
    const preimage = made?.preimage === undefined ? {} : { preimage: made.preimage }
    return { invoice: serialized, paymentHash, expiresAt: invoice.expiresAt, ...preimage }
  }

  async lookUpInvoice(paymentHash: string): Promise<InvoiceStatus | undefined> {
    const found = await this.#parts.api.incoming(paymentHash)
    if (found === undefined) return undefined
    if (found.isPaid) {
      const { received, preimage, settledAt } = settlementOf(found)
      return { state: 'settled', received, preimage, settledAt }
    }
    const { expiresAt } = found
    const isOver = expiresAt !== undefined && this.#parts.clock.now() >= expiresAt + LATE_MS
    return { state: isOver ? 'closed' : 'open' }
  }

  async cancelInvoice(paymentHash: string): Promise<'settled' | 'unknown'> {
    return cannotCancel(await this.lookUpInvoice(paymentHash))
  }

  async sentPayments(most: number): Promise<(SentPayment | OddRecord)[]> {
    return (await this.#parts.api.sent(most)).map((row) => {
      if (isOdd(row)) return row
      const { paymentHash, sent: amount, createdAt } = row.read
      return { paymentHash, amount, at: new Date(createdAt) }
    })
  }

  /**
   * Yields settlements from the list of received payments, which is read repeatedly, and at once when phoenixd reports
   * an arrival. phoenixd's messages may get lost, so only the list counts.
   */
  async *settledInvoices(cursor: string | undefined, signal: AbortSignal): AsyncGenerator<Settlement | OddRecord> {
    const { hints } = this.#parts
    const stop = new AbortController()
    const until = AbortSignal.any([signal, stop.signal])
    const listening = hints.listen(until)
    try {
      yield* this.#arrivals(cursor, until)
    } finally {
      stop.abort()
      await listening
    }
  }

  async *#arrivals(cursor: string | undefined, signal: AbortSignal): AsyncGenerator<Settlement | OddRecord> {
    const { hints, clock } = this.#parts
    const delivered = new Map<string, number>()
    let newest = readTimeCursor(cursor)
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      const from = Math.max(newest.at - OVERLAP_MS, 0)
      const received = await this.#parts.api.received(from)
      for (const odd of received.filter(isOdd)) yield odd
      const paid = received.filter(isReadable).filter(({ isPaid }) => isPaid)
      for (const settlement of paid.map(settlementOf).sort(inTimeOrder)) {
        const { paymentHash, settledAt, cursor: place } = settlement
        const isBefore = place !== undefined && inTimeOrder(settlement, newest) <= 0
        const isNew = !delivered.has(paymentHash) && !(isFirst && isBefore)
        delivered.set(paymentHash, settledAt.getTime())
        if (!isNew) continue
        yield settlement
        if (signal.aborted) return
        if (place !== undefined && !isBefore) newest = readTimeCursor(place)
      }
      for (const [paymentHash, at] of delivered) if (at < from) delivered.delete(paymentHash)
      await Promise.race([pause(clock, POLL_EVERY_MS), hints.next(signal)])
    }
  }

  async close(): Promise<void> {
    await this.#parts.api.close()
  }

  protected async sendOnce(request: PayRequest, timeoutMs: number): Promise<CallEnd> {
    const refusal = await this.#refuse(request)
    if (refusal !== undefined) return refusal
    const { api } = this.#parts
    try {
      const answer = await api.payInvoice(request.invoice, request.amount, timeoutMs)
      if ('reason' in answer) return judge(answer.reason)
      const { paymentPreimage: preimage } = answer
      // The answer has the fee in sats, rounded down. The record has the exact fee.
      const record = await api.outgoing(request.paymentHash).catch(() => undefined)
      return { state: 'paid', preimage, fee: record?.preimage === preimage ? record.fees : undefined }
    } catch (error) {
      const evidence = String(error)
      if (!(error instanceof PhoenixdError) || !REFUSED_UNSENT.has(error.status)) return { state: 'unknown', evidence }
      const reason = 'The Lightning node refused the request. Nothing was sent.'
      return { state: 'over', code: 'refused_by_node', reason, evidence }
    }
  }

  /** Returns a refusal for a payment that phoenixd must not be asked to make; undefined for any other payment. */
  async #refuse({ invoice, paymentHash, amount, maxFee }: PayRequest): Promise<CallEnd | undefined> {
    const evidence = 'the node was not asked'
    const decoded = decodeInvoice(invoice)
    const wanted = decoded.amount ?? amount
    if (decoded.paymentHash !== paymentHash || wanted === undefined) {
      const reason = "The payment hash or the amount is not the invoice's."
      return { state: 'over', code: 'refused_by_node', reason, evidence }
    }
    if (decoded.amount === undefined && wanted % 1_000n !== 0n) {
      return { state: 'over', code: 'refused_by_node', reason: 'The Lightning node sends whole sats only.', evidence }
    }
    if (this.tariff(wanted) > maxFee) {
      const reason = `Sending costs 4 sats and 0.4 %, ${this.tariff(wanted)} msats, which is above the fee limit.`
      return { state: 'over', code: 'no_route', reason, evidence }
    }
    if ((await this.#parts.api.incoming(paymentHash)) === undefined) return undefined
    const reason = 'The invoice is one of our own node.'
    return { state: 'over', code: 'refused_by_node', reason, evidence: '/payments/incoming knows its payment hash' }
  }

  protected async readRecord(paymentHash: string, timeoutMs: number): Promise<NodeRecord> {
    const found = await this.#parts.api.outgoing(paymentHash, timeoutMs)
    if (found === undefined) return { state: 'absent' }
    if (found.preimage !== undefined) return { state: 'paid', preimage: found.preimage, fee: found.fees }
    // An old phoenixd reports every ended payment as paid.
    if (found.isPaid)
      throw new PhoenixdUnreadable('/payments/outgoingbyhash: the payment was made, but has no preimage')
    if (found.completedAt === undefined) return { state: 'pending', evidence: 'outgoingbyhash: not completed' }
    const evidence = 'outgoingbyhash: completed and not paid'
    return { state: 'failed', code: 'other', reason: 'No route could carry the payment.', evidence }
  }
}

/** Explains to the operator why phoenixd did not answer as expected. */
function explainPhoenixdError(error: unknown, url: string): Exclude<NodeHealth, { state: 'ready' }> {
  const details = error instanceof Error ? error.message : String(error)
  if (error instanceof PhoenixdError && error.status === 401) {
    const reason =
      'phoenixd does not accept the password. Put http-password from ~/.phoenix/phoenix.conf into PHOENIXD_PASSWORD_FILE.'
    return { state: 'refused', reason }
  }
  if (error instanceof PhoenixdUnreadable || (error instanceof PhoenixdError && error.status < 500)) {
    const reason = `What answers at ${url} is not phoenixd. Set PHOENIXD_URL to its address (http://127.0.0.1:9740 unless http-bind-port says otherwise).`
    return { state: 'away', reason }
  }
  if (error instanceof OutgoingError && error.reason === 'tls') {
    const reason = `The certificate of ${url} cannot be trusted. phoenixd itself speaks plain http; with a proxy before it, give that one a certificate that this machine accepts. Details: ${details}`
    return { state: 'refused', reason }
  }
  const reason = `phoenixd does not answer at ${url}. Start it, and check PHOENIXD_URL. Details: ${details}`
  return { state: 'away', reason }
}

function judge(reason: string): CallEnd {
  const evidence = `payinvoice: ${reason.slice(0, 200)}`
  const final = FINAL_PHOENIXD_FAILURES.get(reason.trim())
  return final === undefined ? { state: 'unknown', evidence } : { state: 'over', evidence, ...final }
}

function settlementOf(payment: IncomingPayment): Settlement {
  const { paymentHash, receivedSat: received, preimage, completedAt: paidAt, createdAt: madeAt } = payment
  return timedSettlement({ paymentHash, received, preimage, keysend: false }, { paidAt, madeAt })
}

function networkOf(chain: string): Network {
  const network = networkNamed(chain)
  if (network !== undefined) return network
  throw new PhoenixdUnreadable(`/getinfo: the node is on the chain "${chain}", which Satchel does not know`)
}

function shorten(text: string): string {
  if (text.length <= MAX_DESCRIPTION) return text
  // The limit counts UTF-16 units, so the cut may split a character. Half a character is left out.
  return `${text.slice(0, MAX_DESCRIPTION - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}
