import { type Html, type HtmlPart, html } from '../../lib/web/html.ts'
import { hashForPolicy, inlineFile } from '../../lib/web/inline-file.ts'
import { CONSOLE_POLICY, type Hidden, hiddenFields } from './frame.ts'
import type { Translator } from './i18n/translator.ts'
import type { PasskeyOptions } from './passkey-options.ts'

const SCRIPT = inlineFile(new URL('./assets/passkey.js', import.meta.url))

/** The Content-Security-Policy of a page with a passkey form. It permits no script but that of the form. */
export const PASSKEY_POLICY = `${CONSOLE_POLICY}; script-src '${hashForPolicy(SCRIPT.text)}'`

export interface PasskeyForm {
  /** The console's action, as in `FormParts`. */
  readonly action: string
  readonly hidden: Hidden
  readonly fields?: HtmlPart
  /** The field that carries the browser's answer about the passkey. */
  readonly field: 'answer' | 'made'
  readonly options: PasskeyOptions
  readonly button: string
  /** Whether the browser asks for the passkey immediately, because the person pressed a button to reach the page. */
  readonly now: boolean
}

/** Draws a form that is sent with a passkey. A page can contain only one such form. */
export function passkeyForm(t: Translator, { action, hidden, fields, field, options, button, now }: PasskeyForm): Html {
  const unseen = hiddenFields({ ...hidden, [field]: '' })
  return html`<p id="passkey-problem" class="bad" role="alert" hidden data-cancelled="${t('passkeys.script.cancelled')}" data-known="${t('passkeys.script.known')}" data-unsupported="${t('passkeys.script.unsupported')}"></p>
<form method="post" action="/console/${action}" data-passkey="${JSON.stringify(options)}" data-field="${field}"${now && html` data-now`}>${unseen}${fields}<button class="primary">${button}</button></form>
<noscript><p>${t('passkeys.script.none')}</p></noscript><script type="module">${SCRIPT}</script>`
}
