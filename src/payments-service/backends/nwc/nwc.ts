import { aborted, type Clock, pause } from '../../../lib/clock.ts'
import { decodeInvoice, type Network } from '../../../lib/lightning/bolt11.ts'
import { networkNamed } from '../../../lib/lightning/network-names.ts'
import { msats, ZERO } from '../../../lib/money/amount.ts'
import { NwcClient, NwcNoAnswer, NwcUnreadable, NwcWalletError } from '../../../lib/nostr/wallet-connect/nwc-client.ts'
import { type NwcTransaction, nwcTransaction, stateOf } from '../../../lib/nostr/wallet-connect/nwc-messages.ts'
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
import { isOdd, isReadable, type Row, readRow } from '../node-answers.ts'
import type { CallEnd, NodeRecord } from '../one-payment.ts'
import { cannotCancel, RecordedSender } from '../recorded-sender.ts'
import { inTimeOrder, readTimeCursor, timedSettlement } from '../time-cursor.ts'
import { readConnectionUri } from './connection-uri.ts'
import { explainNwcError } from './nwc-health.ts'
import { explainMissingMethods, missingMethods } from './nwc-rights.ts'
import { REFUSED_BY_WALLET } from './wallet-errors.ts'

/**
 * Creates the backend of a wallet that speaks Nostr Wallet Connect. The backend connects at its first use. Throws
 * Problem for an invalid URI.
 */
export function createNwc(
  { uri, encryption = 'auto' }: { readonly uri: string; readonly encryption?: 'auto' | 'nip04' },
  { clock }: { clock: Clock },
): LightningBackend {
  const connection = readConnectionUri(uri)
  const client = new NwcClient(connection, clock, { encryption })
  return new Nwc({ client, walletPubkey: connection.walletPubkey, clock })
}

interface NwcParts {
  readonly client: NwcClient
  /** The wallet's public key on Nostr in hex, which identifies the wallet if no key of its node is reported. */
  readonly walletPubkey: string
  readonly clock: Clock
}

const ANSWER_TIMEOUT_MS = 15_000
const HEALTH_TIMEOUT_MS = 5_000
const POLL_EVERY_MS = 10_000
/** The maximum number of transactions that NIP-47 wallets return at once. */
const PAGE_SIZE = 20
/**
 * How far back the list of transactions is read when the stream begins, and later. The list is sorted by the invoices'
 * creation, not by their payment.
 */
const FIRST_OVERLAP_MS = 7 * 86_400_000
const LATER_OVERLAP_MS = 3_600_000
/** The minimum time between two reports of "failed". A failure counts only after the second report. */
const TWICE_WITHIN_MS = 2_000
/** The time after an invoice's expiry within which a payment that reached the wallet earlier may still settle. */
const LATE_MS = 600_000

/**
 * The backend of a wallet that speaks Nostr Wallet Connect. The wallet's errors prove nothing; only `lookup_invoice`
 * counts.
 */
class Nwc extends RecordedSender implements LightningBackend {
  readonly kind = 'nwc'
  readonly #parts: NwcParts
  /**
   * The times (in monotonic milliseconds) since which the wallet has reported outgoing payments as failed, by payment
   * hash.
   */
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
      // A wallet may choose another preimage than ours, so the payment could not be looked up.
      keysend: false,
      // Some wallets drop the hash without an error, which the first invoice shows.
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
    const isKey = pubkey !== undefined && /^0[23][0-9a-f]{64}$/i.test(pubkey)
    const named = isKey ? pubkey.toLowerCase() : `02${this.#parts.walletPubkey}`
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

  /** Returns the connection's balance. A wallet reports neither pending sats nor its room to receive. */
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
    if (invoice.amount !== amount) throw new NwcUnreadable('make_invoice: the invoice is not for the requested amount')
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
    if (state === 'settled') {
      const { received, preimage, settledAt } = this.#settlementOf(found)
      return { state, received, preimage, settledAt }
    }
    const expiresAt = (found.expires_at ?? Number.POSITIVE_INFINITY) * 1_000
    return { state: this.#parts.clock.now() >= expiresAt + LATE_MS ? 'closed' : 'open' }
  }

  async cancelInvoice(paymentHash: string): Promise<'settled' | 'unknown'> {
    return cannotCancel(await this.lookUpInvoice(paymentHash))
  }

  async sentPayments(most: number): Promise<(SentPayment | OddRecord)[]> {
    const sent: (SentPayment | OddRecord)[] = []
    for (let offset = 0; sent.length < most; ) {
      const params = { type: 'outgoing', limit: PAGE_SIZE, offset, unpaid: false }
      const { transactions } = await this.#parts.client.request('list_transactions', params, ANSWER_TIMEOUT_MS)
      if (transactions.length === 0) break
      offset += transactions.length
      sent.push(...transactions.flatMap((row) => sentOf(readRow('list_transactions', row, nwcTransaction))))
    }
    return sent.slice(0, most)
  }

