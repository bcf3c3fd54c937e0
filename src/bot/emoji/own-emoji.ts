import { type APIEmoji, Routes } from 'discord.js'
import type { Logger } from '../../lib/logger.ts'
import { withTexts } from '../messages/frame.ts'
import type { AnyButton, Message } from '../messages/message.ts'
import type { People } from '../people/people.ts'
import type { Calls } from '../transport/permits.ts'
import { emojiImage, OWN_EMOJI, type Sign } from './pictures.ts'

/**
 * Manages the application's own emoji, which it can use in every server and conversation. They are uploaded at the
 * first start. https://docs.discord.com/developers/resources/emoji#application-owned-emoji
 */
export interface OwnEmoji {
  /**
   * Finds out which emoji exist, and uploads the others. Rejects if Discord refuses an upload; texts then show standard
   * emoji in place of the missing emoji.
   */
  prepare(application: string): Promise<void>
  /**
   * Returns a message with our emoji in its frame, embeds and buttons. The plain text keeps the standard emoji, which a
   * phone's notifications can show.
   */
  in(message: Message): Message
}

/**
 * Unicode's invisible mark for a character that is shown as an emoji. Our emoji do not replace characters with this
 * mark.
 */
const AS_EMOJI = '\u{FE0F}'
const ANY_SIGN = new RegExp(`(?:${Object.keys(OWN_EMOJI).join('|')})(?!${AS_EMOJI})`, 'gu')

/**
 * Marks the emoji in a text so that they remain the standard ones, with which people have to react. Marking a text
 * again changes nothing.
 */
export function namingReactions(text: string): string {
  return text.replaceAll(ANY_SIGN, `$&${AS_EMOJI}`)
}

export function createOwnEmoji(calls: Pick<Calls, 'get' | 'post'>, log: Logger): OwnEmoji {
  const ids = new Map<string, string>()
  const idOf = (sign: string) => (sign in OWN_EMOJI ? ids.get(OWN_EMOJI[sign as Sign].name) : undefined)
  const inText = (text: string) =>
    text.replaceAll(ANY_SIGN, (sign) => {
      const id = idOf(sign)
      return id === undefined ? sign : `<:${OWN_EMOJI[sign as Sign].name}:${id}>`
    })
  const onButton = (button: AnyButton): AnyButton => {
    const sign = button.emoji?.name ?? ''
    // The emoji for outcomes do not suit buttons.
    const id = sign === '⚡' ? idOf(sign) : undefined
    return id === undefined ? button : { ...button, emoji: { id, name: OWN_EMOJI[sign as Sign].name } }
  }
  return {
    async prepare(application) {
      const { items } = (await calls.get(Routes.applicationEmojis(application))) as { items: readonly APIEmoji[] }
      for (const { name, id } of items) if (name !== null && id !== null) ids.set(name, id)
      for (const sign of Object.keys(OWN_EMOJI) as Sign[]) {
        const { name } = OWN_EMOJI[sign]
        if (ids.has(name)) continue
        const body = { name, image: await emojiImage(sign) }
        const made = (await calls.post(Routes.applicationEmojis(application), { body })) as APIEmoji
        if (made.id !== null) ids.set(name, made.id)
      }
      log.info({ emoji: ids.size }, "the application's own emoji are uploaded")
    },
    in(message) {
      if (ids.size === 0) return message
      const { frame, embeds, buttons } = message
      return {
        ...message,
        ...(frame && { frame: withTexts(frame, inText) }),
        ...(buttons && { buttons: buttons.map(onButton) }),
        ...(embeds && {
          embeds: embeds.map(({ description, fields, ...embed }) => ({
            ...embed,
            ...(description !== undefined && { description: inText(description) }),
            ...(fields !== undefined && {
              fields: fields.map((field) => ({ ...field, value: inText(field.value) })),
            }),
          })),
        }),
      }
    },
  }
}

/** Returns `people`, extended to insert our emoji into the messages as well. */
export function withOwnEmoji(people: People, own: OwnEmoji): People {
  return {
    ...people,
    named: async (message) => own.in(await people.named(message)),
    namedNow(message) {
      const named = people.namedNow(message)
      return named && own.in(named)
    },
  }
}
