import { type Html, html } from '../../lib/web/html.ts'
import { operations } from '../../payments-api/payments-api.ts'
import { COMMENT_ALLOWED } from '../receiving/payer-comment.ts'
import type { Translator } from './i18n/translator.ts'
import { WalletProblem } from './problems.ts'

/** Builds a field for a payment's note. */
export function noteField(t: Translator, value: string | null, hint: string): Html {
  return html`<label>${t('receive.note')}<input name="note" value="${value}" dir="auto" maxlength="${COMMENT_ALLOWED}" autocomplete="off" aria-describedby="note-hint"></label>
<p class="hint" id="note-hint">${hint}</p>`
}

/** Reads a note. Throws WalletProblem for a note that is too long, or that is not text. */
export function readNote(text: string | null): string {
  const note = (text ?? '').trim()
  const isText = operations.payToGamertag.body.shape.description.safeParse(note).success
  if (isText && [...note].length <= COMMENT_ALLOWED) return note
  throw new WalletProblem(400, 'invalid_note', (t) => t('errors.longNote', { number: `${COMMENT_ALLOWED}` }))
}
