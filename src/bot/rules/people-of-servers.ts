import { type Client, PermissionFlagsBits } from 'discord.js'
import type { Tipping } from '../../tipping/tipping.ts'
import type { GuildMembers, KnownMember, Name } from '../people/guild-members.ts'
import { moderatesIn } from '../people/moderators.ts'
import type { People } from '../people/people.ts'
import type { LearnServers } from '../transport/learn-servers.ts'

export interface PeopleOptions {
  readonly tipping: Tipping
  readonly members: GuildMembers
  readonly servers: Pick<LearnServers, 'learn'>
  readonly serverLocale: (guild: string | null) => string | undefined
  readonly people: Pick<People, 'nameOf'>
}

/** A source of facts about servers and their people that only Discord has, for events without a command. */
export interface PeopleOfServers {
  /** Returns a moderator's roles; undefined for a member who may no longer give rewards. */
  moderator(guild: string, member: string): Promise<readonly string[] | undefined>
  /** Whether somebody is now an administrator of a server. Throws if Discord has not sent the server. */
  administrates(guild: string, member: string): Promise<boolean>
  /** Returns the facts about a person in a server; undefined if they are not a member. */
  person(guild: string, member: string): Promise<KnownMember | undefined>
  localeOf(guild: string): string
  /** Returns a server's name; undefined if this process has not received the server. */
  serverName(guild: string): string | undefined
  /** Returns a role's name; undefined if this process has not received the role. */
  roleName(guild: string, role: string): string | undefined
  /** Returns a person's name on Discord; undefined if Discord does not answer in time. */
  nameOf(member: string): Promise<Name | undefined>
}

export function peopleOfServers(client: Client, options: PeopleOptions): PeopleOfServers {
  const { tipping, members, servers, serverLocale, people } = options
  return {
    async moderator(guild, member) {
      await servers.learn(guild)
      const roles = (await members.known(guild, member))?.roles
      return roles !== undefined && (await moderatesIn(guild, member, roles, client, tipping)) ? roles : undefined
    },
    async administrates(guild, member) {
      await servers.learn(guild)
      const roles = (await members.known(guild, member))?.roles
      const server = client.guilds.cache.get(guild)
      if (roles === undefined) return false
      if (server === undefined) throw new Error('Discord has not sent the server')
      const mayAll = (role: string) => server.roles.cache.get(role)?.permissions.has(PermissionFlagsBits.Administrator)
      return server.ownerId === member || [...roles, guild].some((role) => mayAll(role) === true)
    },
    person: (guild, member) => members.known(guild, member),
    nameOf: (member) => people.nameOf(member),
    serverName: (guild) => client.guilds.cache.get(guild)?.name,
    roleName: (guild, role) => client.guilds.cache.get(guild)?.roles.cache.get(role)?.name,
    localeOf: (guild) => serverLocale(guild) ?? 'en',
  }
}
