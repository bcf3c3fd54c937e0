import { type Html, html } from '../../lib/web/html.ts'
import { LANGUAGES } from './i18n/languages.ts'
import type { Translator } from './i18n/translator.ts'
import { icon } from './icons.ts'

/**
 * Lists the languages, each under its own name, so that people who cannot read the page find theirs. `here` is the path
 * that is loaded again after the choice.
 */
export function languageMenu(t: Translator, here: string): Html {
  const choices = Object.entries(LANGUAGES).map(
    ([code, name]) =>
      html`<button class="quiet" name="language" value="${code}" lang="${code}"${code === t.code && html` aria-current="true"`}>${name}</button>`,
  )
  const name = LANGUAGES[t.code]
  return html`<details class="languages"><summary aria-label="${t('languages.menu', { name })}">${icon('language')}<span>${name}</span></summary>
<form method="post" action="/wallet/language"><input type="hidden" name="back" value="${here}" autocomplete="off">${choices}</form></details>`
}
