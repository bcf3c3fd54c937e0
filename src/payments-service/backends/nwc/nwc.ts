import { aborted, type Clock, pause } from '../../../lib/clock.ts'
import { decodeInvoice, type Network } from '../../../lib/lightning/bolt11.ts'
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
  PayRequest,
  SentPayment,
  Settlement,
} from '../backend.ts'
import { networkNamed } from '../network-names.ts'
import type { CallEnd, NodeRecord } from '../one-payment.ts'
import { cannotCancel, RecordedSender } from '../recorded-sender.ts'
import { inTimeOrder, readTimeCursor, timeCursor } from '../time-cursor.ts'
import { readConnectionUri } from './connection-uri.ts'
import { NwcClient, NwcUnreadable, NwcWalletError } from './nwc-client.ts'
import { explainMissingMethods, explainNwcError, missingMethods } from './nwc-health.ts'
import { type NwcTransaction, stateOf } from './nwc-messages.ts'
import { REFUSED_BY_WALLET } from './wallet-errors.ts'

/**
 * Makes the backend of a wallet over Nostr Wallet Connect. It connects when it is used. Throws Problem for a URI that is
 * none.
 */
export function createNwc({ uri }: { readonly uri: string }, { clock }: { clock: Clock }): LightningBackend {
  const connection = readConnectionUri(uri)
  return new Nwc({ client: new NwcClient(connection, clock), walletPubkey: connection.walletPubkey, clock })
}

interface NwcParts {
  readonly client: NwcClient
  /** Hex public key of the wallet on Nostr: who it is where it does not name its node. */
  readonly walletPubkey: string
  readonly clock: Clock
}

const ANSWER_TIMEOUT_MS = 15_000
const HEALTH_TIMEOUT_MS = 5_000
const POLL_EVERY_MS = 10_000
/** NIP-47 wallets give at most so many transactions at once. */
const PAGE_SIZE = 20
/** A list is by the time that invoices were made, not paid: so far back it is read when the stream begins, and later. */
const FIRST_OVERLAP_MS = 7 * 86_400_000
const LATER_OVERLAP_MS = 3_600_000
/** "Failed" counts when the wallet says it twice, this far apart. */
const TWICE_WITHIN_MS = 2_000
/** A payment that reached the wallet before its invoice expired may settle this much later. */
const LATE_MS = 600_000

/** A wallet over Nostr Wallet Connect. Its errors prove nothing: what `lookup_invoice` says counts. */
class Nwc extends RecordedSender implements LightningBackend {
  readonly kind = 'nwc'
  readonly #parts: NwcParts
  /** Since when (monotonic milliseconds) the wallet has called an outgoing payment failed. */
  readonly #failedSince = new Map<string, number>()
  #carriesDescriptionHash = true

  constructor(parts: NwcParts) {
    super({
      clock: parts.clock,
      lookUpTimeoutMs: ANSWER_TIMEOUT_MS,
      noKeysend: 'This wallet cannot send without an invoice in a way that can be looked up afterwards.',
    })
    this.#parts = parts
  }

  get capabilities(): BackendCapabilities {
    return {
      // A wallet may choose another preimage than ours, and then the payment cannot be looked up.
      keysend: false,
      // Some wallets drop the hash without a word; it is noticed with the first invoice.
      descriptionHash: this.#carriesDescriptionHash,
      cancelInvoice: false,
      msats: true,
      feeLimit: 'none',
      offers: false,
      bitcoinNames: false,
      ownOffers: false,
      sendable: { smallest: msats(1) },
      receivable: { smallest: msats(1) },
    }
  }

  async info(): Promise<NodeInfo> {
    const { pubkey, alias, network } = await this.#parts.client.request('get_info', {}, ANSWER_TIMEOUT_MS)
    const isKey = pubkey !== undefined && /^0[23][0-9a-f]{64}$/.test(pubkey)
    const named = isKey ? pubkey : `02${this.#parts.walletPubkey}`
    return { pubkey: named, alias: alias ?? '', network: networkOf(network) }
  }

  async health(): Promise<NodeHealth> {
    const { client } = this.#parts
    try {
      const info = await client.request('get_info', {}, HEALTH_TIMEOUT_MS)
      const missing = missingMethods(info.methods)
      if (missing.length > 0) return explainMissingMethods(missing)
      return { state: 'ready', ...(info.block_height !== undefined && { height: info.block_height }) }
    } catch (error) {
      return explainNwcError(error, client.relays)
    }
  }

  /** The balance of the connection; a wallet says neither what is on its way nor what it could receive. */
  async balances(): Promise<NodeBalances> {
    const { balance } = await this.#parts.client.request('get_balance', {}, ANSWER_TIMEOUT_MS)
    return { settled: balance, inFlight: undefined, spendable: balance, receivable: undefined }
  }

