import { DiscordAPIError } from '@discordjs/rest'
import { type APIGuildMember, Routes, SnowflakeUtil } from 'discord.js'
import type { Clock } from '../../lib/clock.ts'
import type { Recipient } from '../../tipping/tipping.ts'
import { CommandRefusal } from '../refusals/command-refusal.ts'
import type { Calls } from '../transport/permits.ts'
import type { VoiceStates } from './voice-states.ts'

/** Looks up a server's members at Discord when needed. */
export interface GuildMembers {
  /** Finds a person in a server; undefined if the person is not a member. */
  find(guild: string, member: string): Promise<Recipient | undefined>
  /**
   * Returns when a member's account was created and when the member joined the server, with the member's roles;
   * undefined for a person who is not a member. Caches recent answers.
   */
  known(guild: string, member: string): Promise<KnownMember | undefined>
  /**
   * Returns the people in a member's voice channel who can hear the others. Bots may be among these people, because
   * asking Discord about each of possibly thousands would take too long. Throws CommandRefusal if the channel's people
   * are unknown, or if the member is in no voice channel.
   */
  inVoiceWith(guild: string, member: string): readonly string[]
  /** Returns the names of people in a server, by id, without those who have left. */
  names(guild: string, members: readonly string[]): Promise<Map<string, Name>>
  /**
   * Returns everybody with a role. Throws CommandRefusal if more than `most` people have the role, if the server is too
   * big, or if the bot may not list the server's members.
   */
  withRole(guild: string, role: string, most?: number): Promise<Recipient[]>
}

/**
 * A person's display name in the server or on Discord, and the person's user name, which has only simple lower-case
 * characters.
 */
export interface Name {
  readonly shown: string
  readonly username: string
}

/** A person who is a member of the server now. */
export interface KnownMember {
  readonly accountSince: Date
  readonly memberSince: Date
  readonly roles: readonly string[]
  readonly bot: boolean
}

const PAGE = 1000
/** The lifetime of a cached answer, which is enough for a dry run and the command that follows. */
const KNOWN_TTL_MS = 30_000
const MAX_KNOWN = 1_000
const MAX_PAGES = 50

/**
 * Creates the look-up through Discord's REST interface, so that the bot need not receive every change of every member
 * through the gateway's GuildMembers intent. Listing members still requires the "Server Members Intent" in Discord's
 * developer portal. Without this setting, the bot refuses tips to roles, but everything else works.
 */
export function createGuildMembers(rest: Calls, clock: Clock, voice?: VoiceStates): GuildMembers {
  const known = new Map<string, { readonly until: number; readonly asking: Promise<KnownMember | undefined> }>()
  return {
    known(guild, member) {
      const key = `${guild} ${member}`
      const before = known.get(key)
      if (before !== undefined && clock.monotonic() < before.until) return before.asking
      if (known.size >= MAX_KNOWN) known.clear()
      const asking = askAbout(rest, guild, member)
      known.set(key, { until: clock.monotonic() + KNOWN_TTL_MS, asking })
      asking.catch(() => known.delete(key))
      return asking
    },
    async find(guild, member) {
      try {
        return recipient((await rest.get(Routes.guildMember(guild, member))) as APIGuildMember)
      } catch (error) {
        if (error instanceof DiscordAPIError && error.status === 404) return undefined
        throw error
      }
    },
    inVoiceWith(guild, member) {
      const listeners = voice?.listenersWith(guild, member) ?? 'unknown'
      if (listeners === 'unknown') throw new CommandRefusal('commandRefusals.voice-off')
      if (listeners === 'nowhere') throw new CommandRefusal('commandRefusals.voice-not-in')
      return listeners
    },
    async names(guild, members) {
      const found = await Promise.all([...new Set(members)].map((member) => named(rest, guild, member)))
      return new Map(found.filter((name) => name !== undefined))
    },
    async withRole(guild, role, most = Number.POSITIVE_INFINITY) {
      const holders = role === guild ? undefined : await holdersOf(rest, guild, role)
      if (holders === 0) return []
      if (holders !== undefined && holders > most) throw new CommandRefusal('commandRefusals.role-too-big')
      const found: Recipient[] = []
      let after = '0'
      for (let page = 0; page < MAX_PAGES; page += 1) {
        const members = await listPage(rest, guild, after)
        // Everybody has the role with the server's own id.
        found.push(...members.filter((member) => role === guild || member.roles.includes(role)).map(recipient))
        const last = members.at(-1)
        if (members.length < PAGE || last === undefined || found.length === holders) return found
        after = last.user.id
      }
      throw new CommandRefusal('commandRefusals.role-too-big')
    },
  }
}

async function askAbout(rest: Calls, guild: string, member: string): Promise<KnownMember | undefined> {
  try {
    const { joined_at, roles, user } = (await rest.get(Routes.guildMember(guild, member))) as APIGuildMember
    // Discord does not report since when a guest has been here: guests are not members.
    if (joined_at === null) return undefined
    const accountSince = new Date(SnowflakeUtil.timestampFrom(member))
    return { accountSince, memberSince: new Date(joined_at), roles, bot: user.bot ?? false }
  } catch (error) {
    if (error instanceof DiscordAPIError && error.status === 404) return undefined
    throw error
  }
}

async function named(rest: Calls, guild: string, member: string): Promise<[string, Name] | undefined> {
  try {
    const { nick, user } = (await rest.get(Routes.guildMember(guild, member))) as APIGuildMember
    return [member, { shown: nick ?? user.global_name ?? user.username, username: user.username }]
  } catch (error) {
    if (error instanceof DiscordAPIError && error.status === 404) return undefined
    throw error
  }
}

/**
 * Returns the number of people with a role; undefined if Discord does not report the number. The request needs no
 * permission for the list of members. https://docs.discord.com/developers/resources/guild#get-guild-role-member-counts
 */
async function holdersOf(rest: Calls, guild: string, role: string): Promise<number | undefined> {
  try {
    const counts = (await rest.get(`/guilds/${guild}/roles/member-counts`)) as Record<string, number>
    return counts[role] ?? 0
  } catch (error) {
    if (error instanceof DiscordAPIError && error.status < 500) return undefined
    throw error
  }
}

async function listPage(rest: Calls, guild: string, after: string): Promise<APIGuildMember[]> {
  const query = new URLSearchParams({ limit: String(PAGE), after })
  try {
    return (await rest.get(Routes.guildMembers(guild), { query })) as APIGuildMember[]
  } catch (error) {
    if (error instanceof DiscordAPIError && error.status === 403)
      throw new CommandRefusal('commandRefusals.roles-closed')
    throw error
  }
}

function recipient({ user }: APIGuildMember): Recipient {
  return { id: user.id, bot: user.bot ?? false }
}
