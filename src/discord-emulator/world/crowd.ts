import { isSnowflake, madeAt, snowflakeAt } from '../rules/snowflake.ts'
import { botsPermissions, everyonesPermissions } from './permission-bits.ts'
import type { ChannelRecord, GuildRecord, MemberRecord, RoleRecord, UserRecord } from './records.ts'

/** The size of a crowd. */
export interface CrowdSize {
  readonly servers: number
  /** The number of people in each server, including its owner. Nobody is in more than one server. */
  readonly membersOfEach: number
}

/**
 * When the first server was created. Each further server was created a millisecond later, so that they are spread
 * evenly over the shards.
 */
const SERVERS_FROM = Date.UTC(2018, 0, 1)
const PEOPLE_FROM = Date.UTC(2019, 0, 1)
const COLORS = ['#e8590c', '#2b8a3e', '#1971c2', '#9c36b5', '#c2255c', '#0c8599']

/**
 * Servers and people that are computed from their numbers, so that even a million of them take no memory until they are
 * read. Each server has one channel, and the bot with its own role.
 */
export class Crowd {
  readonly size: CrowdSize

  constructor(size: CrowdSize) {
    this.size = size
  }

  serverId(index: number): string {
    return snowflakeAt(SERVERS_FROM + index)
  }

  channelId(index: number): string {
    return snowflakeAt(SERVERS_FROM + index, 1)
  }

  botRoleId(index: number): string {
    return snowflakeAt(SERVERS_FROM + index, 2)
  }

  /** Returns the id of a server's `nth` member. The first member (0) owns the server. */
  memberId(index: number, nth: number): string {
    return snowflakeAt(PEOPLE_FROM + index * this.size.membersOfEach + nth)
  }

  /** Returns a server with its roles, its channel and the bot, but without its people. */
  server(index: number, botId: string): CrowdServer {
    const id = this.serverId(index)
    const ownerId = this.memberId(index, 0)
    const role = { guildId: id, color: 0, mentionable: false, hoist: false }
    return {
      guild: { id, name: `Server ${index}`, ownerId, locale: 'en-US', hasApplication: true },
      roles: [
        { ...role, id, name: '@everyone', position: 0, permissions: String(everyonesPermissions), botId: null },
        { ...role, id: this.botRoleId(index), name: 'bot', position: 1, permissions: String(botsPermissions), botId },
      ],
      channel: {
        ...{ id: this.channelId(index), type: 0, guildId: id, name: 'tips', topic: '', position: 0 },
        ...{ overwrites: [], recipientIds: [] },
      },
      bot: { guildId: id, userId: botId, nick: null, roleIds: [this.botRoleId(index)], joinedAt: SERVERS_FROM + index },
    }
  }

  /** Whether the crowd has a person with this id. */
  has(userId: string): boolean {
    return this.#numberOf(userId) !== undefined
  }

  user(userId: string): UserRecord | undefined {
    const number = this.#numberOf(userId)
    if (number === undefined) return undefined
    return {
      ...{ id: userId, username: `person${number}`, displayName: `Person ${number}`, bot: false },
      ...{ avatarColor: COLORS[number % COLORS.length] ?? '', locale: 'en-US', dmsOpen: true },
    }
  }

  /** Returns a person's membership in a server; undefined if they are not in the server. */
  member(guildId: string, userId: string): MemberRecord | undefined {
    const number = this.#numberOf(userId)
    if (number === undefined || this.serverId(Math.floor(number / this.size.membersOfEach)) !== guildId)
      return undefined
    return { guildId, userId, nick: null, roleIds: [], joinedAt: PEOPLE_FROM + number }
  }

  /** Returns the ids of the members of a server in the crowd, without the bot; empty for other servers. */
  membersOf(guildId: string): string[] {
    const index = this.indexOf(guildId)
    if (index === undefined) return []
    return Array.from({ length: this.size.membersOfEach }, (_, nth) => this.memberId(index, nth))
  }

  /** Returns the number of a server in the crowd; undefined for other servers. */
  indexOf(guildId: string): number | undefined {
    const index = isSnowflake(guildId) ? madeAt(guildId) - SERVERS_FROM : -1
    return index >= 0 && index < this.size.servers && this.serverId(index) === guildId ? index : undefined
  }

  #numberOf(userId: string): number | undefined {
    if (!isSnowflake(userId)) return undefined
    const number = madeAt(userId) - PEOPLE_FROM
    const isOne = number >= 0 && number < this.size.servers * this.size.membersOfEach
    return isOne && snowflakeAt(PEOPLE_FROM + number) === userId ? number : undefined
  }
}

export interface CrowdServer {
  readonly guild: GuildRecord
  readonly roles: readonly RoleRecord[]
  readonly channel: ChannelRecord
  readonly bot: MemberRecord
}
