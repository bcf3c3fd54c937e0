import { type Client, PermissionFlagsBits } from 'discord.js'
import type { Tipping } from '../../tipping/tipping.ts'

/**
 * Whether somebody with these roles may manage the server, or has a role that its settings name. Throws while Discord has not told of the server:
 * for the first moments after a start, nobody knows who manages it.
 */
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
  if (roles.some((role) => moderatorRoles.includes(role))) return true
  if (server === undefined || server.available === false) throw new Error(`Discord has not told of the server ${guild}`)
  return false
}
