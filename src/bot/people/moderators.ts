import { type Client, PermissionFlagsBits } from 'discord.js'
import type { Tipping } from '../../tipping/tipping.ts'

/** The rights of which a server's manager has at least one. */
export const MANAGERS_RIGHTS = [PermissionFlagsBits.ManageGuild, PermissionFlagsBits.Administrator]

/** Whether somebody moderates a server: as one of its managers, or through a moderator role in its settings. */
export async function moderates(
  { manager, roles }: { readonly manager: boolean; readonly roles: readonly string[] },
  guild: string | null,
  { preferences }: Pick<Tipping, 'preferences'>,
): Promise<boolean> {
  if (manager || roles.length === 0) return manager
  const { moderatorRoles } = await preferences.inForce(guild)
  return roles.some((role) => moderatorRoles.includes(role))
}

/**
 * Whether somebody moderates a server, if no current command reports the person's rights. Throws while Discord has not
 * sent the server: in the first moments after a start, it is unknown who manages the server.
 */
export async function moderatesIn(
  guild: string,
  member: string,
  roles: readonly string[],
  client: Client,
  tipping: Pick<Tipping, 'preferences'>,
): Promise<boolean> {
  const server = client.guilds.cache.get(guild)
  const mayManage = [...roles, guild].some((role) => server?.roles.cache.get(role)?.permissions.any(MANAGERS_RIGHTS))
  const manager = mayManage || server?.ownerId === member
  if (await moderates({ manager, roles }, guild, tipping)) return true
  if (server === undefined || server.available === false) throw new Error(`Discord has not sent the server ${guild}`)
  return false
}
