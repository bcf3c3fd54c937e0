import type { Core } from './core/core.ts'
import { tellByWebhook } from './core/webhook-events.ts'
import { type GatewayEvent, intent } from './gateway/events.ts'
import { deleteMessage } from './messages/posts.ts'
import { changeThread } from './messages/threads.ts'
import type { JsonObject } from './rules/form.ts'
import { accountAt } from './rules/snowflake.ts'
import type { ChannelView, MemberView, PersonView, RoleView, ServerView } from './views.ts'
import type { Crowd, CrowdSize } from './world/crowd.ts'
import {
  channelPayload,
  guildCreatePayload,
  guildPayload,
  memberPayload,
  rolePayload,
  userPayload,
  voicePayload,
} from './world/payloads.ts'
import { botsPermissions, everyonesPermissions, permission } from './world/permissions.ts'
import {
  type ChannelRecord,
  channelKind,
  type GuildRecord,
  type MemberRecord,
  type RoleRecord,
  type UserRecord,
} from './world/records.ts'

/** The facts about a new person. */
export interface NewPerson {
  readonly username: string
  /** The displayed name. By default, the username with a capital letter. */
  readonly name?: string
  /** The colour as `#rrggbb`. */
  readonly avatarColor?: string
  /** When the account was created, in Unix milliseconds; by default, now. The person's id contains this time. */
  readonly createdAt?: number
  /** A Discord locale. By default, `en-US`. */
  readonly locale?: string
}

export interface NewServer {
  readonly name: string
  readonly ownerId: string
  /** The server's language. Only a Community server can set it. */
  readonly locale?: string
  /** Whether the server is a Community server. */
  readonly community?: boolean
  /** How the application was added: with its bot, with its commands only, or not at all. By default, `bot`. */
  readonly application?: 'bot' | 'commands' | 'none'
  /** The words that AutoMod blocks. */
  readonly blockedWords?: readonly string[]
}

export interface NewRole {
  readonly name: string
  readonly permissions?: bigint
  /** The colour as 0xrrggbb; 0 for none. */
  readonly color?: number
  readonly mentionable?: boolean
  readonly hoist?: boolean
}

export interface NewChannel {
  readonly name: string
  /** The kind of channel; by default, `text`. */
  readonly kind?: 'text' | 'announcement' | 'voice' | 'stage' | 'forum'
  readonly topic?: string
  /** The ids of the only roles that see the channel, besides the bot's. By default, everybody sees it. */
  readonly onlyRoleIds?: readonly string[]
}

const colors = ['#e8590c', '#2b8a3e', '#1971c2', '#9c36b5', '#c2255c', '#0c8599', '#5f3dc4', '#f08c00']

/** Creates and changes people, servers, roles, channels and memberships. The bot gets the events about changes. */
export class WorldBuilder {
  readonly #core: Core

  constructor(core: Core) {
    this.#core = core
  }

  /** Creates an account. Throws if the username is taken. */
  createPerson(person: NewPerson): PersonView {
    const { world, seen, clock } = this.#core
    if (this.findPerson(person.username) !== undefined)
      throw new Error(`there is already a person named ${person.username}`)
    const id = this.#accountId(person.createdAt ?? clock.now())
    const user: UserRecord = {
      id,
      username: person.username,
      displayName: person.name ?? capital(person.username),
      bot: false,
      avatarColor: person.avatarColor ?? colors[world.users.size % colors.length] ?? '#5865f2',
      locale: person.locale ?? 'en-US',
      dmsOpen: true,
    }
    world.saveUser(user)
    this.#tellObservers()
    return seen.person(user)
  }

  /** Returns the person or bot with a username; undefined if there is none. */
  findPerson(username: string): PersonView | undefined {
    const user = this.#core.world.users.values().find((each) => each.username === username)
    return user && this.#core.seen.person(user)
  }

