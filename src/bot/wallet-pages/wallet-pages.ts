import type { Html } from '../../lib/web/html.ts'
import type { ConnectOutcome, OwnWallets, Tipping } from '../../tipping/tipping.ts'
import { languageIn } from '../i18n/language-in.ts'
import { createTranslators, type Translator } from '../i18n/translator.ts'
import {
  drawConnected,
  drawFinish,
  drawForms,
  drawNotModerator,
  drawOver,
  drawWayOut,
  type FormPage,
} from './draw-connect-page.ts'
import { hubPage } from './hub-page.ts'

/** The page on which a member connects a wallet. */
export interface WalletPages {
  /** The forms. Whose they are, it learns with what is sent. */
  form(page: FormPage, acceptLanguage: string | undefined): Html
  /** Leads on to a hub or a wallet app. `begun` is the link's token then: this browser alone may end what it began. */
  begin(sent: WalletForm): Promise<{ readonly begun?: string; readonly page: Html }>
  /** Connects the wallet of what was sent; `done` is false where it must be sent again, or cannot be. */
  connect(sent: WalletForm): Promise<{ readonly done: boolean; readonly page: Html }>
}

export interface WalletForm extends FormPage {
  readonly fields: URLSearchParams
  /** The token of a link with which this browser began. */
  readonly begun: string | undefined
  /** Where this browser reaches the page: scheme and host. */
  readonly origin: string
  readonly acceptLanguage: string | undefined
}

/** `tipping` may be there later than the pages' server. `moderates`: whether somebody may still connect a wallet for a server. */
export function createWalletPages(
  tipping: () => Tipping | undefined,
  moderates: (guild: string, member: string) => Promise<boolean>,
): WalletPages {
  const translatorFor = createTranslators(() => tipping()?.testMoney ?? true)
  const open = async (token: string, { acceptLanguage }: WalletForm) => {
    const own: OwnWallets | undefined = tipping()?.ownWallets
    const invited = await own?.invited(token)
    const t = translatorFor(invited?.locale ?? languageIn(acceptLanguage))
    if (invited === undefined) return { own: undefined, whose: 'member' as const, t }
    const { guild, member } = invited
    if (guild === undefined) return { own, whose: 'member' as const, t }
    // Their role may have been taken from them since they got the link.
    const refused = (await moderates(guild, member)) ? undefined : drawNotModerator(t)
    return { own, whose: 'server' as const, refused, t }
  }
  return {
    form: (page, acceptLanguage) => drawForms(page, translatorFor(languageIn(acceptLanguage))),
    async begin(form) {
      const key = form.fields.get('key') ?? ''
      const { own, whose, refused, t } = await open(key, form)
      if (refused !== undefined) return { page: refused }
      return own === undefined ? { page: drawOver(t) } : await begin(own, { ...form, whose }, t)
    },
    async connect(form) {
      const key = isAnswerOfHub(form) ? '' : (form.fields.get('key') ?? '')
      // The link that is used up: what is asked of its member here must be asked of the same one.
      const { own, whose, refused, t } = await open(key || (form.begun ?? ''), form)
      if (refused !== undefined) return { done: false, page: refused }
      if (own === undefined) return { done: false, page: drawOver(t, key === '' ? 'not-begun' : 'link-over') }
      const sent = { ...form, whose }
      const outcome = await connect(own, sent)
      if ('connected' in outcome) return { done: true, page: drawConnected(outcome.connected, whose, t) }
      const { problem } = outcome
      if (problem === 'link-over' || problem === 'not-begun') return { done: false, page: drawOver(t, problem) }
      const page = isAnswerOfHub(sent) ? drawFinish(sent, t, outcome) : drawForms(sent, t, outcome)
      return { done: false, page }
    },
  }
}

function isAnswerOfHub({ fields }: WalletForm): boolean {
  return fields.has('wallet')
}

async function connect(own: OwnWallets, { fields, begun }: WalletForm): Promise<ConnectOutcome> {
  const key = fields.get('key') ?? ''
  const state = fields.get('state') ?? ''
  const wallet = fields.get('wallet')
  if (wallet !== null) return await own.finish({ token: begun ?? '', state, wallet, relays: fields.getAll('relay') })
  const text = fields.get('connection') ?? ''
  // Without the link itself, somebody else may have led this browser here.
  return await own.connect(key !== '' ? { token: key, text } : { token: begun ?? '', text, state })
}

async function begin(own: OwnWallets, sent: WalletForm, t: Translator) {
  const { fields, origin, path } = sent
  const key = fields.get('key') ?? ''
  const begun = await own.begin(key)
  if (begun === undefined) return { page: drawOver(t) }
  const returnTo = `${origin}${path}?state=${begun.state}`
  if (fields.get('way') === 'app') {
    const asked = new URLSearchParams({ appname: 'Satchel', appicon: `${origin}${sent.icon}`, callback: returnTo })
    // Wallet apps read %20 for a space, not every one reads +.
    const link = `nostrnwc://connect?${asked.toString().replaceAll('+', '%20')}`
    return { begun: key, page: drawWayOut({ kind: 'app', link }, t) }
  }
  const [hub, budget] = [fields.get('hub') ?? '', fields.get('budget') ?? '']
  const page = hubPage({ hub, budget, isolated: fields.has('isolated') }, { client: begun.client, returnTo })
  if (typeof page === 'string') return { page: drawForms(sent, t, { problem: page }) }
  return { begun: key, page: drawWayOut({ kind: 'hub', link: page.href, host: page.host }, t) }
}
