import { type Html, type HtmlPart, html } from '../../lib/web/html.ts'
import { hashForPolicy, inlineFile, joinFiles } from '../../lib/web/inline-file.ts'
import { CARD_STYLE, pageFrame } from '../../lib/web/page-frame.ts'
import type { ConnectedWallet, ConnectProblem } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import { drawBudget, rightsOf } from '../own-wallets/own-wallet.ts'
import { type HubProblem, USUAL_HUB } from './hub-page.ts'

const SHARED = '../../lib/web/assets'
const STYLE = joinFiles(
  CARD_STYLE,
  inlineFile(new URL(`${SHARED}/scan.css`, import.meta.url)),
  inlineFile(new URL('./assets/connect.css', import.meta.url)),
)
const SCRIPT = joinFiles(
  inlineFile(new URL(`${SHARED}/scan.js`, import.meta.url)),
  inlineFile(new URL('./assets/connect.js', import.meta.url)),
)
/** The default monthly budget of a first connection, in sats. */
const USUAL_BUDGET = '10000'

/**
 * The page's content security policy: it runs its own script and style, loads the script that reads codes, and contacts
 * its own origin.
 */
export const CONNECT_PAGE_POLICY = [
  "default-src 'none'",
  `style-src '${hashForPolicy(STYLE.text)}'`,
  `script-src '${hashForPolicy(SCRIPT.text)}' 'self'`,
  "base-uri 'none'",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** The kind of owner of the connected wallet. */
export type Whose = 'member' | 'server'

/** The addresses of the page and its parts. */
export interface FormPage {
  readonly path: string
  /** The address that returns for whom a link connects a wallet. */
  readonly whosePath: string
  readonly beginPath: string
  /** The address of the script that reads codes in pictures. */
  readonly reader: string
  readonly icon: string
  /** The kind of owner of the wallet. Default: the member. */
  readonly whose?: Whose | undefined
  /** The page's language. Default: the language that the browser requests. */
  readonly language?: string | undefined
}

/** The owner of the wallet that a link connects, under the name that people recognize. */
export interface WhoseLink {
  readonly account: string
  /** The name of the server that owns the wallet; undefined for a member's wallet. */
  readonly server: string | undefined
}

/** The reader of a page, and the link that the page concerns. */
export interface Reader {
  readonly t: Translator
  /** The name of the community that the bot serves. */
  readonly community: string | undefined
  /** The link's account and server; omitted if unknown. */
  readonly link?: WhoseLink
}

/** A submitted form, retained in case it must be sent again. */
interface Sent extends FormPage {
  readonly fields: URLSearchParams
}

interface Failed {
  readonly problem: ConnectProblem | HubProblem
  readonly detail?: string
}

/**
 * Draws the page with the three ways to connect a wallet, and the problem of an earlier attempt. Does not show a
 * submitted secret again.
 */
export function drawForms(page: FormPage & Partial<Sent>, reader: Reader, failed?: Failed): Html {
  const { t } = reader
  const { path, fields } = page
  const isServer = page.whose === 'server'
  const budget = isServer ? t('connectPage.serverBudget') : `${t('connectPage.budget')} ${t('connectPage.seen')}`
  const typed = (name: string) => fields?.get(name) ?? ''
  const key = html`<input type="hidden" name="key" value="${typed('key')}">${languageField(t)}`
  const isHub = failed?.problem.startsWith('hub-') ?? false
  return frame(
    reader,
    html`<h1>${t(isServer ? 'connectPage.serverTitle' : 'connectPage.title')}</h1>
<div id="ways" data-whose="${page.whosePath}"${failed === undefined && html` hidden`}>
${drawWhose(reader)}
<p>${t('connectPage.ownLink')}</p>
${failed !== undefined && html`<p class="problem" role="alert">${saidOf(failed, t)}</p>`}
<details name="way"${!isHub && html` open`} id="paste"><summary>${t('connectPage.paste')}</summary>
<form id="connect" method="post" action="${path}" autocomplete="off">${key}
<input type="hidden" name="state" value="${typed('state')}">
<p id="answered" hidden>${t('connectPage.app.answered')}</p>
<p>${t('connectPage.intro')}</p>
<label><span>${t('connectPage.field')}</span><textarea name="connection" rows="5" spellcheck="false" autocapitalize="off" required placeholder="nostr+walletconnect://…"></textarea></label>
<button type="button" class="scan second" data-scan="${page.reader}" data-into="connection" hidden>${t('connectPage.scan')}</button>
<p class="soft">${budget}</p>
<button>${t('connectPage.submit')}</button>
</form></details>
<details name="way"${isHub && html` open`}><summary>${t('connectPage.hub.title')}</summary>
${drawHubForm(page, t, { key, typed })}</details>
<details name="way" class="phone"><summary>${t('connectPage.app.title')}</summary>
<form method="post" action="${page.beginPath}">${key}
<input type="hidden" name="way" value="app">
<p>${t('connectPage.app.intro')}</p>
<button>${t('connectPage.goOn')}</button>
</form></details>
</div>
<dialog id="camera" aria-label="${t('connectPage.scan')}"><video playsinline muted></video>
<p role="alert" hidden>${t('connectPage.noCamera')}</p>
<button type="button">${t('connectPage.cancel')}</button></dialog>
${failed === undefined && drawFinishForm(path, t)}
<p id="missing" hidden>${t('connectPage.missing')}</p>
<p id="unread" class="problem" role="alert" data-text="${t('connectPage.unread')}" hidden></p>
<noscript><p>${t('connectPage.noScript')}</p></noscript>
<script>${SCRIPT}</script>`,
  )
}

/** Builds the hidden field that submits the page's language, in which an invalid link is answered. */
function languageField(t: Translator): Html {
  return html`<input type="hidden" name="language" value="${t.locale}">`
}

/** Shows the account and the server of a link. If they are not known yet, the page's script fills them in. */
function drawWhose({ t, link }: Reader): Html {
  return html`<dl><div><dt>${t('connectPage.account')}</dt><dd id="account" dir="auto">${link?.account ?? ''}</dd></div>
<div${link?.server === undefined && html` hidden`}><dt>${t('connectPage.forServer')}</dt><dd id="server" dir="auto">${link?.server ?? ''}</dd></div></dl>`
}

interface Again {
  readonly key: Html
  readonly typed: (name: string) => string
}

function drawHubForm({ beginPath }: FormPage, t: Translator, { key, typed }: Again): Html {
  return html`<form method="post" action="${beginPath}">${key}
<input type="hidden" name="way" value="hub">
<p>${t('connectPage.hub.intro')}</p>
<label><span>${t('connectPage.hub.address')}</span><input name="hub" value="${typed('hub') || USUAL_HUB}" required inputmode="url" spellcheck="false" autocapitalize="none"></label>
<label><span>${t('connectPage.hub.budget')}</span><input name="budget" value="${typed('budget') || USUAL_BUDGET}" inputmode="numeric" autocomplete="off"></label>
<label class="tick"><input type="checkbox" name="isolated" value="yes"${typed('isolated') !== '' && html` checked`}> <span>${t('connectPage.hub.isolated')}</span></label>
<button>${t('connectPage.goOn')}</button>
</form>`
}

/**
 * Draws the form that finishes the connection to a hub that has agreed. The page's script fills in and submits the
 * form.
 */
function drawFinishForm(path: string, t: Translator, fields?: URLSearchParams): Html {
  const relays = fields?.getAll('relay') ?? []
  return html`<form id="finish" method="post" action="${path}"${fields === undefined && html` hidden`}>
<input type="hidden" name="state" value="${fields?.get('state') ?? ''}">
<input type="hidden" name="wallet" value="${fields?.get('wallet') ?? ''}">
${relays.map((relay) => html`<input type="hidden" name="relay" value="${relay}">`)}
<p>${t('connectPage.hub.agreed')}</p>
<button>${t('connectPage.submit')}</button>
</form>`
}

/** Draws the page that offers another attempt after a hub that had agreed did not answer. */
export function drawFinish({ path, fields }: Sent, reader: Reader, failed: Failed): Html {
  const { t } = reader
  return frame(
    reader,
    html`<h1>${t('connectPage.title')}</h1>
${drawWhose(reader)}
<p class="problem" role="alert">${saidOf(failed, t)}</p>
${drawFinishForm(path, t, fields)}`,
  )
}

/** The place where the member approves the connection: a hub's page, or an app on the phone. */
export type WayOut =
  | { readonly kind: 'hub'; readonly link: string; readonly host: string }
  | { readonly kind: 'app'; readonly link: string }

/** Draws the page with the link to a hub or a wallet app. */
export function drawWayOut(way: WayOut, reader: Reader): Html {
  const { t } = reader
  const [said, label] =
    way.kind === 'hub'
      ? [t('connectPage.hub.next', { host: way.host }), t('connectPage.hub.open')]
      : [t('connectPage.app.next'), t('connectPage.app.open')]
  return frame(
    reader,
    html`<h1>${t('connectPage.title')}</h1>
${drawWhose(reader)}
<p>${said}</p>
<a class="button" href="${way.link}" rel="noreferrer">${label}</a>`,
  )
}

/** Draws the page that confirms a connection, with its rights and its remaining budget. */
export function drawConnected(
  wallet: ConnectedWallet,
  { whose, holdsSats }: { readonly whose: Whose; readonly holdsSats: boolean },
  reader: Reader,
): Html {
  const { t } = reader
  const { budget, pays } = wallet
  const spending = budget === undefined ? t('connectPage.noBudget') : drawBudget(budget, t)
  const rights = whose === 'server' ? [t('connectPage.serverPays')] : rightsOf(wallet, holdsSats, t)
  return frame(
    reader,
    html`<h1>${t('connectPage.done')}</h1>
${drawWhose(reader)}
<ul>${rights.map((line) => html`<li>${line}</li>`)}</ul>
${pays && html`<p>${spending}</p>`}
<p>${t('connectPage.back')}</p>`,
  )
}

/** Draws the page that explains that a link is no longer valid, or that this browser did not start the attempt. */
export function drawOver(reader: Reader, problem: 'link-over' | 'not-begun' = 'link-over'): Html {
  const { t } = reader
  return frame(reader, html`<h1>${t('connectPage.title')}</h1><p>${t(`connectPage.problem.${problem}`)}</p>`)
}

/** Informs somebody who received the link as a moderator that they no longer moderate the server. */
export function drawNotModerator(reader: Reader): Html {
  const { t } = reader
  return frame(reader, html`<h1>${t('connectPage.serverTitle')}</h1><p>${t('connectPage.problem.not-moderator')}</p>`)
}

function saidOf({ problem, detail = '?' }: Failed, t: Translator): string {
  switch (problem) {
    case 'no-wallet':
    case 'no-secret':
    case 'no-relay':
      return t('connectPage.problem.damaged')
    default:
      return t(`connectPage.problem.${problem}`, { detail })
  }
}

function frame({ t, community }: Reader, main: HtmlPart): Html {
  const head = html`<style>${STYLE}</style>`
  const bot = community === undefined || community === 'Satchel' ? 'Satchel' : `Satchel · ${community}`
  const title = `${t('connectPage.title')} · ${bot}`
  return pageFrame(
    { language: t.locale, title, head },
    html`<main><p class="bot"><bdi>${bot}</bdi></p>
${main}</main>`,
  )
}
