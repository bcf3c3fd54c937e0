import { ApplicationIntegrationType, type BaseInteraction, InteractionContextType } from 'discord.js'

type Somewhere = Pick<BaseInteraction, 'guildId' | 'context' | 'authorizingIntegrationOwners'>

/**
 * Whether the bot is no member of the place: somebody has installed it for themselves, and uses it in a conversation of
 * others or in a server that has not invited it. It answers there, and can read, write and know nothing else.
 */
export function isGuest({ guildId, context, authorizingIntegrationOwners: owners }: Somewhere): boolean {
  if (context === InteractionContextType.PrivateChannel) return true
  // Who installed it is left out by nobody but what stands for Discord in a test.
  return guildId !== null && owners != null && owners[ApplicationIntegrationType.GuildInstall] !== guildId
}

/** The server that the bot is a member of; null in a private conversation, and where it is a guest. */
export function guildOf(interaction: Somewhere): string | null {
  return isGuest(interaction) ? null : interaction.guildId
}
