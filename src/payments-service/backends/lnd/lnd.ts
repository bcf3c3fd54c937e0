import { createHash } from 'node:crypto'
import type { Clock } from '../../../lib/clock.ts'
import type { Entropy } from '../../../lib/entropy.ts'
import { FetchFailed } from '../../../lib/http/outgoing-error.ts'
import { decodeInvoice } from '../../../lib/lightning/bolt11.ts'
import { networkNamed } from '../../../lib/lightning/network-names.ts'
import { type Msats, msats } from '../../../lib/money/amount.ts'
import type {
  BackendCapabilities,
  CreatedInvoice,
  InvoiceRequest,
  InvoiceStatus,
  KeysendRequest,
  LightningBackend,
  NodeBalances,
  NodeHealth,
  NodeInfo,
  OddRecord,
  PaymentLookUp,
  PaymentOutcome,
  PayRequest,
  SentPayment,
  Settlement,
} from '../backend.ts'
import { isOdd } from '../node-answers.ts'
import { createNodeHttp } from '../node-http.ts'
import {
  ALREADY_EXISTS,
  LndApi,
  LndError,
  type LndInvoice,
  type LndPayment,
  type LndSend,
  NOT_FOUND,
} from './lnd-api.ts'
import { checkHealth } from './lnd-health.ts'
import { checkRights } from './lnd-rights.ts'
import { meaningOf, REFUSED } from './payment-failures.ts'
import { readSettlements } from './settlements.ts'

/** How long lnd may start further attempts at one payment. */
const MAX_ATTEMPTS_SECONDS = 60
const LOOK_UP_TIMEOUT_MS = 10_000

/** The TLV type of a keysend's preimage, and the feature bit of TLV payloads, which the receiver must support. */
const KEYSEND_PREIMAGE = '5482373484'
const TLV_ONION_OPTIONAL = 9

export interface LndOptions {
  readonly url: string
  /** The macaroon in hex. */
  readonly macaroon: string
  /** The only trusted certificate, in PEM; undefined to trust the system's certificates. */
  readonly certificate: string | undefined
}

/** Creates the backend of an lnd node over its REST interface. The backend connects at its first use. */
export function createLnd(
  options: LndOptions,
  { clock, entropy }: { clock: Clock; entropy: Entropy },
): LightningBackend {
  const http = createNodeHttp({ baseUrl: options.url, ca: options.certificate, clock })
  return new Lnd({ api: new LndApi(http, options.macaroon), url: options.url, clock, entropy })
}

interface LndParts {
  readonly api: LndApi
  /** The node's address, for error messages. */
  readonly url: string
  readonly clock: Clock
  readonly entropy: Entropy
}

class Lnd implements LightningBackend {
  readonly kind = 'lnd'
  readonly capabilities: BackendCapabilities = {
    keysend: true,
    descriptionHash: true,
    cancelInvoice: true,
    msats: true,
    feeLimit: 'exact',
    offers: false,
    bitcoinNames: false,
    ownOffers: false,
    // By default, lnd's channels forward nothing below 1 sat (`min_htlc`).
    sendable: { smallest: msats(1_000) },
    receivable: { smallest: msats(1) },
  }
  readonly #parts: LndParts
  readonly #api: LndApi
  /**
   * Whether a check has found all rights in the macaroon. A macaroon never loses rights, so one such check is enough.
   */
  #hasAllRights = false

  constructor(parts: LndParts) {
    this.#parts = parts
    this.#api = parts.api
  }

  async info(): Promise<NodeInfo> {
    const { identity_pubkey, alias, chains } = await this.#api.getInfo()
    const name = chains[0]?.network ?? ''
    const network = networkNamed(name)
    if (network === undefined) throw new Error(`lnd is on the network "${name}", which Satchel does not know`)
    return { pubkey: identity_pubkey, alias, network }
  }

