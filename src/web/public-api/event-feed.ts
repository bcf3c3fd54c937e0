import type { Clock } from '../../lib/clock.ts'
import { EventFeed, type FeedReader } from '../../lib/http/event-feed.ts'
import type { Logger } from '../../lib/logger.ts'
import { isToldIn, type ServerEvent, type ServerEvents } from '../../tipping/tipping.ts'
import type { EventAnswer } from './answers.ts'

export interface ServerFeedOptions {
  readonly events: Pick<ServerEvents, 'latest' | 'after'>
  /** Whether everybody in the server sees a channel. Events in other channels are private. */
  readonly everybodySees: (channel: string) => boolean
  readonly testMoney: () => boolean
  readonly clock: Clock
  readonly logger: Logger
}

/** A program that reads the events of a server. `to` is the server's id. */
export type ServerReader = FeedReader<string>

/**
 * The maximum number of book entries that a program can catch up on. A program that has missed more continues with the
 * next event.
 */
const MAX_BEHIND = 20_000
/** The number of book entries read at a time. */
const PAGE_SIZE = 200
/** The limit for events that a reader has not read yet: more than the events of one page of entries need. */
const MAX_UNREAD_BYTES = 128 * 1_024
/**
 * The limits for readers, in all and with one key. Many people watch one overlay (`prove -- bench overlay`), and one
 * key must leave room for others.
 */
const MAX_READERS = 2_000
const MAX_STREAMS_OF_KEY = 1_000

/** Creates the feed that sends readers the events of their servers. */
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

/** Converts an event to the JSON that programs read. */
export function eventInJson(event: ServerEvent, testMoney: boolean): string {
  const { type, at, channel = null, from = null, to = null, amount } = event
  const data: EventAnswer = { type, at: at.toISOString(), channel, from, to, amountMsats: amount.toString(), testMoney }
  return JSON.stringify(data)
}
