import { type Client, PermissionFlagsBits } from 'discord.js'
import type { Tipping } from '../../tipping/tipping.ts'

/** A server's manager has one of these rights. */
export const MANAGERS_RIGHTS = [PermissionFlagsBits.ManageGuild, PermissionFlagsBits.Administrator]

/** Whether somebody moderates a server: its managers and everybody with a role that its settings name do so. */
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
 * Does the same for somebody without a current command, so Discord has not reported their rights. Throws while Discord
 * has not sent the server: in the first moments after a start, nobody knows who manages it.
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
