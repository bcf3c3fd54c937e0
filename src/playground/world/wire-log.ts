import type { Clock } from '../../lib/clock.ts'
import { redact } from '../../lib/redaction.ts'
import type { WireEvent } from '../../payments-api/payments-api.ts'
import type { Wire, WireLine } from '../world.ts'

const MAX_LINES = 400

/** Stores the last calls, answers and callbacks, and passes them to the listeners. */
export class WireLog implements Wire {
  readonly #clock: Clock
  readonly #lines: WireLine[] = []
  readonly #listeners = new Set<(line: WireLine) => void>()
  /** The exchanges whose call only reads, and has not been answered yet. */
  readonly #reading = new Set<number>()
  #last = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  recent(): readonly WireLine[] {
    return [...this.#lines]
  }

  subscribe(listener: (line: WireLine) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Stores an event of the bot's payments client, which has already hidden the secrets. */
  exchanged(event: WireEvent): void {
    const { exchange } = event
    if (event.kind === 'call') {
      const title = `${event.operation}  ${event.method} ${new URL(event.url).pathname}`
      // Decoding an invoice is a POST, but changes as little as a GET.
      const reads = event.method === 'GET' || event.operation === 'decodeCharge'
      if (reads) this.#reading.add(exchange)
      this.#add({ from: 'bot', kind: 'call', exchange, title, status: null, tookMs: null, reads, body: event.body })
      return
    }
    const reads = this.#reading.delete(exchange)
    if (event.kind === 'answer') {
      const { operation: title, status, tookMs, body } = event
      this.#add({ from: 'service', kind: 'answer', exchange, title, status, tookMs, reads, body })
    } else {
      const { operation: title, tookMs, reason } = event
      this.#add({ from: 'service', kind: 'no answer', exchange, title, status: null, tookMs, reads, body: { reason } })
    }
  }

  /** Stores a callback that reached the bot's web server, or that was lost on its way there. */
  calledBack(body: unknown, lost: boolean): void {
    const title = lost ? 'a callback, lost on its way' : 'a callback'
    this.#add({
      from: 'service',
      kind: 'callback',
      exchange: 0,
      title,
      status: lost ? 503 : 204,
      tookMs: null,
      reads: false,
      body: redact(body),
    })
  }

  #add(line: Omit<WireLine, 'id' | 'at'>): void {
    this.#last += 1
    const whole = { id: this.#last, at: new Date(this.#clock.now()).toISOString(), ...line }
    this.#lines.push(whole)
    if (this.#lines.length > MAX_LINES) this.#lines.shift()
    for (const listener of this.#listeners) listener(whole)
  }
}
