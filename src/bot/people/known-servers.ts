import { ChannelType, type Client, PermissionFlagsBits } from 'discord.js'
import type { LearnServers } from '../transport/learn-servers.ts'

/** What the gateway alone tells of servers. */
export interface KnownServers {
  /**
   * Whether everybody in the server sees a channel, or the channel that a thread belongs to; false if it is not
   * known.
   */
  everybodySees(channel: string): boolean
  /** Whether Discord tells this process of a server, now: false for those of other processes, and while Discord has trouble with it. */
  knows(guild: string): boolean
  /** In how many servers it is, as far as this process knows. */
  servers(): number
  /** The bot's only server, or the bot itself if it is in several; undefined without a gateway. */
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

/** The operators' own server counts only where there is no other. */
function communityName(
  client: Client,
  { knowsAll }: Pick<LearnServers, 'knowsAll'>,
  { guild: only, home }: { readonly guild: string | undefined; readonly home: string | undefined },
): string | undefined {
  const all = [...client.guilds.cache.values()]
  // A bot without the gateway knows of no servers, and leaves the name to one that does.
  if (all.length === 0 && knowsAll) return undefined
  const chosen = all.find(({ id }) => id === only)
  if (chosen === undefined && !knowsAll) return client.user?.displayName
  const served = chosen === undefined && all.length > 1 ? all.filter(({ id }) => id !== home) : all
  const server = chosen ?? (served.length === 1 ? served[0] : undefined)
  return server?.name ?? client.user?.displayName
}

/** Nobody knows who sees a private thread. */
function everybodySees(client: Client, id: string): boolean {
  const found = client.channels.cache.get(id)
  if (found === undefined || found.isDMBased() || found.type === ChannelType.PrivateThread) return false
  const channel = found.isThread() ? found.parent : found
  return channel?.permissionsFor(channel.guild.roles.everyone)?.has(PermissionFlagsBits.ViewChannel) ?? false
}
