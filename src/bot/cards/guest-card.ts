import type { Translator } from '../i18n/translator.ts'
import { CLAIM_VERB } from '../interactions/claim-waiting.ts'
import type { AnyButton, Message } from '../messages/message.ts'
import { small } from '../messages/panel.ts'
import type { Drawing } from './card-renderer.ts'

/**
 * Adapts a card with a claim button for a place where the bot is not a member and can change the card for only fifteen
 * minutes. Adds a line that explains the limit. Shortly before the end (`isEnding`), removes the button, which would
 * otherwise outlive the claim.
 */
export function asGuest(drawing: Drawing, t: Translator, isEnding: boolean): Drawing {
  const said = ({ content = '', buttons = [], ...message }: Message): Message => ({
    ...message,
    content: [content, small(t(isEnding ? 'tip.guestClaimLater' : 'tip.guestClaim'))].join('\n'),
    buttons: isEnding ? buttons.filter((button) => !isClaim(button)) : buttons,
  })
  if (!claims(drawing)) return drawing
  return { ...drawing, message: said(drawing.message), ...(drawing.bare && { bare: said(drawing.bare) }) }
}

/** Whether a card has a claim button. */
export function claims({ message: { buttons = [] } }: Drawing): boolean {
  return buttons.some(isClaim)
}

function isClaim(button: AnyButton): boolean {
  return 'custom_id' in button && button.custom_id.startsWith(`${CLAIM_VERB}:`)
}
