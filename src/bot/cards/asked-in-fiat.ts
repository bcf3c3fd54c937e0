import { fiatText } from '../../lib/prices/fiat-text.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Message } from '../messages/message.ts'
import { small } from '../messages/panel.ts'

/**
 * Adds the amount as it was requested, `USD 0.50`, to a card, unless the card already shows it. It reflects that time's
 * price, so it never changes.
 */
export function withAsked(message: Message, asked: string | undefined, t: Translator): Message {
  if (asked === undefined) return message
  const [currency = '', value] = asked.split(' ')
  const worth = fiatText({ currency, value: Number(value) }, t.locale)
  if (JSON.stringify([message.content, message.embeds, message.frame]).includes(worth)) return message
  const line = small(t('fiatValue.about', { worth }))
  const below = (text: string | undefined) => [text, line].filter(Boolean).join('\n')
  const { frame, embeds: [first, ...others] = [] } = message
  if (frame !== undefined) return { ...message, frame: { ...frame, parts: [...frame.parts, line] } }
  if (first === undefined) return { ...message, content: below(message.content) }
  return { ...message, embeds: [{ ...first, description: below(first.description) }, ...others] }
}
