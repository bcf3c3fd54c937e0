import type { REST } from '@discordjs/rest'
import { DiscordAPIError } from '@discordjs/rest'
import { type APIChannel, type APIMessage, RESTJSONErrorCodes as Code, Routes } from 'discord.js'
import { type Clock, pause } from '../../lib/clock.ts'
import { type Message, type Posting, requestFor } from '../messages/message.ts'
import type { Calls } from './permits.ts'
import type { ReplyToken } from './reply-token.ts'

/** A message's place. */
export interface MessageRef {
  readonly channel: string
  readonly message: string
}

/** Sends everything that the bot says: answers by an interaction's token, the rest by the bot's own. */
export interface Messenger {
  /** Fills in or changes a command's answer (`@original`). Does nothing if it is already `written`. */
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

/** An answer as it was sent, which needs no later edit. */
export interface Written {
  readonly message: Message
  readonly ref: MessageRef
}

/** If Discord counts down a time ("in 30 days"), nobody notices this many seconds. */
const UNSEEN_SECONDS = 30
const COUNTED_DOWN = /<t:(\d+):R>/g

/** Whether people see the same. A date that was computed a moment later does not count as a change. */
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

/** Acknowledgements that Discord may not have read yet. */
export interface OnTheirWay {
  readonly clock: Clock
  /** Whether the acknowledgement with this token may still be on its way. */
  isOnItsWay(token: string): boolean
}

/** The pause between attempts to write an answer that Discord does not know yet. */
const UNKNOWN_YET_PAUSE_MS = 150

/**
 * Retries until Discord knows an acknowledgement. One that is sent as an HTTP answer is on its way while this process
 * continues, so Discord may get later messages first, for an unknown token.
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

/** Replaces mentions by names, because a reader's client may show them as numbers (`people/people.ts`). */
export interface NamesPeople {
  named(message: Message): Promise<Message>
}

/**
 * `rest` sends the bot's token. `webhooks` sends none, and has no global limit, because Discord counts interactions
 * separately.
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

/** Whether a server's AutoMod forbids this text to a bot that is not a member. */
export function isBlocked(error: unknown): boolean {
  return error instanceof DiscordAPIError && error.code === Code.MessageWasBlockedByAutomaticModeration
}

function messageRefOf({ channel_id, id }: APIMessage): MessageRef {
  return { channel: channel_id, message: id }
}

/**
 * Explains a failed message. `token`: the answer can no longer be changed, but another way may be open. `gone`: this
 * way is permanently closed. `asleep`: the thread takes no changes until it wakes or is unlocked. `again`: Discord or
 * the connection failed, and another attempt may work.
 * https://docs.discord.com/developers/topics/opcodes-and-status-codes#json
 */
export function meaningOf(error: unknown): 'token' | 'gone' | 'asleep' | 'again' {
  if (!(error instanceof DiscordAPIError)) return 'again'
  if (error.code === Code.InvalidWebhookToken || error.code === Code.UnknownWebhook) return 'token'
  if (error.code === Code.InvalidActionOnArchivedThread || error.code === Code.ThreadLocked) return 'asleep'
  return error.status === 429 || error.status === 401 || error.status >= 500 ? 'again' : 'gone'
}
