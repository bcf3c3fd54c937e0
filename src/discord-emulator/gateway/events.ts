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
  /** The server's id, which determines the shard; null for a direct conversation, which belongs to the first shard. */
  readonly guildId: string | null
  /** The id of a channel. If it is set, the event is sent only if the bot can see this channel. */
  readonly channelId?: string
  /** The intent that a session needs to receive the event; 0 if it needs none. */
  readonly intent: number
  /**
   * Returns the payload for a session. `withContent` is true if the session may read the content of people's messages.
   */
  readonly data: (withContent: boolean) => JsonObject
}
