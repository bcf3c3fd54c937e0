import { ChannelType, type Client, PermissionFlagsBits } from 'discord.js'
import type { LearnServers } from '../transport/learn-servers.ts'

/** The facts about servers that only the gateway reports. */
export interface KnownServers {
  /**
   * Returns whether everybody in the server can see a channel, or, for a thread, its parent channel. False if that is
   * unknown.
   */
  everybodySees(channel: string): boolean
  /**
   * Whether Discord now sends this process a server's events. False for other processes' servers, and while Discord has
   * trouble with the server.
   */
  knows(guild: string): boolean
  /** Returns the number of the bot's servers, as far as this process has found them. */
  servers(): number
  /**
   * Returns the name of the bot's only server, or the bot's own name if the bot is in several servers; undefined
   * without a gateway.
   */
  communityName(): string | undefined
}

export function knownServers(
  client: Client,
  servers: Pick<LearnServers, 'knowsAll'>,
  named: { readonly guild: string | undefined; readonly home: string | undefined },
): KnownServers {
  return {
    everybodySees: (channel) => everybodySees(client, channel),
    knows: (guild) => client.guilds.cache.get(guild)?.available ?? false,
    servers: () => client.guilds.cache.size,
    communityName: () => communityName(client, servers, named),
  }
}

/**
 * Returns the name of the community that the bot serves. The operators' own server counts only if the bot is in no
 * other server.
 */
function communityName(
  client: Client,
  { knowsAll }: Pick<LearnServers, 'knowsAll'>,
  { guild: only, home }: { readonly guild: string | undefined; readonly home: string | undefined },
): string | undefined {
  const all = [...client.guilds.cache.values()]
  // A bot without the gateway knows no servers, and leaves the name to one that does.
  if (all.length === 0 && knowsAll) return undefined
  const chosen = all.find(({ id }) => id === only)
  if (chosen === undefined && !knowsAll) return client.user?.displayName
  const served = chosen === undefined && all.length > 1 ? all.filter(({ id }) => id !== home) : all
  const server = chosen ?? (served.length === 1 ? served[0] : undefined)
  return server?.name ?? client.user?.displayName
}

/** Whether everybody in the server sees a channel. False for a private thread, because its members are unknown. */
function everybodySees(client: Client, id: string): boolean {
  const found = client.channels.cache.get(id)
  if (found === undefined || found.isDMBased() || found.type === ChannelType.PrivateThread) return false
  const channel = found.isThread() ? found.parent : found
  return channel?.permissionsFor(channel.guild.roles.everyone)?.has(PermissionFlagsBits.ViewChannel) ?? false
}
