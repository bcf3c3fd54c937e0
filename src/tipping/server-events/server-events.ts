import type { Msats } from '../../lib/money/amount.ts'

/** Events with sats in servers, in the order of the book. */
export interface ServerEvents {
  /** Where the book is now: a cursor. */
  latest(): Promise<number>
  /** The events of all servers after a cursor, oldest first: as much as at most `most` entries of the book tell. */
  after(cursor: number, most: number): Promise<ServerEventPage>
  /**
   * Begins to send to webhooks what they have not heard: to each in order, at least once, signed. One that fails is tried again at growing
   * pauses, and given up after three days. Many processes may do so at once; one of them delivers to a webhook. Resolves when it has begun.
   */
  deliver(sight: WebhookSight): Promise<void>
}

/** The webhooks' view of Discord, and their writes. */
export interface WebhookSight {
  /** Whether Discord tells this process of a server now. A process that does not know the channels would leave their events out. */
  knows(guild: string): boolean
  everybodySees(channel: string): boolean
  /** Whether a member still moderates a server. Throws while Discord cannot be asked. */
  moderates(guild: string, member: string): Promise<boolean>
  /** An event as a body, in JSON. */
  body(event: ServerEvent): string
}

/** Whether the programs of a server hear of an event: only of what everybody in the server could see. */
export function isToldIn(
  guild: string,
  event: Pick<ServerEvent, 'guild' | 'channel'>,
  everybodySees: (channel: string) => boolean,
): boolean {
  return event.guild === guild && (event.channel === undefined || everybodySees(event.channel))
}

export interface ServerEventPage {
  readonly events: readonly ServerEvent[]
  /** Where to resume; unchanged if there is nothing more. */
  readonly cursor: number
}

export interface ServerEvent {
  /** Its place in the book: later events have larger ones. */
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
