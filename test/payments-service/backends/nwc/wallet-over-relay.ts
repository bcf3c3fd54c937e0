import { createHash } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import {
  type Nip47Transaction,
  NWCWalletService,
  NWCWalletServiceKeyPair,
  type NWCWalletServiceRequestHandler,
} from '@getalby/sdk/nwc'
import { type Event, EventRepository, EventUtils, type Filter, LogLevel } from '@nostr-relay/common'
import { NostrRelay } from '@nostr-relay/core'
import { finalizeEvent, generateSecretKey, getPublicKey, nip44 } from 'nostr-tools'
import { bytesToHex } from 'nostr-tools/utils'
import { WebSocketServer } from 'ws'
import type { Clock } from '../../../../src/lib/clock.ts'
import { msats } from '../../../../src/lib/money/amount.ts'
import { type Attempt, LightningSide, type OwnInvoice, SendFailed } from '../nodes/lightning-side.ts'

/** The storage of a relay, which only events that are not ephemeral reach. */
class Memory extends EventRepository {
  readonly #events = new Map<string, Event>()

  isSearchSupported() {
    return false
  }
  upsert(event: Event) {
    const isDuplicate = this.#events.has(event.id)
    this.#events.set(event.id, event)
    return { isDuplicate }
  }
  find(filter: Filter) {
    return [...this.#events.values()].filter((event) => EventUtils.isMatchingFilter(event, filter))
  }
  async destroy() {}
}

/** A Nostr relay (@nostr-relay/core) on loopback. */
export class TestRelay {
  readonly received: Event[] = []
  /** Whether the relay breaks a connection that requests a wallet's info event. */
  cutsQueries = false
  /** Whether the relay reports that it has no info event of a wallet. */
  hidesInfo = false
  readonly #cuts: (() => void)[] = []
  readonly #awaited = new Set<{ readonly matches: (event: Event) => boolean; readonly tell: () => void }>()
  #server: WebSocketServer | undefined
  readonly #relay = new NostrRelay(new Memory(), { logLevel: LogLevel.ERROR })
  #port = 0

  get url(): string {
    return `ws://127.0.0.1:${this.#port}`
  }

