import type { Msats } from '../../lib/money/amount.ts'

/** Events with sats in servers, in the book's order. */
export interface ServerEvents {
  /** Returns the book's present position as a cursor. */
  latest(): Promise<number>
  /** Returns the events of all servers after a cursor, oldest first, from at most `most` entries of the book. */
  after(cursor: number, most: number): Promise<ServerEventPage>
  /**
   * Starts sending webhooks the events that they have not received. Each webhook gets its events signed, in order, and
   * at least once. A failed delivery is tried again after growing pauses; after three days, the webhook is given up.
   * Several processes can deliver simultaneously, but only one of them delivers to each webhook. Resolves when
   * deliveries have started.
   */
  deliver(sight: WebhookSight): Promise<void>
}

/** The facts from Discord that webhooks need, and the format of their bodies. */
export interface WebhookSight {
  /**
   * Returns whether Discord now sends this process a server's events. Otherwise, the process would not have the
   * server's channels, and would omit the events in them.
   */
  knows(guild: string): boolean
  everybodySees(channel: string): boolean
  /** Returns whether a member still moderates a server. Throws while Discord cannot be reached. */
  moderates(guild: string, member: string): Promise<boolean>
  /** Formats an event as a JSON body. */
  body(event: ServerEvent): string
}

/**
 * Returns whether a server's programs receive an event, which requires that everybody in the server could see the
 * event.
 */
export function isToldIn(
  guild: string,
  event: Pick<ServerEvent, 'guild' | 'channel'>,
  everybodySees: (channel: string) => boolean,
): boolean {
  return event.guild === guild && (event.channel === undefined || everybodySees(event.channel))
}

export interface ServerEventPage {
  readonly events: readonly ServerEvent[]
  /** The position at which to resume; unchanged if there are no more entries. */
  readonly cursor: number
}

export interface ServerEvent {
  /** The event's position in the book. Later events have higher numbers. */
  readonly id: number
  readonly guild: string
  readonly type: 'tip' | 'reward' | 'drop' | 'giveaway' | 'pool-gift'
  readonly at: Date
  /** The channel; undefined if the event belongs to no channel. */
  readonly channel: string | undefined
  /** The giver; undefined if there is none, if the gift is anonymous, or if the giver opted out of being named. */
  readonly from: string | undefined
  /** The receiver; undefined if there is none yet, or if the receiver opted out of being named. */
  readonly to: string | undefined
  readonly amount: Msats
}
