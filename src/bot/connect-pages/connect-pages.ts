import type { Html } from '../../lib/web/html.ts'
import type { ConnectOutcome, OwnWallets, Tipping, WalletInvited } from '../../tipping/tipping.ts'
import { languageIn } from '../i18n/languages.ts'
import { createTranslators } from '../i18n/translator.ts'
import type { Name } from '../people/guild-members.ts'
import {
  drawConnected,
  drawFinish,
  drawForms,
  drawNotModerator,
  drawOver,
  drawWayOut,
  type FormPage,
  type Reader,
  type WhoseLink,
} from './draw-connect-page.ts'
import { hubPage } from './hub-page.ts'

/** The page on which a member connects a wallet. */
export interface ConnectPages {
  /** Draws the page with the forms. */
  form(page: FormPage, acceptLanguage: string | undefined): Html
  /**
   * Resolves to the person and server for whom a link connects a wallet, or to the reason why the link is invalid. The
   * page shows the person and server, so that nobody connects a wallet through another person's link.
   */
  whose(sent: WalletForm): Promise<WhoseLink | { readonly problem: string }>
  /**
   * Builds the page that leads the member to a hub or a wallet app. If that succeeds, `begun` is the link's token, with
   * which only this browser can finish the attempt.
   */
  begin(sent: WalletForm): Promise<{ readonly begun?: string; readonly page: Html }>
  /**
   * Connects the submitted wallet. `done` is false if the form must be sent again or the wallet cannot be connected.
   */
  connect(sent: WalletForm): Promise<{ readonly done: boolean; readonly page: Html }>
}

export interface WalletForm extends FormPage {
  readonly fields: URLSearchParams
  /** The token of the link with which this browser began the attempt. */
  readonly begun: string | undefined
  /** The scheme and host with which this browser reached the page. */
  readonly origin: string
  readonly acceptLanguage: string | undefined
}

/** Facts that are available only from Discord. */
export interface KnownOfDiscord {
  /** Whether somebody may still connect a wallet for a server. */
  moderates(guild: string, member: string): Promise<boolean>
  /** Returns a member's name; undefined if Discord does not report it. */
  nameOf(member: string): Promise<Name | undefined>
  serverName(guild: string): string | undefined
  /** Returns the name of the community that the bot serves. */
  communityName(): string | undefined
}

/** A submitted link, and the reader of the answer. */
interface Opened {
  /** The part of tipping that connects wallets; undefined if the link is invalid. */
  readonly own: OwnWallets | undefined
  readonly whose: 'member' | 'server'
  /** The answer to a member who may no longer use the link. */
  readonly refused?: Html | undefined
  readonly reader: Reader
}

/** Creates the pages, which may be served before tipping has started. Until then, `tipping` returns undefined. */
export function createConnectPages(tipping: () => Tipping | undefined, discord: KnownOfDiscord): ConnectPages {
  const translatorFor = createTranslators(() => tipping()?.testMoney ?? true)
  const readerOf = (locale: string): Reader => ({ t: translatorFor(locale), community: discord.communityName() })
  const open = async (token: string, { fields, acceptLanguage }: WalletForm): Promise<Opened> => {
    const own = tipping()?.ownWallets
    const invited = await own?.invited(token)
    const reader = readerOf(invited?.locale ?? languageIn(fields.get('language') ?? acceptLanguage))
    if (invited === undefined) return { own: undefined, whose: 'member', reader }
    const named = { ...reader, link: await whoseLink(invited, discord) }
    const { guild, member } = invited
    if (guild === undefined) return { own, whose: 'member', reader: named }
    // They may have lost their role since they got the link.
    const refused = (await discord.moderates(guild, member)) ? undefined : drawNotModerator(named)
    return { own, whose: 'server', refused, reader: named }
  }
  return {
    form: (page, acceptLanguage) => drawForms(page, readerOf(page.language ?? languageIn(acceptLanguage))),
    async whose(form) {
      const key = form.fields.get('key') ?? ''
      const { reader } = await open(key || (form.begun ?? ''), form)
      return reader.link ?? { problem: reader.t(`connectPage.problem.${key === '' ? 'not-begun' : 'link-over'}`) }
    },
    async begin(form) {
      const key = form.fields.get('key') ?? ''
      const { own, whose, refused, reader } = await open(key, form)
      if (refused !== undefined) return { page: refused }
      return own === undefined ? { page: drawOver(reader) } : await begin(own, { ...form, whose }, reader)
    },
    async connect(form) {
      const key = isAnswerOfHub(form) ? '' : (form.fields.get('key') ?? '')
      // The used link: whatever is asked of its member here must be asked of the same one.
      const { own, whose, refused, reader } = await open(key || (form.begun ?? ''), form)
      if (refused !== undefined) return { done: false, page: refused }
      if (own === undefined) return { done: false, page: drawOver(reader, key === '' ? 'not-begun' : 'link-over') }
      const sent = { ...form, whose }
      const outcome = await connect(own, sent)
      if ('connected' in outcome) {
        const about = { whose, holdsSats: tipping()?.holdsSats ?? true }
        return { done: true, page: drawConnected(outcome.connected, about, reader) }
      }
      const { problem } = outcome
      if (problem === 'link-over' || problem === 'not-begun') return { done: false, page: drawOver(reader, problem) }
      const page = isAnswerOfHub(sent) ? drawFinish(sent, reader, outcome) : drawForms(sent, reader, outcome)
      return { done: false, page }
    },
  }
}

/**
 * Returns the account for which the link was issued, and the server, if there is one. Anybody can choose any display
 * name, but the name after the @ belongs to one person.
 */
async function whoseLink({ member, guild }: WalletInvited, discord: KnownOfDiscord): Promise<WhoseLink> {
  const name = await discord.nameOf(member)
  const account = name === undefined ? member : `${name.shown} (@${name.username})`
  return { account, server: guild === undefined ? undefined : (discord.serverName(guild) ?? guild) }
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

async function begin(own: OwnWallets, sent: WalletForm, reader: Reader) {
  const { fields, origin, path } = sent
  const key = fields.get('key') ?? ''
  const begun = await own.begin(key)
  if (begun === undefined) return { page: drawOver(reader) }
  const returnTo = `${origin}${path}?state=${begun.state}&language=${reader.t.locale}`
  if (fields.get('way') === 'app') {
    const asked = new URLSearchParams({ appname: 'Satchel', appicon: `${origin}${sent.icon}`, callback: returnTo })
    // Wallet apps read %20 as a space, but not all read +.
    const link = `nostrnwc://connect?${asked.toString().replaceAll('+', '%20')}`
    return { begun: key, page: drawWayOut({ kind: 'app', link }, reader) }
  }
  const [hub, budget] = [fields.get('hub') ?? '', fields.get('budget') ?? '']
  const page = hubPage({ hub, budget, isolated: fields.has('isolated') }, { client: begun.client, returnTo })
  if (typeof page === 'string') return { page: drawForms(sent, reader, { problem: page }) }
  return { begun: key, page: drawWayOut({ kind: 'hub', link: page.href, host: page.host }, reader) }
}
