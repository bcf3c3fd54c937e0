import { type APIEmbed, subtext, TimestampStyles, time, userMention } from 'discord.js'
import { cut } from '../../lib/cut.ts'
import { colour } from './colours.ts'
import type { Message } from './message.ts'

export { cut } from '../../lib/cut.ts'
export { colour } from './colours.ts'

/** Discord's limit for an embed's description. */
const MAX_DESCRIPTION_LENGTH = 4_096

/** Builds a small message with a coloured edge. Omits empty texts, and cuts texts that are too long for Discord. */
export function panel(
  edge: number,
  text: string | readonly string[],
  more: { title?: string; footer?: string; picture?: string; fields?: APIEmbed['fields'] } = {},
): APIEmbed {
  const description = typeof text === 'string' ? text : text.filter((line) => line !== '').join('\n')
  return {
    color: edge,
    ...(more.title === undefined ? {} : { title: more.title }),
    ...(description === '' ? {} : { description: cut(description, MAX_DESCRIPTION_LENGTH) }),
    ...(more.fields === undefined || more.fields.length === 0 ? {} : { fields: more.fields }),
    ...(more.picture === undefined ? {} : { image: { url: `attachment://${more.picture}` } }),
    ...(more.footer === undefined ? {} : { footer: { text: more.footer } }),
  }
}

/**
 * Returns as many of these parts as fit into `most` characters, from the first on. By default, an embed's description
 * then has room for a few more lines.
 */
export function fitting(parts: readonly string[], separator: string, most = MAX_DESCRIPTION_LENGTH - 96): string[] {
  let length = 0
  const tooLong = parts.findIndex((part) => {
    length += part.length + separator.length
    return length > most
  })
  return parts.slice(0, tooLong < 0 ? parts.length : tooLong)
}

/** Builds a refusal or an error, shown to the person who asked. */
export function refusal(text: string): Message {
  return { embeds: [panel(colour.refused, text)] }
}

/** Formats a line of small print. Unlike a footer, such a line may contain mentions of people and commands. */
export function small(text: string): string {
  return subtext(text)
}

/** Formats a relative time such as "in 5 minutes", which the reader's Discord client updates. */
export function relative(date: Date): string {
  return time(date, TimestampStyles.RelativeTime)
}

/** Formats a date and a time, which the reader's Discord client localizes. */
export function moment(date: Date): string {
  return time(date, TimestampStyles.ShortDateTime)
}

export function mention(member: string): string {
  return userMention(member)
}
