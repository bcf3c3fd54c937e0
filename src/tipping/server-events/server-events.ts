import type { Msats } from '../../lib/money/amount.ts'

/** Events with sats in servers, in the book's order. */
export interface ServerEvents {
  /** Returns the book's present position as a cursor. */
  latest(): Promise<number>
  /** Returns the events of all servers after a cursor, oldest first, from at most `most` entries of the book. */
  after(cursor: number, most: number): Promise<ServerEventPage>
  /**
   * Starts sending webhooks the events that they have not received: to each in order, at least once, signed. A failed
   * one is tried again at growing pauses, and given up after three days. Several processes can do so simultaneously,
   * but only one delivers to each webhook. Resolves when it has started.
   */
  deliver(sight: WebhookSight): Promise<void>
}

/** Discord's facts for webhooks, and the format of their bodies. */
export interface WebhookSight {
  /**
   * Whether Discord now sends this process a server's events. A process that does not know the channels would omit
   * their events.
   */
  knows(guild: string): boolean
  everybodySees(channel: string): boolean
  /** Whether a member still moderates a server. Throws while Discord cannot be asked. */
  moderates(guild: string, member: string): Promise<boolean>
  /** Formats an event as a JSON body. */
  body(event: ServerEvent): string
}

/** Whether a server's programs receive an event: only if everybody in the server could see it. */
export function isToldIn(
  guild: string,
  event: Pick<ServerEvent, 'guild' | 'channel'>,
  everybodySees: (channel: string) => boolean,
): boolean {
  return event.guild === guild && (event.channel === undefined || everybodySees(event.channel))
}

export interface ServerEventPage {
  readonly events: readonly ServerEvent[]
  /** Where to resume. Unchanged if there is nothing more. */
  readonly cursor: number
}

export interface ServerEvent {
  /** Its place in the book. Later events have larger ones. */
  readonly id: number
  readonly guild: string
  readonly type: 'tip' | 'reward' | 'drop' | 'giveaway' | 'pool-gift'
  readonly at: Date
  /** Undefined if it belongs to no channel. */
  readonly channel: string | undefined
  /** The giver. Undefined while there is none, and for members who opted out of being named. */
  readonly from: string | undefined
  /** The receiver. Undefined while there is none, and for members who opted out of being named. */
  readonly to: string | undefined
  readonly amount: Msats
}
