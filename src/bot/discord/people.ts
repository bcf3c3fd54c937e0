import {
  type APIUser,
  type Client,
  Events,
  GatewayDispatchEvents,
  type GatewayDispatchPayload,
  Routes,
} from 'discord.js'
import { cached } from '../../lib/cached.ts'
import { type Clock, pause } from '../../lib/clock.ts'
import { NewestNames } from '../../lib/newest-names.ts'
import type { Message } from './message.ts'
import { mention } from './panel.ts'
import type { Calls } from './permits.ts'
import { quotable } from './quotable.ts'

/** Who reads a message: everybody in a channel, or one person. */
export type Readers = 'all' | 'one'

/** What people are called all over Discord, for a while and in memory only. */
export interface People {
  /** A message with names for those whom its readers' clients may not know. */
  named(message: Message, readers: Readers): Promise<Message>
  /** The same with the names that are known without asking; undefined where one is missing. */
  namedNow(message: Message, readers: Readers): Message | undefined
}

const MAX_NAMES = 20_000
const CACHE_TTL_MS = 10 * 60_000
/** A message does not wait longer for names: then people are mentioned as they are. */
const MAX_WAIT_MS = 2_000
const MAX_NAME_LENGTH = 40
const MENTION = /<@!?(\d{15,20})>/g

/**
 * A client shows the name of somebody whom a message mentions only where the message notifies them, or where it has loaded
 * them for another reason; else it shows `<@123…>`. https://github.com/discord/discord-api-docs/issues/1479
 */
export function createPeople(client: Pick<Client, 'on'>, calls: Pick<Calls, 'get'>, clock: Clock): People {
  const known = new NewestNames<{ readonly name: string; readonly until: number }>(MAX_NAMES)
  const note = (user: Named | null | undefined) => {
    if (user?.id !== undefined) known.set(user.id, { name: nameOf(user), until: clock.monotonic() + CACHE_TTL_MS })
  }
  const ask = cached({
    ...{ clock, ttlMs: CACHE_TTL_MS, maxKeys: MAX_NAMES },
    read: async (id) => nameOf((await calls.get(Routes.user(id))) as APIUser),
  })
  hear(client, note)

  const nameNow = (id: string) => {
    const found = known.get(id)
    return found !== undefined && clock.monotonic() < found.until ? found.name : undefined
  }
  return {
    async named(message, readers) {
      const missing = unknownIn(message).filter((id) => nameNow(id) === undefined)
      const names = new Map<string, string>()
      const asking = missing.map(async (id) => void names.set(id, await ask(id).catch(() => mention(id))))
      if (asking.length > 0) await Promise.race([Promise.all(asking), pause(clock, MAX_WAIT_MS)])
      return withNames(message, readers, (id) => nameNow(id) ?? names.get(id))
    },
    namedNow(message, readers) {
      if (unknownIn(message).some((id) => nameNow(id) === undefined)) return undefined
      return withNames(message, readers, nameNow)
    },
  }
}

type Named = Pick<APIUser, 'id' | 'username' | 'global_name'>

function nameOf({ username, global_name }: Named): string {
  return quotable(global_name ?? username, MAX_NAME_LENGTH)
}

/** Whatever Discord tells of people names them. Read as it is sent: discord.js does not keep all of it. */
function hear(client: Pick<Client, 'on'>, note: (user: Named | null | undefined) => void): void {
  client.on(Events.InteractionCreate, (interaction) => {
    const { id, username, globalName } = interaction.user
    note({ id, username, global_name: globalName })
    const resolved = 'options' in interaction && 'resolved' in interaction.options ? interaction.options.resolved : null
    for (const user of resolved?.users?.values() ?? [])
      note({ id: user.id, username: user.username, global_name: user.globalName })
  })
  client.on(Events.Raw, ({ t, d }: GatewayDispatchPayload) => {
    if (t === GatewayDispatchEvents.MessageReactionAdd) note(d.member?.user)
    if (t === GatewayDispatchEvents.MessageCreate) note(d.author)
  })
}

/** Whom a message mentions without notifying them. */
function unknownIn(message: Message): string[] {
  const { content = '', embeds = [] } = message
  const texts = [
    content,
    ...embeds.flatMap(({ description = '', fields = [] }) => [description, ...fields.map(({ value }) => value)]),
  ]
  const mentioned = texts.flatMap((text) => [...text.matchAll(MENTION)].map(([, id = '']) => id))
  const notified = notifiedBy(message)
  return [...new Set(mentioned)].filter((id) => !notified.has(id))
}

function notifiedBy({ content = '', notifies = [] }: Message): ReadonlySet<string> {
  const inText = new Set([...content.matchAll(MENTION)].map(([, id = '']) => id))
  return new Set(notifies.filter((id) => inText.has(id)))
}

/** To one reader, the mention stands behind the name, so that a press leads to the person; to all, the name alone. */
function withNames(message: Message, readers: Readers, nameOfId: (id: string) => string | undefined): Message {
  const notified = notifiedBy(message)
  const name = (text: string) =>
    text.replaceAll(MENTION, (whole, id: string) => {
      const found = notified.has(id) ? undefined : nameOfId(id)
      if (found === undefined || found === mention(id)) return whole
      return readers === 'all' ? found : `${found} (${mention(id)})`
    })
  const { content, embeds } = message
  return {
    ...message,
    ...(content === undefined ? {} : { content: name(content) }),
    ...(embeds === undefined
      ? {}
      : {
          embeds: embeds.map((embed) => ({
            ...embed,
            ...(embed.description === undefined ? {} : { description: name(embed.description) }),
            ...(embed.fields === undefined
              ? {}
              : { fields: embed.fields.map((field) => ({ ...field, value: name(field.value) })) }),
          })),
        }),
  }
}
