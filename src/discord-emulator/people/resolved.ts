import type { Core } from '../core/core.ts'
import { pictureSize } from '../messages/picture-size.ts'
import type { JsonObject } from '../rules/form.ts'
import {
  attachmentPayload,
  channelPayload,
  messagePayload,
  resolvedMemberPayload,
  rolePayload,
  userPayload,
} from '../world/payloads.ts'
import { channelPermissions } from '../world/permissions.ts'
import type { ChannelRecord, MessageRecord } from '../world/records.ts'

/**
 * Collects the people, roles, channels, messages and files to which an interaction refers, so that the bot gets them
 * along with their ids.
 */
export class Resolved {
  readonly #core: Core
  readonly #channel: ChannelRecord
  readonly #userId: string
  readonly #found: Record<string, JsonObject> = {}

  constructor(core: Core, channel: ChannelRecord, userId: string) {
    this.#core = core
    this.#channel = channel
    this.#userId = userId
  }

  /**
   * Finds a person by id, `<@id>` or `@name`, and adds them and, in a server, their membership. Returns their id;
   * undefined if there is no such person.
   */
  user(text: string): string | undefined {
    const { world } = this.#core
    const id = /^<@!?(\d+)>$/.exec(text)?.[1] ?? (text.startsWith('@') ? this.#userByName(text.slice(1)) : text)
    const user = world.users.get(id ?? '')
    if (user === undefined) return undefined
    this.#add('users', user.id, userPayload(user))
    const member = this.#channel.guildId === null ? undefined : world.member(this.#channel.guildId, user.id)
    if (member !== undefined) this.#add('members', user.id, resolvedMemberPayload(world, member))
    return user.id
  }

  /** Finds a role by id, `<@&id>` or `@name`, and adds it. Returns its id; undefined if there is no such role. */
  role(text: string): string | undefined {
    const { guildId } = this.#channel
    if (guildId === null) return undefined
    const roles = this.#core.world.rolesOf(guildId)
    const id = /^<@&(\d+)>$/.exec(text)?.[1] ?? text
    const role = roles.find((each) => each.id === id || `@${each.name}` === text)
    if (role === undefined) return undefined
    this.#add('roles', role.id, rolePayload(role))
    return role.id
  }

  mentionable(text: string): string | undefined {
    return this.user(text) ?? this.role(text)
  }

  /**
   * Finds a channel by id, `<#id>` or `#name`, and adds it. Returns its id; undefined if the person cannot see such a
   * channel.
   */
  channel(text: string): string | undefined {
    const { world } = this.#core
    const { guildId } = this.#channel
    if (guildId === null) return undefined
    const id = /^<#(\d+)>$/.exec(text)?.[1] ?? text
    const found = world.channelsOf(guildId).find((each) => each.id === id || `#${each.name}` === text)
    const bits = found === undefined ? 0n : channelPermissions(world, found, this.#userId)
    if (found === undefined || bits === 0n) return undefined
    this.#add('channels', found.id, {
      ...channelPayload(world, found, this.#userId),
      permissions: bits.toString(),
    })
    return found.id
  }

  /** Stores and adds a file that a person uploads. Returns the file's id. */
  attachment(contentType: string, bytes: Buffer, filename = `upload.${contentType.split('/').at(-1)}`): string {
    const { world, address } = this.#core
    const id = world.nextId()
    world.store.putFile(id, bytes)
    const size = pictureSize(bytes)
    const record = { id, filename, contentType, size: bytes.length, description: null }
    const { width = null, height = null } = size ?? {}
    this.#add('attachments', id, attachmentPayload(address.cdnUrl, this.#channel.id, { ...record, width, height }))
    return id
  }

  /**
   * Stores and adds a file that a person uploads with a command, as a `data:` address that can contain the file's name.
   * Returns the file's id; undefined if the text is not such an address.
   */
  upload(dataUrl: string): string | undefined {
    const [, contentType = '', name, data] = /^data:([^;,]*)(?:;name=([^;,]*))?;base64,(.*)$/s.exec(dataUrl) ?? []
    if (data === undefined) return undefined
    const filename = name === undefined ? undefined : decodeURIComponent(name)
    return this.attachment(contentType, Buffer.from(data, 'base64'), filename)
  }

  message(message: MessageRecord): void {
    this.#add('messages', message.id, messagePayload(this.#core.world, this.#core.address.cdnUrl, message))
  }

  /** Returns `{ resolved }`, or an empty object if the interaction refers to nothing. */
  asField(): JsonObject {
    return Object.keys(this.#found).length === 0 ? {} : { resolved: this.#found }
  }

  #add(kind: string, id: string, payload: JsonObject): void {
    this.#found[kind] = { ...this.#found[kind], [id]: payload }
  }

  #userByName(name: string): string | undefined {
    const { world } = this.#core
    const ids =
      this.#channel.guildId === null
        ? this.#channel.recipientIds
        : world.membersOf(this.#channel.guildId).map(({ userId }) => userId)
    return ids.find((id) => world.users.get(id)?.username === name)
  }
}

/**
 * Turns names such as `@alice`, `@Moderators` and `#tips` in a text into mentions, as the client does while a person
 * types.
 */
export function withMentions(core: Core, channel: ChannelRecord, text: string): string {
  const { guildId } = channel
  if (guildId === null || !/[@#]/.test(text)) return text
  const { world } = core
  const names = new Map<string, string>()
  for (const { id, name } of world.channelsOf(guildId)) names.set(`#${name}`, `<#${id}>`)
  for (const role of world.rolesOf(guildId)) if (role.id !== guildId) names.set(`@${role.name}`, `<@&${role.id}>`)
  for (const { userId } of world.membersOf(guildId)) names.set(`@${world.users.get(userId)?.username}`, `<@${userId}>`)
  return text.replaceAll(/(?<![<\w])(?:@[\w.]+|#[\w-]+)/g, (name) => names.get(name) ?? name)
}
