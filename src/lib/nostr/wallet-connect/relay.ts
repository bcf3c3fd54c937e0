import type { LookupFunction } from 'node:net'
import type { Filter } from 'nostr-tools/filter'
import { type Event, verifyEvent } from 'nostr-tools/pure'
import { WebSocket } from 'ws'
import { z } from 'zod'
import type { Clock } from '../../clock.ts'
import { USER_AGENT } from '../../http/user-agent.ts'

export interface RelayParts {
  readonly url: string
  /**
   * The look-up for the relay's name, which must be set if a stranger has named the relay. By default, the system's
   * look-up.
   */
  readonly lookup?: LookupFunction | undefined
  readonly clock: Clock
  /** The filter of the subscription, which lasts as long as the connection. */
  readonly filter: Filter
  /** Called with each event that matches the filter, after its signature was checked. */
  readonly onEvent: (event: Event) => void
}

/** A relay's answer to an event; `unsent` if the relay never got the event, and `unknown` if it did not answer. */
export type Published = 'accepted' | 'refused' | 'unsent' | 'unknown'

const CONNECT_TIMEOUT_MS = 5_000
/** The longest message that is accepted. NIP-47 permits 64 KiB, to which the frame and the encoding add. */
const MAX_MESSAGE_BYTES = 256 * 1024
/** The pauses before the attempts to reconnect, in milliseconds. The last pause is repeated. */
const PAUSES_MS = [500, 2_000, 10_000, 30_000]
const SUBSCRIPTION = 'wallet'
/** How often a connection is checked with a ping. */
const PING_EVERY_MS = 30_000

const event = z.object({
  id: z.string(),
  pubkey: z.string(),
  kind: z.int(),
  created_at: z.int(),
  content: z.string(),
  tags: z.array(z.array(z.string())),
  sig: z.string(),
})
const message = z.union([
  z.tuple([z.literal('EVENT'), z.string(), event]),
  z.tuple([z.literal('EOSE'), z.string()]),
  z.tuple([z.literal('OK'), z.string(), z.boolean()]).rest(z.unknown()),
])

/** A connection to one Nostr relay (NIP-01) that reconnects automatically. */
export class Relay {
  readonly #parts: RelayParts
  readonly #published = new Map<string, (said: Published) => void>()
  readonly #queries = new Map<
    string,
    { readonly found: Event[]; readonly end: (answer: Event[] | undefined) => void }
  >()
  #socket: WebSocket | undefined
  #opening: Promise<WebSocket | undefined> | undefined
  #failures = 0
  #closed = false
  #cancelRetry = () => {}
  #cancelPing = () => {}
  #queryNumber = 0

  constructor(parts: RelayParts) {
    this.#parts = parts
  }

  get url(): string {
    return this.#parts.url
  }

  /** Sends an event to the relay and waits for the answer. */
  async publish(signed: Event, timeoutMs: number): Promise<Published> {
    const socket = await this.#open()
    if (socket === undefined) return 'unsent'
    return new Promise((resolve) => {
      const cancel = this.#parts.clock.after(timeoutMs, () => end('unknown'))
      const end = (said: Published) => {
        cancel()
        this.#published.delete(signed.id)
        resolve(said)
      }
      this.#published.set(signed.id, end)
      socket.send(JSON.stringify(['EVENT', signed]))
    })
  }

  /** Returns the stored events that match a filter; undefined if the relay did not answer in time. */
  async query(filter: Filter, timeoutMs: number): Promise<Event[] | undefined> {
    const socket = await this.#open()
    if (socket === undefined) return undefined
    this.#queryNumber += 1
    const id = `query-${this.#queryNumber}`
    const found: Event[] = []
    return new Promise((resolve) => {
      const end = (answer: Event[] | undefined) => {
        cancel()
        this.#queries.delete(id)
        if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(['CLOSE', id]))
        resolve(answer)
      }
      const cancel = this.#parts.clock.after(timeoutMs, () => end(undefined))
      this.#queries.set(id, { found, end })
      socket.send(JSON.stringify(['REQ', id, filter]))
    })
  }

  close(): void {
    this.#closed = true
    this.#cancelRetry()
    this.#cancelPing()
    this.#socket?.terminate()
  }

  #open(): Promise<WebSocket | undefined> {
    if (this.#closed) return Promise.resolve(undefined)
    if (this.#socket?.readyState === WebSocket.OPEN) return Promise.resolve(this.#socket)
    this.#opening ??= this.#connectOnce().finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  #connectOnce(): Promise<WebSocket | undefined> {
    const { url, clock, filter, lookup } = this.#parts
    this.#cancelRetry()
    return new Promise((resolve) => {
      const headers = { 'user-agent': USER_AGENT }
      const guard = lookup === undefined ? {} : { lookup, followRedirects: false }
      const socket = new WebSocket(url, { headers, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false, ...guard })
      this.#socket = socket
      const cancel = clock.after(CONNECT_TIMEOUT_MS, () => socket.terminate())
      socket.on('error', () => {})
      socket.on('open', () => {
        cancel()
        this.#failures = 0
        socket.send(JSON.stringify(['REQ', SUBSCRIPTION, filter]))
        this.#keepAlive(socket)
        resolve(socket)
      })
      socket.on('message', (data) => this.#read(String(data)))
      socket.on('close', () => {
        cancel()
        resolve(undefined)
        if (this.#socket === socket) this.#onClose()
      })
    })
  }

  #onClose(): void {
    this.#socket = undefined
    this.#cancelPing()
    // An event that was sent may have reached the relay.
    for (const end of [...this.#published.values()]) end('unknown')
    // A partial answer would look like a wallet that has published nothing.
    for (const { end } of [...this.#queries.values()]) end(undefined)
    if (this.#closed) return
    const pauseMs = PAUSES_MS[Math.min(this.#failures, PAUSES_MS.length - 1)] ?? 0
    this.#failures += 1
    this.#cancelRetry = this.#parts.clock.after(pauseMs, () => void this.#open())
  }

  /**
   * Pings the relay repeatedly, and ends the connection if the relay has not answered one ping when the next is due.
   */
  #keepAlive(socket: WebSocket): void {
    let isAlive = true
    socket.on('pong', () => {
      isAlive = true
    })
    const ping = () => {
      if (!isAlive) return socket.terminate()
      isAlive = false
      socket.ping()
      this.#cancelPing = this.#parts.clock.after(PING_EVERY_MS, ping)
    }
    this.#cancelPing = this.#parts.clock.after(PING_EVERY_MS, ping)
  }

  #read(text: string): void {
    const read = message.safeParse(parse(text))
    if (!read.success) return
    const [type, id, content] = read.data
    const query = this.#queries.get(id)
    if (type === 'EOSE') query?.end(query.found)
    else if (type === 'OK') this.#published.get(id)?.(content === true ? 'accepted' : 'refused')
    // A relay can write anything. Only the signature shows who wrote it.
    else if (!verifyEvent(content)) return
    else if (id === SUBSCRIPTION) this.#parts.onEvent(content)
    else query?.found.push(content)
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
