import {
  ApplicationIntegrationType,
  type BaseInteraction,
  InteractionContextType,
  PermissionFlagsBits,
} from 'discord.js'

type Somewhere = Pick<
  BaseInteraction,
  'guildId' | 'guild' | 'context' | 'authorizingIntegrationOwners' | 'appPermissions'
>

/**
 * Whether the bot is not a member of the place: somebody has installed the bot for themselves and uses it in others'
 * conversations or in a server without the bot, or a server has only the bot's commands. There, the bot can only answer
 * commands.
 */
export function isGuest(interaction: Somewhere): boolean {
  const { guildId, context, authorizingIntegrationOwners: owners } = interaction
  if (context === InteractionContextType.PrivateChannel) return true
  if (guildId === null) return false
  // Only a test's stand-in for Discord omits who installed it.
  const isForeign = owners != null && owners[ApplicationIntegrationType.GuildInstall] !== guildId
  return isForeign || hasCommandsAlone(interaction)
}

/**
 * Whether a server has the commands without the bot, as Discord's "Add App" button adds them if the application's
 * installation settings do not include the bot. In such a server, Discord reports the permissions of an answer, which
 * do not include seeing the channel. A bot that is a member but may not see the channel has no permissions at all.
 * https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object-interaction-structure
 */
function hasCommandsAlone({ guild, appPermissions: may }: Somewhere): boolean {
  return guild === null && may != null && may.bitfield !== 0n && !may.has(PermissionFlagsBits.ViewChannel)
}

/**
 * Returns the interaction's server if the bot is a member there; null if the bot is a guest, and in a private
 * conversation.
 */
export function guildOf(interaction: Somewhere): string | null {
  return isGuest(interaction) ? null : interaction.guildId
}
