import type { Html } from '../../lib/web/html.ts'
import type { OwnWallets, Tipping } from '../../tipping/tipping.ts'
import { languageIn } from '../i18n/language-in.ts'
import { createTranslators } from '../i18n/translator.ts'
import { drawConnected, drawForm, drawOver } from './draw-connect-page.ts'

/** The page on which a member connects a wallet. */
export interface WalletPages {
  /** The form. Whose it is, it learns with what is sent. */
  form(path: string, acceptLanguage: string | undefined): Html
  /** Connects the wallet of what was sent; `done` is false where it must be sent again, or cannot be. */
  connect(sent: WalletForm): Promise<{ readonly done: boolean; readonly page: Html }>
}

export interface WalletForm {
  readonly path: string
  /** What was behind # in the link. */
  readonly key: string
  readonly connection: string
  readonly acceptLanguage: string | undefined
}

/** `tipping` may be there later than the pages' server. */
export function createWalletPages(tipping: () => Tipping | undefined): WalletPages {
  const translatorFor = createTranslators(() => tipping()?.testMoney ?? true)
  return {
    form: (path, acceptLanguage) => drawForm(path, translatorFor(languageIn(acceptLanguage))),
    async connect({ path, key, connection, acceptLanguage }) {
      const own: OwnWallets | undefined = tipping()?.ownWallets
      const invited = await own?.invited(key)
      const t = translatorFor(invited?.locale ?? languageIn(acceptLanguage))
      if (own === undefined || invited === undefined) return { done: false, page: drawOver(t) }
      const outcome = await own.connect({ token: key, text: connection })
      if ('connected' in outcome) return { done: true, page: drawConnected(outcome.connected, t) }
      if (outcome.problem === 'link-over') return { done: false, page: drawOver(t) }
      return { done: false, page: drawForm(path, t, { key, failed: outcome }) }
    },
  }
}