  /**
   * Yields settlements from the list of transactions, which is read repeatedly, and at once after a notification. A
   * lost notification causes only a delay.
   */
  async *settledInvoices(cursor: string | undefined, signal: AbortSignal): AsyncGenerator<Settlement | OddRecord> {
    const hint = new Hints(this.#parts.client)
    const delivered = new Set<string>()
    const start = readTimeCursor(cursor)
    let since = Math.max(start.at - FIRST_OVERLAP_MS, 0)
    try {
      for (let isFirst = true; !signal.aborted; isFirst = false) {
        const rows = [...(await this.#settledSince(since)), ...(await this.#settledAmong(hint.take()))]
        const settlements = rows.filter(isReadable).sort(inTimeOrder)
        for (const settlement of [...settlements, ...rows.filter(isOdd)]) {
          const key = settlement.paymentHash ?? ''
          const isBefore = !isOdd(settlement) && settlement.cursor !== undefined && inTimeOrder(settlement, start) <= 0
          const isNew = !delivered.has(key) && !(isFirst && isBefore)
          if (!isOdd(settlement)) delivered.add(key)
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

  async #settledSince(sinceMs: number): Promise<(Settlement | OddRecord)[]> {
    const settlements: (Settlement | OddRecord)[] = []
    for (let offset = 0; ; ) {
      const params = { type: 'incoming', from: Math.floor(sinceMs / 1_000), limit: PAGE_SIZE, offset, unpaid: false }
      const { transactions } = await this.#parts.client.request('list_transactions', params, ANSWER_TIMEOUT_MS)
      for (const row of transactions) {
        const one = readRow('list_transactions', row, nwcTransaction)
        if (isOdd(one)) settlements.push(one)
        else if (isArrival(one.read)) settlements.push(this.#settlementOf(one.read))
      }
      // A wallet may return fewer than were asked for before its end.
      if (transactions.length === 0) return settlements
      offset += transactions.length
    }
  }

  async #settledAmong(paymentHashes: readonly string[]): Promise<(Settlement | OddRecord)[]> {
    const found = await Promise.all(
      paymentHashes.map((paymentHash) =>
        this.#find(paymentHash, ANSWER_TIMEOUT_MS).catch((error: unknown) => {
          if (error instanceof NwcNoAnswer) throw error
          return { odd: String(error), paymentHash }
        }),
      ),
    )
    return found.flatMap((one): (Settlement | OddRecord)[] => {
      if (one === undefined) return []
      if (isOdd(one)) return [one]
      return isArrival(one) ? [this.#settlementOf(one)] : []
    })
  }

  #settlementOf({ payment_hash: paymentHash, ...found }: NwcTransaction): Settlement {
    const { amount: received, preimage, invoice, settled_at: paidAt, created_at: madeAt } = found
    return timedSettlement(
      { paymentHash, received, preimage, keysend: invoice === undefined },
      { paidAt: paidAt && paidAt * 1_000, madeAt: madeAt === undefined ? this.#parts.clock.now() : madeAt * 1_000 },
    )
  }

  protected async sendOnce(request: PayRequest, timeoutMs: number): Promise<CallEnd> {
    const { invoice, paymentHash, amount } = request
    const over = (reason: string, evidence: string): CallEnd => ({
      ...{ state: 'over', code: 'refused_by_node', reason, evidence },
    })
    if (decodeInvoice(invoice).paymentHash !== paymentHash) {
      return over("The payment hash is not the invoice's.", 'the wallet was not asked')
    }
    if ((await this.#find(paymentHash, timeoutMs))?.type === 'incoming') {
      return over('The invoice is one of our own wallet.', 'lookup_invoice knows it as incoming')
    }
    const params = { invoice, ...(amount !== undefined && { amount: Number(amount) }) }
    try {
      const paid = await this.#parts.client.request('pay_invoice', params, timeoutMs)
      // Without a preimage that proves it, the caller must doubt it. The record may contain a better one.
      const preimage = paid.preimage ?? (await this.#outgoing(paymentHash))?.preimage ?? ''
      return { state: 'paid', preimage, fee: paid.fees_paid ?? (await this.#outgoing(paymentHash))?.fees_paid }
    } catch (error) {
      const refusal = error instanceof NwcWalletError ? REFUSED_BY_WALLET.get(error.code) : undefined
      return refusal === undefined
        ? { state: 'unknown', evidence: String(error) }
        : { state: 'over', evidence: String(error), ...refusal }
    }
  }

  /**
   * Looks up an outgoing payment at the wallet; resolves to undefined if there is none, or if the wallet does not
   * answer now.
   */
  async #outgoing(paymentHash: string): Promise<NwcTransaction | undefined> {
    const found = await this.#find(paymentHash, ANSWER_TIMEOUT_MS).catch(() => undefined)
    return found?.type === 'outgoing' ? found : undefined
  }

  protected async readRecord(paymentHash: string, timeoutMs: number): Promise<NodeRecord> {
    const found = await this.#find(paymentHash, timeoutMs)
    const state = found?.type === 'outgoing' ? stateOf(found) : undefined
    if (state !== 'failed') this.#failedSince.delete(paymentHash)
    // An incoming payment with this hash is the wallet's own invoice.
    if (found === undefined || state === undefined) return { state: 'absent' }
    if (state === 'settled') return { state: 'paid', preimage: found.preimage ?? '', fee: found.fees_paid }
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

/** The payment hashes that the wallet reported in notifications. */
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
  return found.type === 'incoming' && stateOf(found) === 'settled'
}

function sentOf(row: Row<NwcTransaction>): (SentPayment | OddRecord)[] {
  if (isOdd(row)) return [row]
  const { payment_hash: paymentHash, type, amount, fees_paid = ZERO, settled_at, created_at } = row.read
  if (type !== 'outgoing' || stateOf(row.read) !== 'settled') return []
  const seconds = created_at ?? settled_at
  if (seconds === undefined) return [{ odd: 'list_transactions: a payment has no time', paymentHash }]
  return [{ paymentHash, amount: msats(amount + fees_paid), at: new Date(seconds * 1_000) }]
}

function networkOf(name: string | undefined): Network {
  const network = networkNamed(name)
  if (network !== undefined) return network
  throw new NwcUnreadable(`get_info: the wallet is on the network "${name}", which Satchel does not know`)
}