  health(): Promise<NodeHealth> {
    return checkHealth(this.#api, this.#parts.url, async () => {
      if (this.#hasAllRights) return undefined
      const missing = await checkRights(this.#api)
      this.#hasAllRights = missing === undefined
      return missing
    })
  }

  async balances(): Promise<NodeBalances> {
    const [{ local_balance, unsettled_local_balance, unsettled_remote_balance }, channels] = await Promise.all([
      this.#api.channelBalance(),
      this.#api.listChannels(),
    ])
    const active = channels.filter((channel) => channel.active)
    const sum = (parts: bigint[]): Msats => msats(parts.reduce((total, part) => total + (part > 0n ? part : 0n), 0n))
    return {
      settled: local_balance.msat,
      inFlight: unsettled_remote_balance.msat,
      arriving: unsettled_local_balance.msat,
      // `local_balance` excludes it. Each HTLC enlarges the commitment, and so its fee.
      commitFees: sum(channels.filter((one) => one.initiator).map((one) => one.commit_fee)),
      // A channel's `local_balance` already excludes the commitment fee, if we pay it.
      spendable: sum(active.map((one) => one.local_balance - one.local_constraints.chan_reserve_sat)),
      receivable: sum(active.map((one) => one.remote_balance - one.remote_constraints.chan_reserve_sat)),
    }
  }

  tariff(): undefined {
    return undefined
  }

  async createInvoice({ amount, description, expiresInSeconds }: InvoiceRequest): Promise<CreatedInvoice> {
    const preimage = this.#parts.entropy.bytes(32)
    const paymentHash = createHash('sha256').update(preimage).digest('hex')
    const about =
      description.hash === undefined
        ? { memo: description.text }
        : { description_hash: Buffer.from(description.hash, 'hex').toString('base64') }
    const made = await this.#api.addInvoice({
      r_preimage: preimage.toString('base64'),
      ...(amount !== undefined && { value_msat: amount.toString() }),
      ...about,
      expiry: expiresInSeconds.toString(),
      // Adds route hints, which lnd uses only for private channels. Without them nobody could pay a node that has no
      // other channels.
      private: true,
    })
    const invoice = decodeInvoice(made.payment_request)
    if (made.r_hash !== paymentHash || invoice.paymentHash !== paymentHash || invoice.amount !== amount) {
      throw new Error('lnd made an invoice that differs from the request')
    }
    return { invoice: invoice.text, paymentHash, expiresAt: invoice.expiresAt, preimage: preimage.toString('hex') }
  }

  async lookUpInvoice(paymentHash: string): Promise<InvoiceStatus | undefined> {
    const found = await this.#findInvoice(paymentHash)
    // A keysend appears among the invoices, but was never one of ours.
    if (found === undefined || found.is_keysend) return undefined
    if (found.state === 'CANCELED') return { state: 'closed' }
    // ACCEPTED: an HTLC has arrived and is not settled. It may still fail.
    if (found.state !== 'SETTLED') return { state: 'open' }
    const { amt_paid_msat: received, r_preimage: preimage, settle_date: settledAt } = found
    return { state: 'settled', received, preimage, settledAt }
  }

  async cancelInvoice(paymentHash: string): Promise<'canceled' | 'settled' | 'unknown'> {
    try {
      await this.#api.cancelInvoice(paymentHash)
      return 'canceled'
    } catch (error) {
      if (!(error instanceof LndError)) throw error
      // The reason is only text, which is not a contract.
      const found = await this.#findInvoice(paymentHash)
      if (found?.state === 'SETTLED') return 'settled'
      return found?.state === 'CANCELED' ? 'canceled' : 'unknown'
    }
  }

  pay({ invoice, paymentHash, amount, maxFee, timeoutMs }: PayRequest): Promise<PaymentOutcome> {
    const asked = { payment_request: invoice, ...(amount !== undefined && { amt_msat: amount.toString() }) }
    return this.#send(paymentHash, asked, maxFee, timeoutMs)
  }

  keysend(request: KeysendRequest): Promise<PaymentOutcome> {
    const { pubkey, amount, maxFee, preimage, paymentHash, tlvRecords, timeoutMs } = request
    const records = tlvRecords.map(({ type, value }) => [String(type), base64(value)])
    const asked = {
      dest: base64(pubkey),
      amt_msat: amount.toString(),
      payment_hash: base64(paymentHash),
      dest_custom_records: { ...Object.fromEntries(records), [KEYSEND_PREIMAGE]: base64(preimage) },
      dest_features: [TLV_ONION_OPTIONAL],
    }
    return this.#send(paymentHash, asked, maxFee, timeoutMs)
  }

  async lookUpPayment(paymentHash: string): Promise<PaymentLookUp> {
    return this.#lookUp(paymentHash, LOOK_UP_TIMEOUT_MS)
  }

  async sentPayments(most: number): Promise<(SentPayment | OddRecord)[]> {
    return (await this.#api.sentPayments(most)).map((row) => {
      if (isOdd(row)) return row
      const { payment_hash: paymentHash, value_msat, fee_msat, creation_time_ns } = row.read
      const at = new Date(Number(creation_time_ns / 1_000_000n))
      return { paymentHash, amount: msats(value_msat + fee_msat), at }
    })
  }

  settledInvoices(cursor: string | undefined, signal: AbortSignal): AsyncGenerator<Settlement | OddRecord> {
    return readSettlements(this.#api, cursor, signal)
  }

  async close(): Promise<void> {
    await this.#api.close()
  }

  async #findInvoice(paymentHash: string): Promise<LndInvoice | undefined> {
    try {
      return await this.#api.lookUpInvoice(paymentHash)
    } catch (error) {
      if (error instanceof LndError && error.code === NOT_FOUND) return undefined
      throw error
    }
  }

  async #send(
    paymentHash: string,
    asked: Omit<LndSend, 'fee_limit_msat' | 'timeout_seconds'>,
    maxFee: Msats,
    timeoutMs: number,
  ): Promise<PaymentOutcome> {
    const { clock } = this.#parts
    const deadline = clock.monotonic() + timeoutMs
    const seconds = Math.min(MAX_ATTEMPTS_SECONDS, Math.max(1, Math.floor(timeoutMs / 1_000)))
    const body = { ...asked, fee_limit_msat: maxFee.toString(), timeout_seconds: seconds }
    try {
      return outcomeOf(paymentHash, await this.#api.sendPayment(body, { timeoutMs }))
    } catch (error) {
      const left = deadline - clock.monotonic()
      if (!(error instanceof LndError) || left <= 0) return { state: 'unknown', evidence: String(error) }
      return error.code === ALREADY_EXISTS
        ? this.#untilEnd(paymentHash, error, left)
        : this.#afterRefusal(paymentHash, error, left)
    }
  }

  /** Resolves to the outcome of a call that lnd refused and ended (see `REFUSED`). */
  async #afterRefusal(paymentHash: string, refusal: LndError, timeoutMs: number): Promise<PaymentOutcome> {
    try {
      const found = await this.#lookUp(paymentHash, Math.min(timeoutMs, LOOK_UP_TIMEOUT_MS))
      if (found.state !== 'absent') return found
      return { state: 'failed', ...REFUSED, evidence: `${refusal.message}; then it had no record of the payment` }
    } catch (error) {
      return { state: 'unknown', evidence: `${refusal.message}; then ${String(error)}` }
    }
  }

  /** Resolves to the outcome of an earlier payment of the same hash, because of which nothing was sent this time. */
  async #untilEnd(paymentHash: string, refusal: LndError, timeoutMs: number): Promise<PaymentOutcome> {
    let last: PaymentOutcome = { state: 'unknown', evidence: refusal.message }
    try {
      for await (const payment of this.#api.trackPayment(paymentHash, { timeoutMs })) {
        last = outcomeOf(paymentHash, payment)
        if (last.state === 'paid' || last.state === 'failed') return last
      }
      return last
    } catch (error) {
      if (error instanceof FetchFailed && error.reason === 'timeout') return last
      return { state: 'unknown', evidence: `${refusal.message}; then ${String(error)}` }
    }
  }

  async #lookUp(paymentHash: string, timeoutMs: number): Promise<PaymentLookUp> {
    try {
      for await (const payment of this.#api.trackPayment(paymentHash, { timeoutMs })) {
        return outcomeOf(paymentHash, payment)
      }
      return { state: 'unknown', evidence: 'lnd ended the look-up without an answer' }
    } catch (error) {
      if (error instanceof LndError && error.code === NOT_FOUND) return { state: 'absent' }
      throw error
    }
  }
}

function outcomeOf(paymentHash: string, payment: LndPayment): PaymentOutcome {
  const { status, payment_hash, payment_preimage: preimage, fee_msat: fee, failure_reason } = payment
  const evidence = `lnd says ${status}, ${failure_reason}`
  if (payment_hash !== paymentHash)
    return { state: 'unknown', evidence: `lnd tells of another payment: ${payment_hash}` }
  if (status === 'SUCCEEDED') return { state: 'paid', preimage, fee }
  if (status === 'IN_FLIGHT' || status === 'INITIATED') return { state: 'pending', evidence }
  const meaning = meaningOf(payment)
  return meaning === undefined ? { state: 'unknown', evidence } : { state: 'failed', ...meaning, evidence }
}

function base64(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64')
}
