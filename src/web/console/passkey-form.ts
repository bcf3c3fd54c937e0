import { type Html, type HtmlPart, html } from '../../lib/web/html.ts'
import { hashForPolicy, inlineFile } from '../../lib/web/inline-file.ts'
import { CONSOLE_POLICY, type Hidden, hiddenFields } from './frame.ts'
import type { Translator } from './i18n/translator.ts'
import type { PasskeyOptions } from './passkey-options.ts'

const SCRIPT = inlineFile(new URL('./assets/passkey.js', import.meta.url))

/** The policy of a page with such a form: it runs this script, and no other. */
export const PASSKEY_POLICY = `${CONSOLE_POLICY}; script-src '${hashForPolicy(SCRIPT.text)}'`

export interface PasskeyForm {
  /** Of the console, as in `FormParts`. */
  readonly action: string
  readonly hidden: Hidden
  readonly fields?: HtmlPart
  /** In which what the browser says of the passkey is sent. */
  readonly field: 'answer' | 'made'
  readonly options: PasskeyOptions
  readonly button: string
  /** Whether the browser asks at once, because somebody pressed a button to come here. */
  readonly now: boolean
}

/** A form that is sent with a passkey. One page has one at most. */
export function passkeyForm(t: Translator, { action, hidden, fields, field, options, button, now }: PasskeyForm): Html {
  const unseen = hiddenFields({ ...hidden, [field]: '' })
  return html`<p id="passkey-problem" class="bad" role="alert" hidden data-cancelled="${t('passkeys.script.cancelled')}" data-known="${t('passkeys.script.known')}" data-unsupported="${t('passkeys.script.unsupported')}"></p>
<form method="post" action="/console/${action}" data-passkey="${JSON.stringify(options)}" data-field="${field}"${now && html` data-now`}>${unseen}${fields}<button class="primary">${button}</button></form>
<noscript><p>${t('passkeys.script.none')}</p></noscript><script type="module">${SCRIPT}</script>`
}
