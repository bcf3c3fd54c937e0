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
 * Whether the bot is not a member of the place: somebody has installed it for themselves and uses it in a conversation of others or in a
 * server that has not invited it, or a server has its commands alone. It answers there, and can read, write and know nothing else.
 */
export function isGuest(interaction: Somewhere): boolean {
  const { guildId, context, authorizingIntegrationOwners: owners } = interaction
  if (context === InteractionContextType.PrivateChannel) return true
  if (guildId === null) return false
  // Only Discord's stand-in in a test leaves out who installed it.
  const isForeign = owners != null && owners[ApplicationIntegrationType.GuildInstall] !== guildId
  return isForeign || hasCommandsAlone(interaction)
}

/**
 * Whether a server has the commands without the bot, as Discord's "Add App" button adds them where the application's installation
 * settings do not ask for the bot. Then Discord says what answers may do, and that is not to see the channel; a member that
 * may not see it may do nothing at all.
 * https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object-interaction-structure
 */
function hasCommandsAlone({ guild, appPermissions: may }: Somewhere): boolean {
  return guild === null && may != null && may.bitfield !== 0n && !may.has(PermissionFlagsBits.ViewChannel)
}

/** The server that the bot is a member of; null in a private conversation, and where it is a guest. */
export function guildOf(interaction: Somewhere): string | null {
  return isGuest(interaction) ? null : interaction.guildId
}
