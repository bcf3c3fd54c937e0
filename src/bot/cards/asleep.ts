import { type Client, Events, GatewayDispatchEvents, type GatewayDispatchPayload } from 'discord.js'
import type { Clock } from '../../lib/clock.ts'
import { parseMessageRef } from './delivery.ts'

/** The interval at which a process that receives no events from a thread checks whether the thread is awake. */
const TRY_AGAIN_MS = 3_600_000

/**
 * Tracks cards in archived or locked threads, which accept no changes. Such a thread wakes when somebody posts in it or
 * unlocks it. https://docs.discord.com/developers/topics/threads#active-archived-threads
 */
export class Asleep {
  readonly #clock: Clock
  readonly #cards = new Map<string, { readonly channel: string; readonly until: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get size(): number {
    return this.#cards.size
  }

  /** Notes that a card's thread sleeps. `message` is the card's place, as stored with the card. */
  put(card: string, message: string | undefined): void {
    const channel = parseMessageRef(message)?.channel ?? ''
    this.#cards.set(card, { channel, until: this.#clock.monotonic() + TRY_AGAIN_MS })
  }

  has(card: string): boolean {
    const found = this.#cards.get(card)
    if (found !== undefined && this.#clock.monotonic() >= found.until) this.#cards.delete(card)
    return this.#cards.has(card)
  }

  /** Ends the wait of all cards in this channel. Returns whether there were any. */
  wake(channel: string): boolean {
    const woken = [...this.#cards].filter(([, card]) => card.channel === channel)
    for (const [id] of woken) this.#cards.delete(id)
    return woken.length > 0
  }
}

/** Shows a sleeping thread's pending cards when somebody posts in the thread, reopens it or unlocks it. */
export function hearWakingThreads(client: Pick<Client, 'on'>, board: { wake(channel: string): void }): void {
  client.on(Events.Raw, ({ t, d }: GatewayDispatchPayload) => {
    if (t === GatewayDispatchEvents.MessageCreate) board.wake(d.channel_id)
    const isAwake = t === GatewayDispatchEvents.ThreadUpdate && d.thread_metadata?.archived === false
    if (isAwake && d.thread_metadata?.locked === false) board.wake(d.id)
  })
}
