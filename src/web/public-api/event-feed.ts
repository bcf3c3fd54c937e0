import type { Clock } from '../../lib/clock.ts'
import { EventFeed, type FeedReader } from '../../lib/http/event-feed.ts'
import type { Logger } from '../../lib/logger.ts'
import { isToldIn, type ServerEvent, type ServerEvents } from '../../tipping/tipping.ts'
import type { EventAnswer } from './answers.ts'

export interface ServerFeedOptions {
  readonly events: Pick<ServerEvents, 'latest' | 'after'>
  /** Whether everybody in the server sees a channel: events in others are private. */
  readonly everybodySees: (channel: string) => boolean
  readonly testMoney: () => boolean
  readonly clock: Clock
  readonly logger: Logger
}

/** A listener of a server, `to`. */
export type ServerReader = FeedReader<string>

/** How many entries of the book reading can go back; a program that was away for longer begins from now on. */
const MAX_BEHIND = 20_000
/** Entries of the book at a time. */
const PAGE_SIZE = 200
/** More than what a page of entries tells. */
const MAX_UNREAD_BYTES = 128 * 1_024
/** Many watch one overlay (`prove -- bench overlay`), and one key leaves room for others. */
const MAX_READERS = 2_000
const MAX_STREAMS_OF_KEY = 1_000

/** Tells readers of what happens in their servers. */
export function createServerFeed(options: ServerFeedOptions): EventFeed<ServerEvent, string> {
  const { events, everybodySees, testMoney, clock, logger } = options
  return new EventFeed({
    source: events,
    isFor: (event, to) => isToldIn(to, event, everybodySees),
    text: (event) => written(event, testMoney()),
    maxBehind: MAX_BEHIND,
    pageSize: PAGE_SIZE,
    maxUnreadBytes: MAX_UNREAD_BYTES,
    maxReaders: MAX_READERS,
    maxStreamsOfKey: MAX_STREAMS_OF_KEY,
    clock,
    logger,
  })
}

function written(event: ServerEvent, testMoney: boolean): string {
  return `id: ${event.id}\nevent: ${event.type}\ndata: ${eventInJson(event, testMoney)}\n\n`
}

/** An event as programs read it. */
export function eventInJson(event: ServerEvent, testMoney: boolean): string {
  const { type, at, channel = null, from = null, to = null, amount } = event
  const data: EventAnswer = { type, at: at.toISOString(), channel, from, to, amountMsats: amount.toString(), testMoney }
  return JSON.stringify(data)
}
