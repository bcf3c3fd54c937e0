import { type Client, PermissionFlagsBits } from 'discord.js'
import type { Tipping } from '../../tipping/tipping.ts'

/** Whether somebody with these roles may manage the server, or has a role that its settings name. */
export async function moderatesIn(
  guild: string,
  member: string,
  roles: readonly string[],
  client: Client,
  { preferences }: Pick<Tipping, 'preferences'>,
): Promise<boolean> {
  const server = client.guilds.cache.get(guild)
  const manages = [...roles, guild].some((role) =>
    server?.roles.cache
      .get(role)
      ?.permissions.any([PermissionFlagsBits.ManageGuild, PermissionFlagsBits.Administrator]),
  )
  if (manages || server?.ownerId === member) return true
  const { moderatorRoles } = await preferences.inForce(guild)
  return roles.some((role) => moderatorRoles.includes(role))
}