  async start(): Promise<this> {
    const server = new WebSocketServer({ host: '127.0.0.1', port: this.#port })
    await new Promise((resolve) => server.on('listening', resolve))
    this.#port = (server.address() as AddressInfo).port
    server.on('connection', (client) => {
      this.#relay.handleConnection(client)
      client.on('message', (data) => {
        const message = JSON.parse(String(data))
        if (message[0] === 'REQ' && message[2]?.kinds?.includes(13_194) && this.cutsQueries) {
          client.terminate()
          for (const tell of this.#cuts.splice(0)) tell()
          return
        }
        if (message[0] === 'REQ' && message[2]?.kinds?.includes(13_194) && this.hidesInfo) {
          return client.send(JSON.stringify(['EOSE', message[1]]))
        }
        void this.#relay.handleMessage(client, message)
        if (message[0] === 'EVENT') this.#note(message[1])
      })
      client.on('close', () => this.#relay.handleDisconnect(client))
      client.on('error', () => {})
    })
    this.#server = server
    return this
  }

  /** Resolves when the relay has next broken a connection. */
  cut(): Promise<void> {
    return new Promise((resolve) => this.#cuts.push(resolve))
  }

  /** Resolves when somebody publishes an event that matches. */
  reached(matches: (event: Event) => boolean): Promise<void> {
    return new Promise((resolve) => this.#awaited.add({ matches, tell: resolve }))
  }

  #note(event: Event): void {
    this.received.push(event)
    for (const one of [...this.#awaited]) {
      if (!one.matches(event)) continue
      this.#awaited.delete(one)
      one.tell()
    }
  }

  async stop(): Promise<void> {
    const server = this.#server
    if (server === undefined) return
    this.#server = undefined
    for (const client of server.clients) client.terminate()
    await new Promise((resolve) => server.close(resolve))
  }
}

type Handlers = Required<Pick<NWCWalletServiceRequestHandler, 'getInfo' | 'makeInvoice' | 'payInvoice'>> &
  NWCWalletServiceRequestHandler

const METHODS = [
  'get_info',
  'get_balance',
  'make_invoice',
  'lookup_invoice',
  'pay_invoice',
  'list_transactions',
] as const

/** Alby's wallet service on a relay, in front of a Lightning network that the test scripts. */
export class WalletOverRelay {
  readonly side: LightningSide
  readonly relay: TestRelay
  readonly walletPubkey: string
  /** The service's handlers; a test can replace any of them. */
  readonly handlers: Handlers
  network = 'regtest'
  methods: readonly string[] = METHODS
  readonly #walletSecret = generateSecretKey()
  readonly #clientSecret = generateSecretKey()
  readonly #service: NWCWalletService
  #unsubscribe: () => void = () => {}

  private constructor(clock: Clock, relay: TestRelay) {
    this.relay = relay
    this.side = new LightningSide({ clock, spacingMs: 1_000 })
    this.walletPubkey = getPublicKey(this.#walletSecret)
    this.#service = new NWCWalletService({ relayUrls: [relay.url] })
    this.handlers = this.#handlers()
  }

  /**
   * Starts a wallet service. `isOld`: the service publishes its methods in an event that lists no encryptions, as
   * wallets did before NIP-44.
   */
  static async start(clock: Clock, { isOld = false } = {}): Promise<WalletOverRelay> {
    const wallet = new WalletOverRelay(clock, await new TestRelay().start())
    if (isOld) await wallet.#publish({ kind: 13_194, tags: [], content: METHODS.join(' ') })
    else await wallet.#publishInfo()
    const keys = new NWCWalletServiceKeyPair(bytesToHex(wallet.#walletSecret), getPublicKey(wallet.#clientSecret))
    // The service takes its handlers as they are at the time of each request.
    wallet.#unsubscribe = await wallet.#service.subscribe(keys, wallet.handlers)
    return wallet
  }

  get uri(): string {
    const relay = encodeURIComponent(this.relay.url)
    return `nostr+walletconnect://${this.walletPubkey}?relay=${relay}&secret=${bytesToHex(this.#clientSecret)}`
  }

  /** Notifies the client of a received payment, as a wallet does. */
  async notify(own: OwnInvoice): Promise<void> {
    const client = getPublicKey(this.#clientSecret)
    const text = JSON.stringify({ notification_type: 'payment_received', notification: show(own) })
    const content = nip44.encrypt(text, nip44.getConversationKey(this.#walletSecret, client))
    await this.#publish({ kind: 23_197, tags: [['p', client]], content })
  }

  /** Answers a request in the wallet's place, without the wallet's key. */
  async forgeAnswer(requestId: string): Promise<void> {
    const client = getPublicKey(this.#clientSecret)
    const forger = generateSecretKey()
    const text = JSON.stringify({ result_type: 'pay_invoice', result: { preimage: '11'.repeat(32), fees_paid: 0 } })
    const content = nip44.encrypt(text, nip44.getConversationKey(forger, client))
    const tags = [
      ['p', client],
      ['e', requestId],
    ]
    await this.#publish({ kind: 23_195, tags, content }, forger)
  }

  async stop(): Promise<void> {
    this.#unsubscribe()
    // Answers that the relay has not acknowledged yet would be reported as lost: let it say so of one more event.
    await this.#publish({ kind: 20_000, tags: [], content: '' }).catch(() => {})
    this.#service.close()
    await this.relay.stop()
  }

  async #publishInfo(): Promise<void> {
    const secret = bytesToHex(this.#walletSecret)
    await this.#service.publishWalletServiceInfoEvent(secret, [...METHODS], ['payment_received'])
  }

  async #publish(event: Pick<Event, 'kind' | 'tags' | 'content'>, secret = this.#walletSecret): Promise<void> {
    const created_at = Math.floor(this.side.clock.now() / 1_000)
    await Promise.all(this.#service.pool.publish([this.relay.url], finalizeEvent({ ...event, created_at }, secret)))
  }

  #handlers(): Handlers {
    return {
      getInfo: async () => ({
        result: {
          ...{ alias: 'wallet', color: '#ffffff', pubkey: this.side.pubkey, network: this.network },
          ...{ block_height: 448, block_hash: '00'.repeat(32), methods: [...this.methods] as never },
        },
        error: undefined,
      }),
      getBalance: async () => ({ result: { balance: Number(this.side.balance) }, error: undefined }),
      makeInvoice: async ({ amount, description, description_hash: descriptionHash, expiry }) => {
        const own = this.side.addInvoice({
          amount: amount === 0 ? undefined : msats(amount),
          description: description ?? '',
          descriptionHash,
          expiresInSeconds: expiry ?? 3_600,
        })
        return { result: show(own), error: undefined }
      },
      payInvoice: async ({ invoice, amount }) => {
        try {
          const attempt = await this.side.send({ invoice, amount: amount === undefined ? undefined : msats(amount) })
          return { result: { preimage: attempt.preimage, fees_paid: Number(attempt.fee) }, error: undefined }
        } catch (error) {
          if (!(error instanceof SendFailed)) throw error
          return { result: undefined, error: { code: 'PAYMENT_FAILED', message: error.why } }
        }
      },
      lookupInvoice: async ({ payment_hash: hash }) => {
        const own = this.side.invoice(hash ?? '')
        const attempt = this.side.attemptsOf(hash ?? '').at(-1)
        const found = own === undefined ? attempt && showAttempt(attempt) : show(own)
        if (found !== undefined) return { result: found, error: undefined }
        return { result: undefined, error: { code: 'NOT_FOUND', message: 'no such transaction' } }
      },
      listTransactions: async ({ from = 0, limit = 20, offset = 0, type = 'incoming' }) => {
        const received = this.side.invoices.filter(({ settled }) => settled !== undefined).map(show)
        const sent = this.side.attempts.filter(({ state }) => state === 'complete').map(showAttempt)
        const all = (type === 'outgoing' ? sent : received).filter(({ created_at }) => created_at >= from).reverse()
        const transactions = all.slice(offset, offset + Math.min(limit, 20))
        return { result: { transactions, total_count: all.length }, error: undefined }
      },
    }
  }
}

function show(own: OwnInvoice): Nip47Transaction {
  const { settled } = own
  return {
    ...{ type: 'incoming', state: settled === undefined ? 'pending' : 'settled', invoice: own.invoice },
    ...{ description: own.description, description_hash: '', payment_hash: own.paymentHash },
    ...{ preimage: own.preimage, amount: Number(settled?.received ?? own.amount ?? 0n), fees_paid: 0 },
    ...{ created_at: own.createdAt / 1_000, expires_at: own.expiresAt / 1_000 },
    ...((settled === undefined ? {} : { settled_at: Math.floor(settled.at / 1_000) }) as { settled_at: number }),
  } as Nip47Transaction
}

function showAttempt(attempt: Attempt): Nip47Transaction {
  const isPaid = attempt.state === 'complete'
  return {
    ...{ type: 'outgoing', state: isPaid ? 'settled' : attempt.state, invoice: attempt.invoice, description: '' },
    ...{ description_hash: '', payment_hash: attempt.paymentHash, preimage: isPaid ? attempt.preimage : '' },
    ...{ amount: Number(attempt.amount), fees_paid: Number(attempt.fee) },
    ...{ created_at: Math.floor(attempt.createdAt / 1_000), expires_at: 0 },
    ...((isPaid ? { settled_at: Math.floor((attempt.endedAt ?? 0) / 1_000) } : {}) as { settled_at: number }),
  } as Nip47Transaction
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
