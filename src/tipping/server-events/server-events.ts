import type { Msats } from '../../lib/money/amount.ts'

/** What happens in servers with sats, in the order of the book. */
export interface ServerEvents {
  /** Where the book is now: a cursor. */
  latest(): Promise<number>
  /** What happened after a cursor, of all servers, the oldest first: as much as at most `most` entries of the book tell. */
  after(cursor: number, most: number): Promise<ServerEventPage>
}

export interface ServerEventPage {
  readonly events: readonly ServerEvent[]
  /** Where to read on; the same as was asked for where there is nothing more. */
  readonly cursor: number
}

export interface ServerEvent {
  /** Its place in the book: later events have larger ones. */
  readonly id: number
  readonly guild: string
  readonly type: 'tip' | 'reward' | 'drop' | 'giveaway' | 'pool-gift'
  readonly at: Date
  /** Undefined where it belongs to no channel. */
  readonly channel: string | undefined
  /** Who gave; undefined for a pool, for an anonymous tip, and for members who would rather not be named. */
  readonly from: string | undefined
  /** Who got it; undefined where nobody has yet, and for members who would rather not be named. */
  readonly to: string | undefined
  readonly amount: Msats
}
