import type { LookupFunction } from 'node:net'
import * as nip04 from 'nostr-tools/nip04'
import * as nip44 from 'nostr-tools/nip44'
import { type Event, finalizeEvent, getPublicKey } from 'nostr-tools/pure'
import { hexToBytes } from 'nostr-tools/utils'
import type { Clock } from '../../clock.ts'
import type { NwcConnection } from './connection.ts'
import { NWC_METHODS, type NwcAnswer, type NwcMethod, nwcNotification, nwcResponse } from './nwc-messages.ts'
import { Relay } from './relay.ts'

/** The kinds of events (NIP-47). */
const INFO = 13_194
const REQUEST = 23_194
const RESPONSE = 23_195
const NOTIFICATION_NIP04 = 23_196
const NOTIFICATION = 23_197

const PUBLISH_TIMEOUT_MS = 5_000
/** After how many seconds a request expires. A wallet that was unreachable must ignore older requests. */
export const REQUEST_EXPIRES_S = 30

/** Thrown if the wallet answers with an error. The error alone proves nothing about a payment. */
export class NwcWalletError extends Error {
  override readonly name = 'NwcWalletError'
  readonly code: string

  constructor(method: string, code: string, message: string) {
    super(`${method}: ${code}: ${message.slice(0, 200)}`)
    this.code = code
  }
}

/**
 * Thrown if no answer arrives. `missing` is `relays` if no relay accepted the request, and `wallet` if the wallet did
 * not answer.
 */
export class NwcNoAnswer extends Error {
  override readonly name = 'NwcNoAnswer'
  readonly missing: 'relays' | 'wallet'

  constructor(method: string, missing: 'relays' | 'wallet') {
    super(
      missing === 'relays' ? `${method}: no relay took the request` : `${method}: the wallet did not answer in time`,
    )
    this.missing = missing
  }
}

/** Thrown if the wallet's answer does not follow NIP-47. */
export class NwcUnreadable extends Error {
  override readonly name = 'NwcUnreadable'
}

export interface WalletInfo {
  readonly encryption: 'nip44' | 'nip04'
  /** The methods that the wallet supports. A connection may permit fewer. */
  readonly methods: readonly string[]
}

export interface NwcClientOptions {
  readonly encryption?: 'auto' | 'nip04' | undefined
  /** Returns the look-up for the name of a relay. Set it if strangers name the relays. */
  readonly lookup?: (relay: string) => LookupFunction
}

/**
 * Sends requests to a wallet through Nostr relays (NIP-47). Each request is one signed event, the same on every relay,
 * with an expiration. Only an answer to this request that the wallet has signed is accepted.
 */
export class NwcClient {
  readonly #connection: NwcConnection
  readonly #clock: Clock
  readonly #secret: Uint8Array
  readonly #pubkey: string
  readonly #relays: readonly Relay[]
  readonly #waiting = new Map<string, (event: Event) => void>()
  readonly #listeners = new Set<(paymentHash: string) => void>()
  readonly #encryption: 'auto' | 'nip04'
  #info: WalletInfo | undefined

