import {
  type APIEmbed,
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
import { facesIn, textsIn, withFaces, withTexts } from '../messages/frame.ts'
import type { Message } from '../messages/message.ts'
import { quotable } from '../messages/quotable.ts'
import type { Calls } from '../transport/permits.ts'
import type { Name } from './guild-members.ts'

/** Caches people's names and pictures on Discord in memory. */
export interface People {
  /**
   * Returns a message with the names of people whom the readers' Discord clients may not have loaded, and with people's
   * pictures.
   */
  named(message: Message): Promise<Message>
  /**
   * Returns a message as `named` does, but only with cached names and pictures; undefined if any of these is missing.
   */
  namedNow(message: Message): Message | undefined
  /** Returns a person's name; undefined if Discord does not answer in time. */
  nameOf(id: string): Promise<Name | undefined>
}

const MAX_NAMES = 20_000
const CACHE_TTL_MS = 10 * 60_000
/**
 * The longest time that a message waits for names and pictures, after which people are mentioned without names or
 * pictures.
 */
const MAX_WAIT_MS = 2_000
const MAX_NAME_LENGTH = 40
const MENTION = /<@!?(\d{15,20})>/g

/**
 * Creates the cache of people. A client shows a mentioned person's name only if the message notifies that person, or if
 * the client has loaded the person for another reason; otherwise, the client shows `<@123…>`.
 * https://github.com/discord/discord-api-docs/issues/1479
 */
export function createPeople(
  client: Pick<Client, 'on'>,
  calls: Pick<Calls, 'get'>,
  { clock, cdn = CDN }: { readonly clock: Clock; readonly cdn?: string | undefined },
): People {
  const known = new NewestNames<{ readonly user: Named; readonly until: number }>(MAX_NAMES)
  const note = (user: Named | null | undefined) => {
    if (user?.id === undefined) return
    // Compute how a name looks only when it is shown, because most names never are.
    const { id, username, global_name, avatar } = user
    known.set(id, { user: { id, username, global_name, avatar }, until: clock.monotonic() + CACHE_TTL_MS })
  }
  const ask = cached({
    ...{ clock, ttlMs: CACHE_TTL_MS, maxKeys: MAX_NAMES },
    read: async (id) => personOf((await calls.get(Routes.user(id))) as APIUser, cdn),
  })
  hear(client, note)

  const now = (id: string) => {
    const found = known.get(id)
    return found !== undefined && clock.monotonic() < found.until ? personOf(found.user, cdn) : undefined
  }
  return {
    async named(message) {
      const asked = new Map<string, Person | undefined>()
      const asking = wantedIn(message)
        .filter((id) => now(id) === undefined)
        .map(async (id) => void asked.set(id, await ask(id).catch(() => undefined)))
      if (asking.length > 0) await Promise.race([Promise.all(asking), pause(clock, MAX_WAIT_MS)])
      return withPeople(message, (id) => now(id) ?? asked.get(id))
    },
    namedNow(message) {
      if (wantedIn(message).some((id) => now(id) === undefined)) return undefined
      return withPeople(message, now)
    },
    async nameOf(id) {
      const found = now(id) ?? (await Promise.race([ask(id).catch(() => undefined), pause(clock, MAX_WAIT_MS)]))
      return found?.account
    },
  }
}

type Named = Pick<APIUser, 'id' | 'username' | 'global_name'> & Partial<Pick<APIUser, 'avatar'>>

interface Person {
  readonly name: string
  /** The address of the person's picture. */
  readonly face: string
  /** The person's names, without escaping. */
  readonly account: Name
}

const CDN = 'https://cdn.discordapp.com'
const FACE_SIZE = 128
/** The number of default avatars. https://docs.discord.com/developers/reference#image-formatting */
const FACES_OF_NOBODY = 6n

function personOf({ id, username, global_name, avatar }: Named, cdn: string): Person {
  const own = avatar
    ? `avatars/${id}/${avatar}.png?size=${FACE_SIZE}`
    : `embed/avatars/${(BigInt(id) >> 22n) % FACES_OF_NOBODY}.png`
  const shown = global_name ?? username
  return { name: quotable(shown, MAX_NAME_LENGTH), face: `${cdn}/${own}`, account: { shown, username } }
}

/**
 * Learns names and pictures from the interactions, reactions and messages that Discord sends. Reads raw events, because
 * discord.js does not store all of these people.
 */
function hear(client: Pick<Client, 'on'>, note: (user: Named | null | undefined) => void): void {
  client.on(Events.InteractionCreate, (interaction) => {
    const { id, username, globalName, avatar } = interaction.user
    note({ id, username, global_name: globalName, avatar })
    const resolved = 'options' in interaction && 'resolved' in interaction.options ? interaction.options.resolved : null
    for (const user of resolved?.users?.values() ?? [])
      note({ id: user.id, username: user.username, global_name: user.globalName, avatar: user.avatar })
  })
  client.on(Events.Raw, ({ t, d }: GatewayDispatchPayload) => {
    if (t === GatewayDispatchEvents.MessageReactionAdd) note(d.member?.user)
    if (t === GatewayDispatchEvents.MessageCreate) note(d.author)
  })
}

/**
 * Returns the people whom a message mentions without notifying them, and the people whose pictures the message shows.
 */
function wantedIn(message: Message): string[] {
  const { embeds = [], frame } = message
  const texts = [
    ...textsThatNotify(message),
    ...embeds.flatMap(({ description = '', fields = [] }) => [description, ...fields.map(({ value }) => value)]),
  ]
  const notified = notifiedBy(message)
  const mentioned = mentionedIn(texts).filter((id) => !notified.has(id))
  return [...new Set([...mentioned, ...(frame === undefined ? [] : facesIn(frame))])]
}

function mentionedIn(texts: readonly string[]): string[] {
  return texts.flatMap((text) => [...text.matchAll(MENTION)].map(([, id = '']) => id))
}

/**
 * Returns the texts of a message in which mentions can notify people. Mentions in an embed notify nobody, but mentions
 * in a frame do.
 */
function textsThatNotify({ content = '', frame }: Message): string[] {
  return [content, ...(frame === undefined ? [] : textsIn(frame))]
}

function notifiedBy(message: Message): ReadonlySet<string> {
  const inText = new Set(mentionedIn(textsThatNotify(message)))
  return new Set(message.notifies?.filter((id) => inText.has(id)))
}

/**
 * Replaces each mention that notifies nobody with the person's name, if known, and adds people's pictures. A client
 * that has not loaded a person shows a mention as a number.
 */
function withPeople(message: Message, find: (id: string) => Person | undefined): Message {
  const notified = notifiedBy(message)
  const name = (text: string) =>
    text.replaceAll(MENTION, (whole, id: string) => (notified.has(id) ? whole : (find(id)?.name ?? whole)))
  const { content, embeds, frame } = message
  return {
    ...message,
    ...(content === undefined ? {} : { content: name(content) }),
    ...(frame === undefined ? {} : { frame: withFaces(withTexts(frame, name), (id) => find(id)?.face) }),
    ...(embeds === undefined ? {} : { embeds: embeds.map((embed) => inEmbed(embed, name)) }),
  }
}

function inEmbed({ description, fields, ...embed }: APIEmbed, name: (text: string) => string): APIEmbed {
  return {
    ...embed,
    ...(description === undefined ? {} : { description: name(description) }),
    ...(fields === undefined ? {} : { fields: fields.map((field) => ({ ...field, value: name(field.value) })) }),
  }
}
