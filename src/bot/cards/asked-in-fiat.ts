import type { Translator } from '../i18n/translator.ts'
import { askedWorth } from '../messages/fiat-value.ts'
import type { Message } from '../messages/message.ts'
import { small } from '../messages/panel.ts'

/** Adds the requested amount, in its original currency, to a card that does not already show that amount. */
export function withAsked(message: Message, asked: string | undefined, t: Translator): Message {
  if (asked === undefined) return message
  const worth = askedWorth(asked, t)
  if (JSON.stringify([message.content, message.embeds, message.frame]).includes(worth)) return message
  const line = small(t('fiatValue.about', { worth }))
  const below = (text: string | undefined) => [text, line].filter(Boolean).join('\n')
  const { frame, embeds: [first, ...others] = [] } = message
  if (frame !== undefined) return { ...message, frame: { ...frame, parts: [...frame.parts, line] } }
  if (first === undefined) return { ...message, content: below(message.content) }
  return { ...message, embeds: [{ ...first, description: below(first.description) }, ...others] }
}