  tariff(): undefined {
    return undefined
  }

  async createInvoice({ amount, description, expiresInSeconds }: InvoiceRequest): Promise<CreatedInvoice> {
    const { text, hash } = description
    const params = {
      amount: Number(amount ?? 0n),
      expiry: expiresInSeconds,
      ...(hash === undefined ? { description: text } : { description_hash: hash }),
    }
    const made = await this.#parts.client.request('make_invoice', params, ANSWER_TIMEOUT_MS)
    const invoice = decodeInvoice(made.invoice)
    if (invoice.amount !== amount) throw new NwcUnreadable('make_invoice: the invoice has another amount')
    if (invoice.descriptionHash !== hash) {
      this.#carriesDescriptionHash = false
      throw new NwcUnreadable('make_invoice: the wallet left out the description hash')
    }
    const { paymentHash, expiresAt } = invoice
    const preimage = made.preimage === undefined ? {} : { preimage: made.preimage }
    return { invoice: made.invoice, paymentHash, expiresAt, ...preimage }
  }

  async lookUpInvoice(paymentHash: string): Promise<InvoiceStatus | undefined> {
    const found = await this.#find(paymentHash, ANSWER_TIMEOUT_MS)
    if (found?.type !== 'incoming') return undefined
    const state = stateOf(found)
    if (state === 'settled') return { state, ...arrivalOf(found) }
    const expiresAt = (found.expires_at ?? Number.POSITIVE_INFINITY) * 1_000
    return { state: this.#parts.clock.now() >= expiresAt + LATE_MS ? 'closed' : 'open' }
  }

  async cancelInvoice(paymentHash: string): Promise<'settled' | 'unknown'> {
    return cannotCancel(await this.lookUpInvoice(paymentHash))
  }

  async sentPayments(most: number): Promise<SentPayment[]> {
    const sent: SentPayment[] = []
    for (let offset = 0; sent.length < most; ) {
      const params = { type: 'outgoing', limit: PAGE_SIZE, offset, unpaid: false }
      const { transactions } = await this.#parts.client.request('list_transactions', params, ANSWER_TIMEOUT_MS)
      if (transactions.length === 0) break
      offset += transactions.length
      const settled = transactions.filter((one) => one.type === 'outgoing' && stateOf(one) === 'settled')
      sent.push(
        ...settled.map(({ payment_hash: paymentHash, amount, fees_paid = ZERO, created_at }) => ({
          ...{ paymentHash, amount: msats(amount + fees_paid), at: new Date(created_at * 1_000) },
        })),
      )
    }
    return sent.slice(0, most)
  }

  /** Reads the list of transactions again and again, at once when a notification came: a lost one costs time only. */
  async *settledInvoices(cursor: string | undefined, signal: AbortSignal): AsyncGenerator<Settlement> {
    const hint = new Hints(this.#parts.client)
    const delivered = new Map<string, number>()
    const start = readTimeCursor(cursor)
    let since = Math.max(start.at - FIRST_OVERLAP_MS, 0)
    try {
      for (let isFirst = true; !signal.aborted; isFirst = false) {
        const settlements = [...(await this.#settledSince(since)), ...(await this.#settledAmong(hint.take()))]
        for (const settlement of settlements.sort(inTimeOrder)) {
          const { paymentHash } = settlement
          const isNew = !delivered.has(paymentHash) && !(isFirst && inTimeOrder(settlement, start) <= 0)
          delivered.set(paymentHash, settlement.settledAt.getTime())
          if (isNew) yield settlement
          if (signal.aborted) return
        }
        since = Math.max(this.#parts.clock.now() - LATER_OVERLAP_MS, 0)
        await Promise.race([pause(this.#parts.clock, POLL_EVERY_MS), hint.next(), aborted(signal)])
      }
    } finally {
      hint.close()
    }
  }

  async close(): Promise<void> {
    this.#parts.client.close()
  }

  async #settledSince(sinceMs: number): Promise<Settlement[]> {
    const settlements: Settlement[] = []
    for (let offset = 0; ; ) {
      const params = { type: 'incoming', from: Math.floor(sinceMs / 1_000), limit: PAGE_SIZE, offset, unpaid: false }
      const { transactions } = await this.#parts.client.request('list_transactions', params, ANSWER_TIMEOUT_MS)
      settlements.push(...transactions.filter(isArrival).map(settlementOf))
      // A wallet may give fewer than were asked for before its end.
      if (transactions.length === 0) return settlements
      offset += transactions.length
    }
  }

  async #settledAmong(paymentHashes: readonly string[]): Promise<Settlement[]> {
    const found = await Promise.all(paymentHashes.map((paymentHash) => this.#find(paymentHash, ANSWER_TIMEOUT_MS)))
    return found.filter((one) => one !== undefined && isArrival(one)).map((one) => settlementOf(one as NwcTransaction))
  }

  protected async sendOnce(request: PayRequest, timeoutMs: number): Promise<CallEnd> {
    const { invoice, paymentHash, amount } = request
    const over = (reason: string, evidence: string): CallEnd => ({
      ...{ state: 'over', code: 'refused_by_node', reason, evidence },
    })
    if (decodeInvoice(invoice).paymentHash !== paymentHash) {
      return over('The payment hash is not that of the invoice.', 'the wallet was not asked')
    }
    if ((await this.#find(paymentHash, timeoutMs))?.type === 'incoming') {
      return over('The invoice is one of our own wallet.', 'lookup_invoice knows it as incoming')
    }
    const params = { invoice, ...(amount !== undefined && { amount: Number(amount) }) }
    try {
      const paid = await this.#parts.client.request('pay_invoice', params, timeoutMs)
      return { state: 'paid', preimage: paid.preimage, fee: paid.fees_paid ?? (await this.#feeOf(paymentHash)) }
    } catch (error) {
      const refusal = error instanceof NwcWalletError ? REFUSED_BY_WALLET.get(error.code) : undefined
      return refusal === undefined
        ? { state: 'unknown', evidence: String(error) }
        : { state: 'over', evidence: String(error), ...refusal }
    }
  }

  async #feeOf(paymentHash: string): Promise<Msats | undefined> {
    const found = await this.#find(paymentHash, ANSWER_TIMEOUT_MS).catch(() => undefined)
    return found?.type === 'outgoing' ? found.fees_paid : undefined
  }

  protected async readRecord(paymentHash: string, timeoutMs: number): Promise<NodeRecord> {
    const found = await this.#find(paymentHash, timeoutMs)
    const state = found?.type === 'outgoing' ? stateOf(found) : undefined
    if (state !== 'failed') this.#failedSince.delete(paymentHash)
    // What has this hash and came in is an invoice of the wallet itself.
    if (found === undefined || state === undefined) return { state: 'absent' }
    if (state === 'settled') {
      if (found.preimage === undefined) throw new NwcUnreadable('lookup_invoice: a settled payment has no preimage')
      return { state: 'paid', preimage: found.preimage, fee: found.fees_paid }
    }
    if (state !== 'failed') return { state: 'pending', evidence: `lookup_invoice: ${found.state ?? 'not settled'}` }
    const now = this.#parts.clock.monotonic()
    const since = this.#failedSince.get(paymentHash) ?? now
    this.#failedSince.set(paymentHash, since)
    if (now - since < TWICE_WITHIN_MS) return { state: 'pending', evidence: 'lookup_invoice: failed, said once' }
    const evidence = 'lookup_invoice: outgoing, failed, said twice'
    return { state: 'failed', code: 'other', reason: 'The wallet could not pay this invoice.', evidence }
  }

  async #find(paymentHash: string, timeoutMs: number): Promise<NwcTransaction | undefined> {
    try {
      return await this.#parts.client.request('lookup_invoice', { payment_hash: paymentHash }, timeoutMs)
    } catch (error) {
      if (error instanceof NwcWalletError && error.code === 'NOT_FOUND') return undefined
      throw error
    }
  }
}

/** Payment hashes that the wallet told of by itself. */
class Hints {
  #hashes: string[] = []
  #wake: () => void = () => {}
  readonly close: () => void

  constructor(client: NwcClient) {
    this.close = client.onReceived((paymentHash) => {
      this.#hashes.push(paymentHash)
      this.#wake()
    })
  }

  take(): string[] {
    const taken = this.#hashes
    this.#hashes = []
    return taken
  }

  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
      if (this.#hashes.length > 0) resolve()
    })
  }
}

function isArrival(found: NwcTransaction): boolean {
  return found.type === 'incoming' && stateOf(found) === 'settled' && found.preimage !== undefined
}

function arrivalOf(found: NwcTransaction): { received: Msats; preimage: string; settledAt: Date } {
  const { amount: received, preimage, settled_at: settledAt } = found
  if (preimage === undefined || settledAt === undefined) {
    throw new NwcUnreadable('a settled invoice has no preimage or no time')
  }
  return { received, preimage, settledAt: new Date(settledAt * 1_000) }
}

function settlementOf(found: NwcTransaction): Settlement {
  const { payment_hash: paymentHash, invoice } = found
  const arrival = arrivalOf(found)
  const cursor = timeCursor(arrival.settledAt, paymentHash)
  return { cursor, paymentHash, ...arrival, keysend: invoice === undefined }
}

function networkOf(name: string | undefined): Network {
  const network = networkNamed(name)
  if (network !== undefined) return network
  throw new NwcUnreadable(`get_info: the wallet is on the network "${name}", which Satchel does not know`)
}
