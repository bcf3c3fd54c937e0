import type { Clock } from '../../lib/clock.ts'
import type { Entropy } from '../../lib/entropy.ts'
import type { JsonObject } from '../rules/form.ts'
import { Snowflakes } from '../rules/snowflake.ts'
import { Crowd, type CrowdSize } from './crowd.ts'
import { MessageLog } from './message-log.ts'
import {
  type ChannelRecord,
  type CommandRecord,
  channelKind,
  type GuildRecord,
  type InteractionRecord,
  type MemberRecord,
  type MessageRecord,
  type RoleRecord,
  type UserRecord,
  type VoiceRecord,
} from './records.ts'
import type { Store } from './store.ts'

/** How long the token of an interaction is valid, in milliseconds. */
export const tokenLivesMs = 15 * 60_000

interface Identity {
  readonly applicationId: string
  readonly token: string
  /** The settings that differ from those of a new application. */
  readonly application?: JsonObject
}

/**
 * Everything that exists in the emulated Discord, in memory. Look-ups do not become slower as messages accumulate. The
 * store notes each change. The world checks no rules and informs nobody: its callers do both.
 */
export class DiscordWorld {
  readonly users = new Users((id) => this.#crowd?.user(id))
  readonly guilds = new Map<string, GuildRecord>()
  readonly roles = new Map<string, RoleRecord>()
  readonly channels = new Map<string, ChannelRecord>()
  readonly commands = new Map<string, CommandRecord>()
  readonly store: Store
  /** The people in voice channels, by server and person. */
  readonly voice = new Map<string, VoiceRecord>()
  readonly #members = new Map<string, Map<string, MemberRecord>>()
  readonly #rolesOf = new Map<string, Map<string, RoleRecord>>()
  readonly #channelsOf = new Map<string, Map<string, ChannelRecord>>()
  #crowd: Crowd | undefined
  /** The people of the crowd who have left, as server and person. */
  readonly #gone = new Set<string>()
  readonly #logs = new Map<string, MessageLog>()
  /**
   * The ids of the people who have installed the application for themselves. They are not stored, so a restart forgets
   * them.
   */
  readonly userInstalls = new Set<string>()
  readonly #dms = new Map<string, ChannelRecord>()
  readonly #groups = new Map<string, ChannelRecord>()
  readonly #interactions = new Map<string, InteractionRecord>()
  readonly #byToken = new Map<string, InteractionRecord>()
  readonly #clock: Clock
  readonly #snowflakes: Snowflakes
  #identity: Identity

  constructor(store: Store, clock: Clock, entropy: Entropy, token: string | undefined) {
    this.store = store
    this.#clock = clock
    this.#load()
    this.#snowflakes = new Snowflakes(clock, this.#newest())
    const [stored] = store.all<Identity>('meta')
    const applicationId = stored?.applicationId ?? this.#snowflakes.next()
    const kept = token ?? stored?.token ?? makeToken(applicationId, entropy)
    this.#identity = { applicationId, token: kept, application: stored?.application ?? {} }
    store.put('meta', 'identity', this.#identity)
  }

  /**
   * Notes in which voice channel a person is; null if in none. Returns the person's record with the channel where
   * others see the change; undefined if nothing changes.
   */
  moveVoice({ channelId, ...voice }: Omit<VoiceRecord, 'channelId'> & { readonly channelId: string | null }) {
    const key = `${voice.guildId} ${voice.userId}`
    const seenIn = channelId ?? this.voice.get(key)?.channelId
    if (seenIn === undefined) return undefined
    const record: VoiceRecord = { ...voice, channelId: seenIn }
    if (channelId === null) this.voice.delete(key)
    else this.voice.set(key, record)
    return record
  }

  /** Returns the application's id, which is also the id of its bot. */
  get applicationId(): string {
    return this.#identity.applicationId
  }

  /** The bot's token. */
  get token(): string {
    return this.#identity.token
  }

  /** Returns the application's settings that differ from those of a new application. */
  get application(): JsonObject {
    return this.#identity.application ?? {}
  }

  saveApplication(application: JsonObject): void {
    this.#identity = { ...this.#identity, application }
    this.store.put('meta', 'identity', this.#identity)
  }

  /** Returns a new id, which contains the clock's time. */
  nextId(): string {
    return this.#snowflakes.next()
  }

  saveUser(user: UserRecord): void {
    this.users.set(user.id, user)
    this.store.put('user', user.id, user)
  }

  saveGuild(guild: GuildRecord): void {
    this.guilds.set(guild.id, guild)
    this.store.put('guild', guild.id, guild)
  }

  saveRole(role: RoleRecord): void {
    this.#addRole(role)
    this.store.put('role', role.id, role)
  }

  rolesOf(guildId: string): RoleRecord[] {
    return [...(this.#rolesOf.get(guildId)?.values() ?? [])]
  }

  /**
   * Adds servers with people. The people take memory only once they are read. Can be called once in a world, and
   * informs nobody, so call it before the bot connects. The crowd does not survive a restart.
   */
  addCrowd(size: CrowdSize): Crowd {
    if (this.#crowd !== undefined) throw new Error('the world already has a crowd')
    const crowd = new Crowd(size)
    this.#crowd = crowd
    for (let index = 0; index < size.servers; index += 1) {
      const { guild, roles, channel, bot } = crowd.server(index, this.applicationId)
      this.guilds.set(guild.id, guild)
      for (const role of roles) this.#addRole(role)
      this.#addChannel(channel)
      this.#addMember(bot)
    }
    return crowd
  }

  saveMember(member: MemberRecord): void {
    this.#addMember(member)
    this.#gone.delete(memberKey(member))
    this.store.put('member', memberKey(member), member)
  }

  removeMember(member: MemberRecord): void {
    this.#members.get(member.guildId)?.delete(member.userId)
    if (this.#crowd?.has(member.userId)) this.#gone.add(memberKey(member))
    this.store.remove('member', memberKey(member))
  }

  member(guildId: string, userId: string): MemberRecord | undefined {
    const known = this.#members.get(guildId)?.get(userId)
    if (known !== undefined || this.#gone.has(memberKey({ guildId, userId }))) return known
    const member = this.#crowd?.member(guildId, userId)
    if (member !== undefined) this.#addMember(member)
    return member
  }

  /** Returns all members of a server. */
  membersOf(guildId: string): MemberRecord[] {
    for (const userId of this.#crowd?.membersOf(guildId) ?? []) this.member(guildId, userId)
    return [...(this.#members.get(guildId)?.values() ?? [])]
  }

  /** Returns how many members a server has. */
  memberCount(guildId: string): number {
    const crowd = this.#crowd
    const known = this.#members.get(guildId)
    if (crowd?.indexOf(guildId) === undefined) return known?.size ?? 0
    const others = [...(known?.keys() ?? [])].filter((id) => crowd.member(guildId, id) === undefined)
    const gone = [...this.#gone].filter((key) => key.startsWith(`${guildId} `))
    return crowd.size.membersOfEach - gone.length + others.length
  }

  guildsOf(userId: string): GuildRecord[] {
    return [...this.guilds.values()].filter((guild) => this.member(guild.id, userId) !== undefined)
  }

  saveChannel(channel: ChannelRecord): void {
    this.#addChannel(channel)
    this.store.put('channel', channel.id, channel)
  }

  removeChannel(channel: ChannelRecord): void {
    for (const message of this.log(channel.id).all()) this.removeMessage(message)
    this.channels.delete(channel.id)
    this.#channelsOf.get(channel.guildId ?? '')?.delete(channel.id)
    this.#logs.delete(channel.id)
    this.store.remove('channel', channel.id)
  }

  channelsOf(guildId: string): ChannelRecord[] {
    const channels = [...(this.#channelsOf.get(guildId)?.values() ?? [])]
    return channels.sort((one, other) => one.position - other.position)
  }

  /** Returns the direct conversation of two people; undefined if it was never opened. */
  dm(oneId: string, otherId: string): ChannelRecord | undefined {
    return this.#dms.get(dmKey([oneId, otherId]))
  }

  dmsOf(userId: string): ChannelRecord[] {
    return [...this.#dms.values(), ...this.#groups.values()].filter(({ recipientIds }) => recipientIds.includes(userId))
  }

  log(channelId: string): MessageLog {
    let log = this.#logs.get(channelId)
    if (log === undefined) {
      log = new MessageLog()
      this.#logs.set(channelId, log)
    }
    return log
  }

  message(channelId: string, messageId: string): MessageRecord | undefined {
    return this.#logs.get(channelId)?.get(messageId)
  }

  /** Stores a new or changed message. */
  saveMessage(message: MessageRecord): void {
    const log = this.log(message.channelId)
    if (log.get(message.id) === undefined) log.add(message)
    this.store.put('message', message.id, message)
  }

  removeMessage(message: MessageRecord): void {
    this.log(message.channelId).delete(message.id)
    this.store.remove('message', message.id)
    for (const { id } of message.attachments) this.store.removeFile(id)
  }

  saveCommand(command: CommandRecord): void {
    this.commands.set(command.id, command)
    this.store.put('command', command.id, command)
  }

  removeCommand(command: CommandRecord): void {
    this.commands.delete(command.id)
    this.store.remove('command', command.id)
  }

  /** Returns the commands that are registered for a server; for null, those that are registered everywhere. */
  commandsOf(guildId: string | null): CommandRecord[] {
    return [...this.commands.values()].filter((command) => command.guildId === guildId)
  }

  /** Stores a new or changed interaction, and forgets those whose tokens expired long ago. */
  saveInteraction(interaction: InteractionRecord): void {
    this.#index(interaction)
    this.store.put('interaction', interaction.id, interaction)
    for (const old of this.#interactions.values()) {
      if (this.#clock.now() - old.sentAt <= 2 * tokenLivesMs) break
      this.#interactions.delete(old.id)
      this.#byToken.delete(old.token)
      this.store.remove('interaction', old.id)
    }
  }

  interaction(id: string): InteractionRecord | undefined {
    return this.#interactions.get(id)
  }

  interactionByToken(token: string): InteractionRecord | undefined {
    return this.#byToken.get(token)
  }

  #index(interaction: InteractionRecord): void {
    this.#interactions.set(interaction.id, interaction)
    this.#byToken.set(interaction.token, interaction)
  }

  #addRole(role: RoleRecord): void {
    this.roles.set(role.id, role)
    within(this.#rolesOf, role.guildId).set(role.id, role)
  }

  #addMember(member: MemberRecord): void {
    within(this.#members, member.guildId).set(member.userId, member)
  }

  #addChannel(channel: ChannelRecord): void {
    this.channels.set(channel.id, channel)
    if (channel.guildId !== null) within(this.#channelsOf, channel.guildId).set(channel.id, channel)
    if (channel.type === channelKind.dm) this.#dms.set(dmKey(channel.recipientIds), channel)
    if (channel.type === channelKind.groupDm) this.#groups.set(channel.id, channel)
  }

  #load(): void {
    const { store } = this
    for (const user of store.all<UserRecord>('user')) this.users.set(user.id, user)
    for (const guild of store.all<GuildRecord>('guild')) this.guilds.set(guild.id, guild)
    for (const role of store.all<RoleRecord>('role')) this.#addRole(role)
    for (const member of store.all<MemberRecord>('member')) this.#addMember(member)
    for (const channel of store.all<ChannelRecord>('channel')) this.#addChannel(channel)
    for (const message of store.all<MessageRecord>('message')) this.log(message.channelId).add(message)
    for (const command of store.all<CommandRecord>('command')) this.commands.set(command.id, command)
    for (const interaction of store.all<InteractionRecord>('interaction')) this.#index(interaction)
  }

  /**
   * Returns the newest id in use; undefined if there is none. After a restart, even within the same millisecond, new
   * ids must be newer.
   */
  #newest(): string | undefined {
    const ids = [
      ...this.users.keys(),
      ...this.guilds.keys(),
      ...this.roles.keys(),
      ...this.channels.keys(),
      ...this.commands.keys(),
      ...this.#interactions.keys(),
    ].map(BigInt)
    for (const log of this.#logs.values()) if (log.lastId !== null) ids.push(BigInt(log.lastId))
    let newest: bigint | undefined
    for (const id of ids) if (newest === undefined || id > newest) newest = id
    return newest?.toString()
  }
}

/** People by id. A person of the crowd is created when they are first read. */
class Users extends Map<string, UserRecord> {
  readonly #make: (id: string) => UserRecord | undefined

  constructor(make: (id: string) => UserRecord | undefined) {
    super()
    this.#make = make
  }

  override get(id: string): UserRecord | undefined {
    const known = super.get(id)
    if (known !== undefined) return known
    const made = this.#make(id)
    if (made !== undefined) this.set(id, made)
    return made
  }

  override has(id: string): boolean {
    return this.get(id) !== undefined
  }
}

function within<Value>(groups: Map<string, Map<string, Value>>, group: string): Map<string, Value> {
  const known = groups.get(group)
  if (known !== undefined) return known
  const made = new Map<string, Value>()
  groups.set(group, made)
  return made
}

function memberKey({ guildId, userId }: Pick<MemberRecord, 'guildId' | 'userId'>): string {
  return `${guildId} ${userId}`
}

function dmKey(ids: readonly string[]): string {
  return [...ids].sort().join(' ')
}

/** Makes a token that looks like one of Discord's: the application's id, a time and a secret, joined by dots. */
function makeToken(applicationId: string, entropy: Entropy): string {
  const part = (text: Buffer) => text.toString('base64url')
  return [part(Buffer.from(applicationId)), part(entropy.bytes(4)), part(entropy.bytes(28))].join('.')
}
