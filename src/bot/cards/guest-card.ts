import { CLAIM_VERB } from '../discord/first-use.ts'
import type { Message } from '../discord/message.ts'
import { small } from '../discord/panel.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Drawing } from './card-renderer.ts'

/** Where the bot is no member, a card changes for fifteen minutes only: it says so where somebody has to press something. */
export function asGuest(drawing: Drawing, t: Translator): Drawing {
  const said = (message: Message): Message => ({
    ...message,
    content: [message.content ?? '', small(t('tip.guestClaim'))].join('\n'),
  })
  if (!claims(drawing.message)) return drawing
  return { ...drawing, message: said(drawing.message), ...(drawing.bare && { bare: said(drawing.bare) }) }
}

function claims({ buttons = [] }: Message): boolean {
  return buttons.some((button) => 'custom_id' in button && button.custom_id.startsWith(`${CLAIM_VERB}:`))
}
