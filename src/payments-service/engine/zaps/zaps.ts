import { type Event, finalizeEvent, generateSecretKey, getPublicKey } from 'nostr-tools/pure'
import { bytesToHex, hexToBytes } from 'nostr-tools/utils'
import pLimit from 'p-limit'
import type { PublishEvents, RelayAnswer } from '../../../lib/nostr/publish-event.ts'
import { type RoundWorker, startWorker, type Worker } from '../../../lib/worker.ts'
import type { CoreParts } from '../../core/core-parts.ts'
import type { Tx } from '../../core/database.ts'
import type { Invoice, ZapReceipt } from '../../generated/client.ts'
import { unitOf } from '../node/unit.ts'
import { readZapRequest, type ZapRequest, type ZapTarget } from './zap-request.ts'

const ZAP_RECEIPT = 9_735
/** How often the worker looks for receipts that another process recorded. */
const EVERY_MS = 30_000
/** The most receipts that are read in one round. */
const BATCH_SIZE = 200
/**
 * How many relays are contacted at once: those that have not failed yet with the waiting receipts, and those that
 * failed before. The two groups have separate slots, so unreachable relays never delay the other relays.
 */
const MAX_NEW = 64
const MAX_RETRIED = 16
/** How many relays are contacted or wait for a slot. Others wait in the database. */
const MAX_SPEAKING = 1_000
const CANNOT_PUBLISH = 'zap receipts cannot be published just now'
/**
 * The pauses in ms after failed attempts. If the attempt after the last pause fails, too, the relay does not get the
 * receipt.
 */
const PAUSES_MS = [10_000, 60_000, 600_000, 3_600_000, 21_600_000, 43_200_000]

export interface Zaps extends Worker {
  /** Returns our Nostr key in hex; undefined if zaps are not offered. */
  pubkey(): Promise<string | undefined>
  /** Reads a zap request; see `readZapRequest`. */
  read(text: string, about: Pick<ZapTarget, 'amount' | 'lnurls'>): Promise<ZapRequest | string>
  /** Records the receipt of an invoice for publication, in the transaction that settles the invoice. */
  record(tx: Tx, invoice: Pick<Invoice, 'paymentHash' | 'zapRequest'>): Promise<void>
  /** Publishes what a commit recorded. Call this after every commit, which costs little. */
  committed(): void
  start(): void
}

type ZapParts = Pick<CoreParts, 'database' | 'ledger' | 'ownership' | 'clock' | 'entropy' | 'logger' | 'settings'>

/**
 * Creates the part that handles zaps (NIP-57), which are payments with a signed Nostr event. It publishes receipts to
 * the relays that the event names. A receipt waits in the database until its relay has accepted or refused it, or is
 * given up, so a restart does not lose the receipt.
 */
export function createZaps(parts: ZapParts, publish: PublishEvents): Zaps {
  return new ZapReceipts(parts, publish)
}

class ZapReceipts implements Zaps {
  readonly #parts: ZapParts
  readonly #publish: PublishEvents
  #key: Promise<Uint8Array> | undefined
  #recorded = false
  #rounds: RoundWorker | undefined
  /** The relays that are or will be contacted, each with a promise that resolves at the end of the contact. */
  readonly #speaking = new Map<string, Promise<void>>()
  readonly #places = { fresh: pLimit(MAX_NEW), retried: pLimit(MAX_RETRIED) }

  constructor(parts: ZapParts, publish: PublishEvents) {
    this.#parts = parts
    this.#publish = publish
  }

