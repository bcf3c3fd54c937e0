import type { Address } from '../address.ts'
import type { JsonObject } from '../rules/form.ts'
import { flag } from '../rules/messages.ts'
import { madeAt } from '../rules/snowflake.ts'
import type {
  AttachmentView,
  ChannelView,
  ChoiceView,
  InteractionView,
  MemberView,
  MessageView,
  PersonView,
  RoleView,
  ServerView,
} from '../views.ts'
import { attachmentUrl, avatarHash, guildFacts, looseAttachments } from '../world/payloads.ts'
import { channelPermissions, guildPermissions, permission } from '../world/permissions.ts'
import {
  type AttachmentRecord,
  type ChannelKind,
  type ChannelRecord,
  channelKind,
  type GuildRecord,
  type InteractionRecord,
  type MemberRecord,
  type MessageRecord,
  type RoleRecord,
  type UserRecord,
} from '../world/records.ts'
import type { DiscordWorld } from '../world/world.ts'

const iso = (ms: number) => new Date(ms).toISOString()

/** The number of messages that a client loads at first. */
const PAGE = 50

const KINDS: Readonly<Record<ChannelKind, ChannelView['kind']>> = {
  [channelKind.text]: 'text',
  [channelKind.dm]: 'dm',
  [channelKind.voice]: 'voice',
  [channelKind.groupDm]: 'group',
  [channelKind.announcement]: 'announcement',
  [channelKind.announcementThread]: 'thread',
  [channelKind.publicThread]: 'thread',
  [channelKind.privateThread]: 'thread',
  [channelKind.stage]: 'stage',
  [channelKind.forum]: 'forum',
}

/** Turns records into what people see. */
export class Seen {
  readonly #world: DiscordWorld
  readonly #address: Address

  constructor(world: DiscordWorld, address: Address) {
    this.#world = world
    this.#address = address
  }

  person(user: UserRecord): PersonView {
    return {
      id: user.id,
      username: user.username,
      name: user.displayName,
      avatarUrl: `${this.#address.cdnUrl}/avatars/${user.id}/${avatarHash(user)}.svg`,
      avatarColor: user.avatarColor,
      bot: user.bot,
      locale: user.locale,
      createdAt: iso(madeAt(user.id)),
      dmsOpen: user.dmsOpen,
    }
  }

  member(member: MemberRecord): MemberView {
    const bits = guildPermissions(this.#world, member.guildId, member.userId)
    return {
      ...this.#personById(member.userId),
      nick: member.nick,
      roleIds: member.roleIds,
      joinedAt: iso(member.joinedAt),
      moderator: (bits & permission.manageGuild) !== 0n,
    }
  }

  role(role: RoleRecord): RoleView {
    return {
      id: role.id,
      name: role.name,
      color: role.color === 0 ? null : hex(role.color),
      mentionable: role.mentionable,
      hoist: role.hoist,
      position: role.position,
      managed: role.botId !== null,
    }
  }

  channel(channel: ChannelRecord, viewerId: string): ChannelView {
    const isDm = channel.type === channelKind.dm
    const otherId = isDm ? channel.recipientIds.find((id) => id !== viewerId) : undefined
    const other = otherId === undefined ? null : this.#personById(otherId)
    return {
      id: channel.id,
      serverId: channel.guildId,
      kind: KINDS[channel.type],
      parentId: channel.parentId ?? null,
      archived: channel.thread?.archived ?? false,
      locked: channel.thread?.locked ?? false,
      name: other?.name ?? channel.name,
      topic: channel.topic,
      lastMessageId: this.#lastSeenBy(viewerId, channel.id),
      with: other,
    }
  }

  /**
   * Returns the id of the last message that the viewer sees; null if there is none. Ignores messages that only other
   * people see.
   */
  #lastSeenBy(viewerId: string, channelId: string): string | null {
    const isSeen = ({ visibleTo }: MessageRecord) => visibleTo === null || visibleTo === viewerId
    return this.#world.log(channelId).page({ limit: 1 }, isSeen)[0]?.id ?? null
  }

  /** Returns a server with the channels that the viewer may see. */
  server(guild: GuildRecord, viewerId: string): ServerView {
    const world = this.#world
    return {
      id: guild.id,
      name: guild.name,
      ownerId: guild.ownerId,
      locale: guildFacts(guild).locale,
      roles: world.rolesOf(guild.id).map((role) => this.role(role)),
      channels: world
        .channelsOf(guild.id)
        .filter((channel) => channelPermissions(world, channel, viewerId) !== 0n)
        .map((channel) => this.channel(channel, viewerId)),
      members: world.membersOf(guild.id).map((member) => this.member(member)),
    }
  }