  constructor(connection: NwcConnection, clock: Clock, { encryption = 'auto', lookup }: NwcClientOptions = {}) {
    this.#encryption = encryption
    this.#connection = connection
    this.#clock = clock
    this.#secret = hexToBytes(connection.secret)
    this.#pubkey = getPublicKey(this.#secret)
    const filter = {
      kinds: [RESPONSE, NOTIFICATION, NOTIFICATION_NIP04],
      authors: [connection.walletPubkey],
      '#p': [this.#pubkey],
      since: Math.floor(clock.now() / 1_000) - 60,
    }
    const onEvent = (event: Event) => this.#onEvent(event)
    this.#relays = connection.relays.map((url) => new Relay({ url, clock, filter, onEvent, lookup: lookup?.(url) }))
  }

  get relays(): readonly string[] {
    return this.#connection.relays
  }

  /**
   * Calls the listener with the payment hash when the wallet reports an incoming payment. The report is only a hint.
   * Returns a function that removes the listener.
   */
  onReceived(listener: (paymentHash: string) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Returns what the wallet says about itself in its info event, which the wallet has signed. Without this event,
   * messages use NIP-44. Only the event or the operator's setting can lead to NIP-04: any relay could withhold the
   * event, and with NIP-04 a relay can change the messages that it passes on.
   */
  async info(timeoutMs: number): Promise<WalletInfo> {
    if (this.#info !== undefined) return this.#info
    const filter = { kinds: [INFO], authors: [this.#connection.walletPubkey], limit: 1 }
    const answers = await Promise.all(this.#relays.map((relay) => relay.query(filter, timeoutMs)))
    if (answers.every((events) => events === undefined)) throw new NwcNoAnswer('info', 'relays')
    const events = answers
      .flatMap((found) => found ?? [])
      .filter(({ kind, pubkey }) => kind === INFO && pubkey === this.#connection.walletPubkey)
    const [newest] = events.sort((a, b) => b.created_at - a.created_at)
    if (newest === undefined) return { encryption: this.#encryption === 'nip04' ? 'nip04' : 'nip44', methods: [] }
    const encryptions = newest.tags.find(([name]) => name === 'encryption')?.[1] ?? ''
    const encryption = /(^|\s)nip44_v2(\s|$)/.test(encryptions) ? 'nip44' : 'nip04'
    this.#info = { encryption, methods: newest.content.split(/\s+/).filter(Boolean) }
    return this.#info
  }

  /** Sends a request, and resolves to the wallet's answer. Throws NwcWalletError, NwcNoAnswer or NwcUnreadable. */
  async request<Method extends NwcMethod>(
    method: Method,
    params: Readonly<Record<string, unknown>>,
    timeoutMs: number,
  ): Promise<NwcAnswer<Method>> {
    const deadline = this.#clock.monotonic() + timeoutMs
    const { encryption } = await this.info(Math.min(timeoutMs, PUBLISH_TIMEOUT_MS))
    const request = this.#sign(method, params, encryption)
    const answer = await this.#exchange(method, request, deadline - this.#clock.monotonic())
    const { error, result } = this.#readResponse(method, answer, encryption)
    if (error !== undefined) throw new NwcWalletError(method, error.code, error.message)
    const read = NWC_METHODS[method].safeParse(result)
    if (read.success) return read.data as NwcAnswer<Method>
    throw new NwcUnreadable(`${method}: the answer is not as documented: ${read.error.message}`)
  }

  close(): void {
    for (const relay of this.#relays) relay.close()
  }

  #sign(method: NwcMethod, params: Readonly<Record<string, unknown>>, encryption: WalletInfo['encryption']): Event {
    const createdAt = Math.floor(this.#clock.now() / 1_000)
    const tags = [
      ['p', this.#connection.walletPubkey],
      ['expiration', `${createdAt + REQUEST_EXPIRES_S}`],
      ...(encryption === 'nip44' ? [['encryption', 'nip44_v2']] : []),
    ]
    const content = this.#encrypt(JSON.stringify({ method, params }), encryption)
    return finalizeEvent({ kind: REQUEST, created_at: createdAt, tags, content }, this.#secret)
  }

  /** Publishes a request and waits for the wallet's answer. */
  #exchange(method: NwcMethod, request: Event, timeoutMs: number): Promise<Event> {
    return new Promise((resolve, reject) => {
      const end = () => {
        cancel()
        this.#waiting.delete(request.id)
      }
      const fail = (missing: 'relays' | 'wallet') => {
        end()
        reject(new NwcNoAnswer(method, missing))
      }
      const cancel = this.#clock.after(timeoutMs, () => fail('wallet'))
      this.#waiting.set(request.id, (event) => {
        end()
        resolve(event)
      })
      const publishing = this.#relays.map((relay) => relay.publish(request, Math.min(timeoutMs, PUBLISH_TIMEOUT_MS)))
      void Promise.all(publishing).then((said) => {
        const isNowhere = said.every((one) => one === 'unsent' || one === 'refused')
        if (isNowhere && this.#waiting.has(request.id)) fail('relays')
      })
    })
  }

  #readResponse(method: string, { content }: Event, encryption: WalletInfo['encryption']) {
    const read = nwcResponse.safeParse(this.#decrypt(content, encryption))
    if (read.success) return read.data
    throw new NwcUnreadable(`${method}: the answer cannot be decrypted or read`)
  }

  #onEvent(event: Event): void {
    const { walletPubkey } = this.#connection
    if (event.pubkey !== walletPubkey || !event.tags.some(([name, to]) => name === 'p' && to === this.#pubkey)) return
    if (event.kind === RESPONSE) {
      const id = event.tags.find(([name]) => name === 'e')?.[1] ?? ''
      this.#waiting.get(id)?.(event)
      return
    }
    const encryption = event.kind === NOTIFICATION ? 'nip44' : 'nip04'
    const read = nwcNotification.safeParse(this.#decrypt(event.content, encryption))
    if (!read.success || read.data.notification_type !== 'payment_received') return
    for (const listener of this.#listeners) listener(read.data.notification.payment_hash)
  }

  #encrypt(text: string, encryption: WalletInfo['encryption']): string {
    const { walletPubkey } = this.#connection
    if (encryption === 'nip04') return nip04.encrypt(this.#secret, walletPubkey, text)
    return nip44.encrypt(text, nip44.getConversationKey(this.#secret, walletPubkey))
  }

  /** Returns the decrypted JSON; undefined if it cannot be read. */
  #decrypt(content: string, encryption: WalletInfo['encryption']): unknown {
    const { walletPubkey } = this.#connection
    try {
      return JSON.parse(
        encryption === 'nip04'
          ? nip04.decrypt(this.#secret, walletPubkey, content)
          : nip44.decrypt(content, nip44.getConversationKey(this.#secret, walletPubkey)),
      )
    } catch {
      return undefined
    }
  }
}
