import type { JsonObject } from '../rules/form.ts'

/** https://docs.discord.com/developers/events/gateway#gateway-intents */
export const intent = {
  guilds: 1 << 0,
  guildMembers: 1 << 1,
  guildVoiceStates: 1 << 7,
  guildMessages: 1 << 9,
  guildMessageReactions: 1 << 10,
  guildMessageTyping: 1 << 11,
  directMessages: 1 << 12,
  directMessageReactions: 1 << 13,
  messageContent: 1 << 15,
} as const

/** An event that the gateway sends to bots. */
export interface GatewayEvent {
  readonly name: string
  /** Decides the shard. Null (a direct conversation) belongs to the first shard. */
  readonly guildId: string | null
  /** The event is sent only if the bot sees this channel. */
  readonly channelId?: string
  /** The intent that receives the event; 0 needs no intent. */
  readonly intent: number
  /** The payload, for a session that may or may not read people's messages. */
  readonly data: (withContent: boolean) => JsonObject
}
