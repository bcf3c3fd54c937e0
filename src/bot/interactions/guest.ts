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
 * Whether the bot is not a member of the place: somebody has installed it for themselves and uses it in others'
 * conversations or in a server without the bot, or a server has only its commands. It answers there, and cannot read,
 * write or know anything else.
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
 * installation settings do not include the bot. Then Discord reports which permissions an answer has, and these do not
 * include seeing the channel. A member without permission to see the channel has no permissions at all.
 * https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object-interaction-structure
 */
function hasCommandsAlone({ guild, appPermissions: may }: Somewhere): boolean {
  return guild === null && may != null && may.bitfield !== 0n && !may.has(PermissionFlagsBits.ViewChannel)
}

/** Returns the server that the bot is a member of; null in a private conversation, and if the bot is a guest. */
export function guildOf(interaction: Somewhere): string | null {
  return isGuest(interaction) ? null : interaction.guildId
}