  /** Returns all people and the bot. */
  people(): PersonView[] {
    return [...this.#core.world.users.values()].map((user) => this.#core.seen.person(user))
  }

  /** Returns all servers as their owners see them. */
  servers(): ServerView[] {
    return [...this.#core.world.guilds.values()].map((guild) => this.#core.seen.server(guild, guild.ownerId))
  }

  /** Installs the application for a person, who then has its commands everywhere. */
  installFor(personId: string): void {
    this.#core.world.userInstalls.add(personId)
    this.#tellObservers()
    this.#tellInstall('APPLICATION_AUTHORIZED', personId, { integration_type: 1, scopes: ['applications.commands'] })
  }

  /** Removes the application from a person's installations. */
  removeFor(personId: string): void {
    this.#core.world.userInstalls.delete(personId)
    this.#tellObservers()
    this.#tellInstall('APPLICATION_DEAUTHORIZED', personId)
  }

  #tellInstall(type: string, personId: string, more: JsonObject = {}): void {
    const user = this.#core.world.users.get(personId)
    if (user !== undefined) void tellByWebhook(this.#core, type, { ...more, user: userPayload(user) })
  }

  /** Creates a server with its owner and, unless `application` says otherwise, with the bot and the bot's own role. */
  createServer(server: NewServer): ServerView {
    const { world, seen, clock } = this.#core
    const { application = 'bot', community = false } = server
    if (server.locale !== undefined && !community) throw new Error('only a Community server has a language of its own')
    const guild: GuildRecord = {
      id: world.nextId(),
      name: server.name,
      ownerId: server.ownerId,
      locale: server.locale ?? 'en-US',
      hasApplication: application !== 'none',
      community,
      blockedWords: server.blockedWords ?? [],
    }
    world.saveGuild(guild)
    world.saveRole(newRole(guild.id, guild.id, 0, { name: '@everyone', permissions: everyonesPermissions }))
    const member = { guildId: guild.id, nick: null, joinedAt: clock.now() }
    world.saveMember({ ...member, userId: server.ownerId, roleIds: [] })
    if (application === 'bot') {
      const name = world.users.get(world.applicationId)?.displayName ?? 'bot'
      const role = newRole(world.nextId(), guild.id, 1, { name, permissions: botsPermissions })
      world.saveRole({ ...role, botId: world.applicationId })
      world.saveMember({ ...member, userId: world.applicationId, roleIds: [role.id] })
      this.#tellBot('GUILD_CREATE', guild.id, intent.guilds, () => guildCreatePayload(world, guild))
      const scopes = ['bot', 'applications.commands']
      const added = { integration_type: 0, scopes, guild: guildPayload(world, guild) }
      this.#tellInstall('APPLICATION_AUTHORIZED', server.ownerId, added)
    }
    this.#tellObservers()
    return seen.server(guild, guild.ownerId)
  }

  /**
   * Adds servers with people, who take memory only once they are read. Call it once, and before the bot connects,
   * because it informs nobody. A restart forgets them.
   */
  addCrowd(size: CrowdSize): Crowd {
    return this.#core.world.addCrowd(size)
  }

  createRole(serverId: string, role: NewRole): RoleView {
    const { world, seen } = this.#core
    const record = newRole(world.nextId(), serverId, world.rolesOf(serverId).length, role)
    world.saveRole(record)
    this.#tellBot('GUILD_ROLE_CREATE', serverId, intent.guilds, () => ({
      guild_id: serverId,
      role: rolePayload(record),
    }))
    this.#tellObservers()
    return seen.role(record)
  }

  createChannel(serverId: string, channel: NewChannel): ChannelView {
    const { world, seen } = this.#core
    const view = String(permission.viewChannel)
    const botRoleIds = world.rolesOf(serverId).filter(({ botId }) => botId === world.applicationId)
    const insiders = channel.onlyRoleIds && [...channel.onlyRoleIds, ...botRoleIds.map(({ id }) => id)]
    const record: ChannelRecord = {
      id: world.nextId(),
      type: channelKind[channel.kind ?? 'text'],
      guildId: serverId,
      name: channel.name,
      topic: channel.topic ?? '',
      position: world.channelsOf(serverId).length,
      overwrites: insiders
        ? [
            { id: serverId, type: 0, allow: '0', deny: view },
            ...insiders.map((id) => ({ id, type: 0 as const, allow: view, deny: '0' })),
          ]
        : [],
      recipientIds: [],
    }
    world.saveChannel(record)
    this.#tellBot('CHANNEL_CREATE', serverId, intent.guilds, () => channelPayload(world, record, world.applicationId))
    this.#tellObservers()
    return seen.channel(record, world.guilds.get(serverId)?.ownerId ?? '')
  }

  /** Creates a thread or a forum post, which is private if `onlyIds` is set. Informs the bot if it sees the thread. */
  createThread(
    channelId: string,
    {
      name,
      ownerId,
      onlyIds,
    }: { readonly name: string; readonly ownerId: string; readonly onlyIds?: readonly string[] },
  ): ChannelView {
    const { world, seen, clock } = this.#core
    const parent = this.#channel(channelId)
    const { announcement, announcementThread, privateThread, publicThread } = channelKind
    const open = parent.type === announcement ? announcementThread : publicThread
    const record: ChannelRecord = {
      ...{ id: world.nextId(), type: onlyIds === undefined ? open : privateThread, guildId: parent.guildId },
      ...{ name, topic: '', position: world.channelsOf(parent.guildId ?? '').length, overwrites: [] },
      recipientIds: [ownerId, ...(onlyIds ?? [])],
      parentId: parent.id,
      thread: { archived: false, locked: false, changedAt: clock.now() },
    }
    world.saveChannel(record)
    this.#core.tellBot({
      ...{ name: 'THREAD_CREATE', guildId: parent.guildId, channelId: record.id, intent: intent.guilds },
      data: () => ({ ...channelPayload(world, record, world.applicationId), newly_created: true }),
    })
    this.#tellObservers()
    return seen.channel(record, ownerId)
  }

  /** Archives, unarchives, locks or unlocks a thread. */
  changeThread(threadId: string, change: { readonly archived?: boolean; readonly locked?: boolean }): void {
    changeThread(this.#core, this.#channel(threadId), change)
  }

  /** Sets which permissions a channel allows or denies a role. The server's own id stands for everybody. */
  setOverwrite(channelId: string, roleId: string, { allow = 0n, deny = 0n }: { allow?: bigint; deny?: bigint }): void {
    const channel = this.#channel(channelId)
    const others = channel.overwrites.filter(({ id }) => id !== roleId)
    channel.overwrites = [...others, { id: roleId, type: 0, allow: String(allow), deny: String(deny) }]
    this.#core.world.saveChannel(channel)
    this.#tellBot('CHANNEL_UPDATE', channel.guildId, intent.guilds, () =>
      channelPayload(this.#core.world, channel, this.#core.world.applicationId),
    )
    this.#tellObservers()
  }

  /** Sets the server-wide permissions of a role, or of everybody (the server's own id). */
  setPermissions(roleId: string, permissions: bigint): void {
    const role = this.#core.world.roles.get(roleId)
    if (role === undefined) throw new Error(`there is no role ${roleId}`)
    role.permissions = String(permissions)
    this.#core.world.saveRole(role)
    this.#tellBot('GUILD_ROLE_UPDATE', role.guildId, intent.guilds, () => ({
      guild_id: role.guildId,
      role: rolePayload(role),
    }))
    this.#tellObservers()
  }

  deleteChannel(channelId: string): void {
    const { world } = this.#core
    const channel = this.#channel(channelId)
    world.removeChannel(channel)
    this.#tellBot('CHANNEL_DELETE', channel.guildId, intent.guilds, () =>
      channelPayload(world, channel, world.applicationId),
    )
    this.#tellObservers()
  }

  /** Deletes a message, as a moderator could. */
  deleteMessage(channelId: string, messageId: string): void {
    const message = this.#core.world.message(this.#channel(channelId).id, messageId)
    if (message === undefined) throw new Error(`channel ${channelId} has no message ${messageId}`)
    deleteMessage(this.#core, message)
  }

  /** Adds a person to a server. `joinedAt` is in Unix milliseconds, and is the present by default. */
  addMember(
    serverId: string,
    personId: string,
    { nick, roleIds, joinedAt }: { nick?: string; roleIds?: readonly string[]; joinedAt?: number } = {},
  ): MemberView {
    const { world, seen, clock } = this.#core
    const member: MemberRecord = {
      guildId: serverId,
      userId: personId,
      nick: nick ?? null,
      roleIds: [...(roleIds ?? [])],
      joinedAt: joinedAt ?? clock.now(),
    }
    world.saveMember(member)
    this.#tellBot('GUILD_MEMBER_ADD', serverId, intent.guildMembers, () => this.#memberEvent(member))
    this.#tellObservers()
    return seen.member(member)
  }

  removeMember(serverId: string, personId: string): void {
    const { world } = this.#core
    const member = this.#member(serverId, personId)
    world.removeMember(member)
    const user = world.users.get(personId)
    this.#tellBot('GUILD_MEMBER_REMOVE', serverId, intent.guildMembers, () => ({
      guild_id: serverId,
      user: user && userPayload(user),
    }))
    this.#tellObservers()
  }

  /** Moves a person into a voice channel, or changes whether they can hear. With null, the person leaves. */
  setVoice(
    serverId: string,
    userId: string,
    channelId: string | null,
    { deaf = false, selfDeaf = false }: { readonly deaf?: boolean; readonly selfDeaf?: boolean } = {},
  ): void {
    const { world } = this.#core
    const voice = world.moveVoice({ guildId: serverId, userId, channelId, deaf, selfDeaf })
    if (voice === undefined) return
    this.#core.tellBot({
      ...{ name: 'VOICE_STATE_UPDATE', guildId: serverId, channelId: voice.channelId, intent: intent.guildVoiceStates },
      data: () => ({ ...voicePayload(world, voice, channelId), guild_id: serverId }),
    })
  }

  /** Replaces a member's roles with these. */
  setRoles(serverId: string, personId: string, roleIds: readonly string[]): MemberView {
    const member = this.#member(serverId, personId)
    member.roleIds = [...roleIds]
    this.#core.world.saveMember(member)
    this.#tellBot('GUILD_MEMBER_UPDATE', serverId, intent.guildMembers, () => this.#memberEvent(member))
    this.#tellObservers()
    return this.#core.seen.member(member)
  }

  /** Returns an unused id that contains the time when the account was created. */
  #accountId(createdAt: number): string {
    for (let nth = 0; ; nth += 1) {
      const id = accountAt(createdAt, nth)
      if (!this.#core.world.users.has(id)) return id
    }
  }

  #memberEvent(member: MemberRecord): JsonObject {
    return { ...memberPayload(this.#core.world, member), guild_id: member.guildId }
  }

  #member(serverId: string, personId: string): MemberRecord {
    const member = this.#core.world.member(serverId, personId)
    if (member === undefined) throw new Error(`server ${serverId} has no member ${personId}`)
    return member
  }

  #channel(channelId: string): ChannelRecord {
    const channel = this.#core.world.channels.get(channelId)
    if (channel === undefined) throw new Error(`there is no channel ${channelId}`)
    return channel
  }

  #tellBot(name: string, guildId: string | null, needed: number, data: GatewayEvent['data']): void {
    this.#core.tellBot({ name, guildId, intent: needed, data })
  }

  #tellObservers(): void {
    this.#core.tellObservers(() => ({ type: 'world', visibleTo: null }))
  }
}

function newRole(id: string, guildId: string, position: number, role: NewRole): RoleRecord {
  return {
    id,
    guildId,
    name: role.name,
    permissions: String(role.permissions ?? 0n),
    color: role.color ?? 0,
    mentionable: role.mentionable ?? false,
    hoist: role.hoist ?? false,
    position,
    botId: null,
  }
}

function capital(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1)
}
