import { type Client, Events, GatewayDispatchEvents, type GatewayDispatchPayload } from 'discord.js'
import type { Clock } from '../../lib/clock.ts'
import { parseMessageRef } from './delivery.ts'

/** How often a process that gets no events of a thread checks whether the thread is awake. */
const TRY_AGAIN_MS = 3_600_000

/**
 * Tracks cards in archived or locked threads, which accept no changes. A message in the thread wakes it, and so does
 * unlocking it. https://docs.discord.com/developers/topics/threads#active-archived-threads
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

  /** `message`: the card's place, as stored with the card. */
  put(card: string, message: string | undefined): void {
    const channel = parseMessageRef(message)?.channel ?? ''
    this.#cards.set(card, { channel, until: this.#clock.monotonic() + TRY_AGAIN_MS })
  }

  has(card: string): boolean {
    const found = this.#cards.get(card)
    if (found !== undefined && this.#clock.monotonic() >= found.until) this.#cards.delete(card)
    return this.#cards.has(card)
  }

  /** Whether a card waited for this channel. */
  wake(channel: string): boolean {
    const woken = [...this.#cards].filter(([, card]) => card.channel === channel)
    for (const [id] of woken) this.#cards.delete(id)
    return woken.length > 0
  }
}

/** Shows a sleeping thread's pending cards when it wakes: at a message in it, or when it is opened or unlocked. */
export function hearWakingThreads(client: Pick<Client, 'on'>, board: { wake(channel: string): void }): void {
  client.on(Events.Raw, ({ t, d }: GatewayDispatchPayload) => {
    if (t === GatewayDispatchEvents.MessageCreate) board.wake(d.channel_id)
    const isAwake = t === GatewayDispatchEvents.ThreadUpdate && d.thread_metadata?.archived === false
    if (isAwake && d.thread_metadata?.locked === false) board.wake(d.id)
  })
}
