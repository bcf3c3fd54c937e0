import type { REST } from '@discordjs/rest'
import { DiscordAPIError } from '@discordjs/rest'
import { type APIChannel, type APIMessage, RESTJSONErrorCodes as Code, Routes } from 'discord.js'
import { type Message, type Posting, requestFor } from './message.ts'
import type { ReplyToken } from './reply-token.ts'

/** Where a message is. */
export interface MessageRef {
  readonly channel: string
  readonly message: string
}

/** Everything the bot says goes out here: answers by an interaction's token, the rest by the bot's own. */
export interface Messenger {
  /** Fills in or changes the answer to a command (`@original`). */
  answer(reply: ReplyToken, message: Message): Promise<MessageRef>
  /** Takes the answer away, so that something private can be said instead of something public. */
  deleteAnswer(reply: ReplyToken): Promise<void>
  followUp(reply: ReplyToken, message: Message, posting?: Posting): Promise<MessageRef>
  post(channel: string, message: Message, posting?: Posting): Promise<MessageRef>
  edit(ref: MessageRef, message: Message): Promise<void>
  /** The channel for private messages with a member. */
  privateChannel(member: string): Promise<string>
}

/** `rest` carries the bot's token; `webhooks` none, and no limit over all: Discord counts interactions apart. */
export function createMessenger(rest: REST, webhooks: REST): Messenger {
  return {
    async answer({ application, token }, message) {
      const request = { ...requestFor(message), auth: false }
      return messageRefOf((await webhooks.patch(Routes.webhookMessage(application, token), request)) as APIMessage)
    },
    async deleteAnswer({ application, token }) {
      await webhooks.delete(Routes.webhookMessage(application, token), { auth: false })
    },
    async followUp({ application, token }, message, posting) {
      const request = { ...requestFor(message, posting), auth: false }
      return messageRefOf((await webhooks.post(Routes.webhook(application, token), request)) as APIMessage)
    },
    async post(channel, message, posting) {
      return messageRefOf(
        (await rest.post(Routes.channelMessages(channel), requestFor(message, posting))) as APIMessage,
      )
    },
    async edit({ channel, message: id }, message) {
      await rest.patch(Routes.channelMessage(channel, id), requestFor(message))
    },
    async privateChannel(member) {
      const channel = (await rest.post(Routes.userChannels(), { body: { recipient_id: member } })) as APIChannel
      return channel.id
    },
  }
}

function messageRefOf({ channel_id, id }: APIMessage): MessageRef {
  return { channel: channel_id, message: id }
}

/**
 * What a failed message means. `token`: the answer can no longer be changed, another way may be open. `gone`: nobody
 * can be told this way any more. `again`: Discord or the way to it is at fault; the same may work later.
 */
export function meaningOf(error: unknown): 'token' | 'gone' | 'again' {
  if (!(error instanceof DiscordAPIError)) return 'again'
  if (error.code === Code.InvalidWebhookToken || error.code === Code.UnknownWebhook) return 'token'
  return error.status === 429 || error.status === 401 || error.status >= 500 ? 'again' : 'gone'
}
