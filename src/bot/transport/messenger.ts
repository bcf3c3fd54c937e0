import type { REST } from '@discordjs/rest'
import { DiscordAPIError } from '@discordjs/rest'
import { type APIChannel, type APIMessage, RESTJSONErrorCodes as Code, Routes } from 'discord.js'
import { type Clock, pause } from '../../lib/clock.ts'
import { type Message, type Posting, requestFor } from '../messages/message.ts'
import type { Calls } from './permits.ts'
import type { ReplyToken } from './reply-token.ts'

/** A message's channel and id. */
export interface MessageRef {
  readonly channel: string
  readonly message: string
}

/**
 * Sends everything that the bot says: answers with an interaction's token, and everything else with the bot's own
 * token.
 */
export interface Messenger {
  /**
   * Fills in or changes a command's answer (`@original`). Does nothing if `message` looks the same as the answer that
   * is already `written`.
   */
  answer(reply: ReplyToken, message: Message, written?: Written): Promise<MessageRef>
  /** Changes a message below the answer. */
  changeFollowUp(reply: ReplyToken, message: string, changed: Message): Promise<void>
  /** Removes the answer, so that a private one can replace it. */
  deleteAnswer(reply: ReplyToken): Promise<void>
  followUp(reply: ReplyToken, message: Message, posting?: Posting): Promise<MessageRef>
  post(channel: string, message: Message, posting?: Posting): Promise<MessageRef>
  edit(ref: MessageRef, message: Message): Promise<void>
  /** Returns the channel for private messages with a member. */
  privateChannel(member: string): Promise<string>
}

/** An answer as it was sent, for comparison with a later edit. */
export interface Written {
  readonly message: Message
  readonly ref: MessageRef
}

/** The difference, in seconds, that nobody notices in a time that Discord counts down ("in 30 days"). */
const UNSEEN_SECONDS = 30
const COUNTED_DOWN = /<t:(\d+):R>/g

/**
 * Whether two messages look the same to people. A counted-down time that was computed a moment later does not count as
 * a change.
 */
function isSame(one: Message, other: Message): boolean {
  const [first, second] = [requestFor(one), requestFor(other)]
  if (first.files.length > 0) return false
  const [before, after] = [JSON.stringify(first.body), JSON.stringify(second.body)]
  if (before.replaceAll(COUNTED_DOWN, '') !== after.replaceAll(COUNTED_DOWN, '')) return false
  const [times, later] = [timesIn(before), timesIn(after)]
  return times.length === later.length && times.every((time, n) => Math.abs(time - (later[n] ?? 0)) <= UNSEEN_SECONDS)
}

function timesIn(text: string): number[] {
  return [...text.matchAll(COUNTED_DOWN)].map(([, seconds]) => Number(seconds))
}

/** The acknowledgements that may still be on their way to Discord. */
export interface OnTheirWay {
  readonly clock: Clock
  /** Whether the acknowledgement with this token may still be on its way to Discord. */
  isOnItsWay(token: string): boolean
}

/** The pause between attempts to write an answer whose acknowledgement Discord does not have yet. */
const UNKNOWN_YET_PAUSE_MS = 150

/**
 * Retries a request until Discord has the acknowledgement. An acknowledgement that is sent as an HTTP answer is on its
 * way while this process continues, so Discord may get later requests first, with a token that is still unknown.
 * https://github.com/discord/discord-api-docs/issues/7220
 */
async function onceKnown<Sent>(
  { token }: ReplyToken,
  { clock, isOnItsWay }: OnTheirWay,
  ask: () => Promise<Sent>,
): Promise<Sent> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      const unknown = error instanceof DiscordAPIError && error.code === Code.UnknownWebhook
      if (!unknown || !isOnItsWay(token)) throw error
      await pause(clock, UNKNOWN_YET_PAUSE_MS)
    }
  }
}

/** Replaces mentions with names, because a reader's client may show them as numbers (`people/people.ts`). */
export interface NamesPeople {
  named(message: Message): Promise<Message>
}

/**
 * Creates the messenger. `rest` sends the bot's token. `webhooks` sends none, and has no global limit, because Discord
 * counts interactions separately.
 */
export function createMessenger(rest: Calls, webhooks: REST, people: NamesPeople, onTheirWay: OnTheirWay): Messenger {
  return {
    async answer(reply, message, written) {
      const route = Routes.webhookMessage(reply.application, reply.token)
      const named = await people.named(message)
      if (written !== undefined && isSame(named, written.message)) return written.ref
      const ask = () => webhooks.patch(route, { ...requestFor(named, { edits: true }), auth: false })
      return messageRefOf((await onceKnown(reply, onTheirWay, ask)) as APIMessage)
    },
    async changeFollowUp(reply, message, changed) {
      const route = Routes.webhookMessage(reply.application, reply.token, message)
      await webhooks.patch(route, { ...requestFor(await people.named(changed), { edits: true }), auth: false })
    },
    async deleteAnswer(reply) {
      const route = Routes.webhookMessage(reply.application, reply.token)
      await onceKnown(reply, onTheirWay, () => webhooks.delete(route, { auth: false }))
    },
    async followUp(reply, message, posting) {
      const route = Routes.webhook(reply.application, reply.token)
      const named = await people.named(message)
      const ask = () => webhooks.post(route, { ...requestFor(named, posting), auth: false })
      return messageRefOf((await onceKnown(reply, onTheirWay, ask)) as APIMessage)
    },
    async post(channel, message, posting) {
      const request = requestFor(await people.named(message), posting)
      return messageRefOf((await rest.post(Routes.channelMessages(channel), request)) as APIMessage)
    },
    async edit({ channel, message: id }, message) {
      await rest.patch(Routes.channelMessage(channel, id), requestFor(await people.named(message), { edits: true }))
    },
    async privateChannel(member) {
      const channel = (await rest.post(Routes.userChannels(), { body: { recipient_id: member } })) as APIChannel
      return channel.id
    },
  }
}

/** Whether an error means that a server's AutoMod blocked a text, as it can for a bot that is not a member. */
export function isBlocked(error: unknown): boolean {
  return error instanceof DiscordAPIError && error.code === Code.MessageWasBlockedByAutomaticModeration
}

function messageRefOf({ channel_id, id }: APIMessage): MessageRef {
  return { channel: channel_id, message: id }
}

/**
 * Classifies the failure of a message. `token`: the interaction's token does not work any more, but another way may be
 * open. `gone`: this way is permanently closed. `asleep`: the thread permits no changes until it is unarchived or
 * unlocked. `again`: Discord or the connection failed, and another attempt may work.
 * https://docs.discord.com/developers/topics/opcodes-and-status-codes#json
 */
export function meaningOf(error: unknown): 'token' | 'gone' | 'asleep' | 'again' {
  if (!(error instanceof DiscordAPIError)) return 'again'
  if (error.code === Code.InvalidWebhookToken || error.code === Code.UnknownWebhook) return 'token'
  if (error.code === Code.InvalidActionOnArchivedThread || error.code === Code.ThreadLocked) return 'asleep'
  return error.status === 429 || error.status === 401 || error.status >= 500 ? 'again' : 'gone'
}