  async pubkey(): Promise<string | undefined> {
    return (await this.#relays()) === undefined ? undefined : getPublicKey(await this.#secretKey())
  }

  async read(text: string, about: Pick<ZapTarget, 'amount' | 'lnurls'>): Promise<ZapRequest | string> {
    const relays = await this.#relays()
    if (relays === undefined) return 'is not taken here'
    return readZapRequest(text, { ...about, relays, pubkey: getPublicKey(await this.#secretKey()) })
  }

  async record(tx: Tx, { paymentHash, zapRequest }: Pick<Invoice, 'paymentHash' | 'zapRequest'>): Promise<void> {
    const { relays } = JSON.parse(zapRequest) as StoredZap
    const nextAttemptAt = new Date(this.#parts.clock.now())
    const data = relays.map((relay) => ({ id: this.#parts.entropy.uuid(), paymentHash, relay, nextAttemptAt }))
    await tx.zapReceipt.createMany({ data })
    this.#recorded = true
  }

  committed(): void {
    if (!this.#recorded) return
    this.#recorded = false
    this.#rounds?.wake()
  }

  start(): void {
    const { clock, logger } = this.#parts
    const failed = (error: unknown) => logger.warn({ err: error }, CANNOT_PUBLISH)
    this.#rounds = startWorker({
      clock,
      round: (closing) => this.#round(closing),
      pauseMs: () => this.#untilDue(),
      firstInMs: 0,
      failed,
    })
  }

  async close(): Promise<void> {
    await this.#rounds?.close()
    await Promise.all(this.#speaking.values())
  }

  /**
   * Returns which relays may get receipts. Outside mainnet, only relays on this machine may, and only if that is
   * permitted: elsewhere the receipts would pass for money. Returns undefined if none may.
   */
  async #relays(): Promise<ZapTarget['relays'] | undefined> {
    if ((await unitOf(this.#parts)) === 'sats') return 'public'
    return this.#parts.settings.outgoingAllowLoopback ? 'loopback' : undefined
  }

  #secretKey(): Promise<Uint8Array> {
    this.#key ??= this.#readKey().catch((error: unknown) => {
      this.#key = undefined
      throw error
    })
    return this.#key
  }

  /**
   * Returns the book's own key, which is created at its first use. If several services share the book, only one of them
   * creates it.
   */
  async #readKey(): Promise<Uint8Array> {
    const { database, ledger } = this.#parts
    const found =
      (await database.read.nostrKey.findUnique({ where: { id: 1 } })) ??
      (await ledger.commit({
        write: async (tx) => {
          const before = await tx.nostrKey.findUnique({ where: { id: 1 } })
          return before ?? tx.nostrKey.create({ data: { id: 1, secretKey: bytesToHex(generateSecretKey()) } })
        },
      }))
    return hexToBytes(found.secretKey)
  }

  /**
   * Starts contact with each relay for which receipts wait, but does not await any contact, so a silent relay delays
   * only itself.
   */
  async #round(closing: AbortSignal): Promise<void> {
    const { database, clock, ownership } = this.#parts
    if (!ownership.has('zaps') || this.#speaking.size >= MAX_SPEAKING) return
    const due = await database.read.zapReceipt.findMany({
      where: { ...this.#idleRelays(), nextAttemptAt: { lte: new Date(clock.now()) } },
      // New receipts come before those that failed.
      orderBy: [{ attempts: 'asc' }, { nextAttemptAt: 'asc' }],
      take: BATCH_SIZE,
    })
    for (const [relay, receipts] of Map.groupBy(due, (receipt) => receipt.relay)) this.#speak(relay, receipts, closing)
    if (due.length === BATCH_SIZE) this.#rounds?.wake()
  }

  /** Returns the condition for receipts to relays that are neither being contacted nor waiting for a slot. */
  #idleRelays() {
    return { relay: { notIn: [...this.#speaking.keys()] } }
  }

  #speak(relay: string, receipts: readonly ZapReceipt[], closing: AbortSignal): void {
    const places = receipts.some(({ attempts }) => attempts > 0) ? this.#places.retried : this.#places.fresh
    const spoken = places(async () => {
      // Receipts that have not been started are left to the next start.
      if (!closing.aborted) await this.#publishTo(relay, receipts)
    })
      .then(
        // More receipts may wait for it.
        () => 0,
        (error: unknown) => {
          this.#parts.logger.warn({ err: error, relay }, CANNOT_PUBLISH)
          return EVERY_MS
        },
      )
      .then((pauseMs) => {
        this.#speaking.delete(relay)
        this.#rounds?.wakeIn(pauseMs)
      })
    this.#speaking.set(relay, spoken)
  }

  async #publishTo(relay: string, receipts: readonly ZapReceipt[]): Promise<void> {
    const { database } = this.#parts
    const paymentHash = { in: receipts.map((receipt) => receipt.paymentHash) }
    const invoices = await database.read.invoice.findMany({ where: { paymentHash } })
    const key = await this.#secretKey()
    const events = new Map(invoices.map((invoice) => [invoice.paymentHash, receiptOf(invoice, key)]))
    const answers = await this.#publish(relay, [...events.values()])
    for (const receipt of receipts) {
      const event = events.get(receipt.paymentHash)
      await this.#note(receipt, (event && answers.get(event.id)) ?? { said: 'refused', reason: 'its invoice is gone' })
    }
  }

  async #note(receipt: ZapReceipt, answer: RelayAnswer): Promise<void> {
    const { ledger, logger, clock } = this.#parts
    const { id, relay, paymentHash, attempts } = receipt
    const pauseMs = answer.said === 'silent' ? PAUSES_MS[attempts] : undefined
    if (answer.said !== 'accepted' && pauseMs === undefined) {
      logger.info(
        { relay, paymentHash, reason: answer.reason },
        'a relay has not taken the receipt of a zap; it is given up there',
      )
    }
    await ledger.commit({
      write: async (tx) => {
        if (pauseMs === undefined) return void (await tx.zapReceipt.deleteMany({ where: { id } }))
        const data = { attempts: { increment: 1 }, nextAttemptAt: new Date(clock.now() + pauseMs) }
        await tx.zapReceipt.updateMany({ where: { id }, data })
      },
    })
  }

  async #untilDue(): Promise<number> {
    const { clock, database } = this.#parts
    const first = { where: this.#idleRelays(), orderBy: { nextAttemptAt: 'asc' } } as const
    const next = await database.read.zapReceipt.findFirst(first).catch(() => null)
    const due = (next?.nextAttemptAt.getTime() ?? Number.POSITIVE_INFINITY) - clock.now()
    // Overdue, unpublished receipts belong to another process.
    return due <= 0 ? EVERY_MS : Math.min(EVERY_MS, due)
  }
}

/** What an invoice stores about its zap. */
interface StoredZap {
  /** The request exactly as it was received, because the invoice commits to its bytes. */
  readonly request: string
  readonly relays: readonly string[]
}

/** Builds the text that an invoice stores about its zap. */
export function storeZap(request: string, { relays }: ZapRequest): string {
  return JSON.stringify({ request, relays } satisfies StoredZap)
}

/** Returns the Nostr account that signed an invoice's zap, in hex; empty if there is no zap. */
export function zapperOf({ zapRequest }: Pick<Invoice, 'zapRequest'>): string {
  return zapRequest === '' ? '' : requestOf(zapRequest).event.pubkey
}

function requestOf(zapRequest: string): { readonly request: string; readonly event: Event } {
  const { request } = JSON.parse(zapRequest) as StoredZap
  return { request, event: JSON.parse(request) as Event }
}

/** Builds a zap's receipt (NIP-57, appendix E). The event has the same id whenever it is built for the same invoice. */
function receiptOf(invoice: Invoice, key: Uint8Array): Event {
  const { request, event } = requestOf(invoice.zapRequest)
  const copied = event.tags.filter(([tag = '']) => ['p', 'e', 'a', 'k'].includes(tag))
  const tags = [...copied, ['P', event.pubkey], ['bolt11', invoice.request], ['description', request]]
  const created_at = Math.floor((invoice.settledAt ?? invoice.createdAt).getTime() / 1_000)
  return finalizeEvent({ kind: ZAP_RECEIPT, created_at, content: '', tags }, key)
}
