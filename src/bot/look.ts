import { type APIEmbed, TimestampStyles, time, userMention } from 'discord.js'
import type { Message } from './message.ts'

/** What a colour says, in every message: who speaks, done, in flight, refused, over. */
export const colour = {
  satchel: 0xf7931a,
  done: 0x3ba55d,
  inFlight: 0xf0b232,
  refused: 0xed4245,
  over: 0x80848e,
} as const

/** A small message with a coloured edge. Empty texts are left out. */
export function panel(
  edge: number,
  text: string | readonly string[],
  more: { title?: string; footer?: string; picture?: string; fields?: APIEmbed['fields'] } = {},
): APIEmbed {
  const description = typeof text === 'string' ? text : text.filter((line) => line !== '').join('\n')
  return {
    color: edge,
    ...(more.title === undefined ? {} : { title: more.title }),
    ...(description === '' ? {} : { description }),
    ...(more.fields === undefined || more.fields.length === 0 ? {} : { fields: more.fields }),
    ...(more.picture === undefined ? {} : { image: { url: `attachment://${more.picture}` } }),
    ...(more.footer === undefined ? {} : { footer: { text: more.footer } }),
  }
}

/** A refusal or a fault, told to the one who asked. */
export function refusal(text: string): Message {
  return { embeds: [panel(colour.refused, text)] }
}

/** "in 5 minutes", counted by the reader's own Discord. */
export function relative(date: Date): string {
  return time(date, TimestampStyles.RelativeTime)
}

export function mention(member: string): string {
  return userMention(member)
}