  message(message: MessageRecord): MessageView {
    const { origin } = message
    // The answer to a form names the command that opened it.
    const command = origin?.triggering ?? origin
    const loose = new Set(looseAttachments(this.#address.cdnUrl, message))
    return {
      id: message.id,
      channelId: message.channelId,
      serverId: message.guildId,
      author: this.#personById(message.authorId),
      createdAt: iso(madeAt(message.id)),
      editedAt: message.editedAt === null ? null : iso(message.editedAt),
      content: message.content,
      names: this.#names(message),
      notifies: {
        personIds: message.mentions.userIds,
        roleIds: message.mentions.roleIds,
        everyone: message.mentions.everyone,
      },
      embeds: message.embeds,
      components: message.components,
      attachments: message.attachments.map((each) => ({
        ...this.#attachment(message.channelId, each),
        loose: loose.has(each),
      })),
      reactions: message.reactions.map(({ emoji, userIds }) => ({ emoji, personIds: [...userIds] })),
      ephemeral: message.visibleTo !== null,
      visibleTo: message.visibleTo,
      loading: (message.flags & flag.loading) !== 0,
      usedBy:
        command?.type === 2 && origin?.originalMessageId === null
          ? { personId: command.userId, name: this.#nameOf(command.userId, message.guildId), command: command.name }
          : null,
      interactionId: origin?.id ?? null,
      replyTo: message.replyTo,
      componentsV2: (message.flags & flag.componentsV2) !== 0,
    }
  }

  interaction(interaction: InteractionRecord): InteractionView {
    const kinds = { 2: 'command', 3: 'component', 4: 'autocomplete', 5: 'modal' } as const
    const { modal } = interaction
    return {
      id: interaction.id,
      kind: kinds[interaction.type],
      personId: interaction.userId,
      channelId: interaction.channelId,
      name: interaction.name,
      sentAt: iso(interaction.sentAt),
      state: interaction.state,
      acknowledgedAfterMs: interaction.acknowledgedAfterMs,
      messageIds: [...interaction.messageIds],
      modal: modal && {
        customId: String(modal.custom_id),
        title: String(modal.title),
        components: modal.components as JsonObject[],
      },
      choices: interaction.choices as ChoiceView[] | null,
      failure: interaction.state === 'failed' ? 'The application did not respond' : null,
    }
  }

  #attachment(channelId: string, attachment: AttachmentRecord): AttachmentView {
    return { ...attachment, url: attachmentUrl(this.#address.cdnUrl, channelId, attachment) }
  }

  /**
   * Returns the names that a client shows for the mentions in a message. A mention contains an id. The client shows the
   * names of people whom it has loaded; for others, it shows the mention as written, `<@id>`. It has loaded all roles
   * of a server. https://github.com/discord/discord-api-docs/issues/1479
   */
  #names(message: MessageRecord): MessageView['names'] {
    const people: Record<string, string> = {}
    const roles: Record<string, string> = {}
    const text = [message.content, ...[...message.embeds, ...message.components].map((each) => JSON.stringify(each))]
    const named = [...text.join(' ').matchAll(/<@([!&]?)(\d{15,20})>/g)]
    const loaded = named.length === 0 ? new Set() : this.#loadedWith(message)
    for (const [, sigil, id = ''] of named) {
      if (sigil === '&') roles[id] = this.#world.roles.get(id)?.name ?? 'unknown-role'
      else if (loaded.has(id)) people[id] = this.#nameOf(id, message.guildId)
    }
    return { people, roles }
  }

  /**
   * Returns the ids of the people whom a client has loaded when it shows a message: those whom the message notifies,
   * its reader, and those who take part in the conversation.
   */
  #loadedWith(message: MessageRecord): ReadonlySet<unknown> {
    const isPublic = ({ visibleTo }: MessageRecord) => visibleTo === null || visibleTo === message.visibleTo
    const others = this.#world.log(message.channelId).page({ limit: PAGE }, isPublic)
    const writers = [message, ...others].flatMap(({ authorId, origin }) => [authorId, origin?.userId])
    const recipients = this.#world.channels.get(message.channelId)?.recipientIds ?? []
    return new Set([...message.mentions.userIds, message.visibleTo, ...writers, ...recipients])
  }

  #nameOf(userId: string, guildId: string | null): string {
    const nick = guildId === null ? null : this.#world.member(guildId, userId)?.nick
    return nick ?? this.#world.users.get(userId)?.displayName ?? 'unknown-user'
  }

  #personById(id: string): PersonView {
    const user = this.#world.users.get(id)
    if (user === undefined) throw new Error(`the world has no user ${id}`)
    return this.person(user)
  }
}

function hex(color: number): string {
  return `#${color.toString(16).padStart(6, '0')}`
}
