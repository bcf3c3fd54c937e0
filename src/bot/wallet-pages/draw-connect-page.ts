import { type Html, type HtmlPart, html } from '../../lib/web/html.ts'
import { hashForPolicy, inlineFile, joinStyles } from '../../lib/web/inline-file.ts'
import { CARD_STYLE, pageFrame } from '../../lib/web/page-frame.ts'
import type { ConnectedWallet, ConnectProblem } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import { rightsOf } from '../members/own-wallet.ts'

const STYLE = joinStyles(CARD_STYLE, inlineFile(new URL('./assets/connect.css', import.meta.url)))
const SCRIPT = inlineFile(new URL('./assets/connect.js', import.meta.url))

/** What the page may do: run and look like its own script and style, send its form to where it came from. */
export const WALLET_PAGE_POLICY = [
  "default-src 'none'",
  `style-src '${hashForPolicy(STYLE.text)}'`,
  `script-src '${hashForPolicy(SCRIPT.text)}'`,
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

interface Failed {
  readonly problem: ConnectProblem
  readonly detail?: string
}

/** The form; with what was wrong, where it was sent before. `key` is then what came with it. */
export function drawForm(path: string, t: Translator, sent?: { readonly key: string; readonly failed: Failed }): Html {
  return frame(
    t,
    html`<h1>${t('walletPage.title')}</h1>
<form id="connect" method="post" action="${path}" autocomplete="off"${sent === undefined && html` hidden`}>
${sent !== undefined && html`<p class="problem" role="alert">${saidOf(sent.failed, t)}</p>`}
<p>${t('walletPage.intro')}</p>
<input type="hidden" name="key" id="key" value="${sent?.key ?? ''}">
<label><span>${t('walletPage.field')}</span><textarea name="connection" rows="5" spellcheck="false" autocapitalize="off" required placeholder="nostr+walletconnect://…"></textarea></label>
<p class="soft">${t('walletPage.budget')} ${t('walletPage.seen')}</p>
<button>${t('walletPage.submit')}</button>
</form>
<p id="missing" hidden>${t('walletPage.missing')}</p>
<noscript><p>${t('walletPage.noScript')}</p></noscript>
<script>${SCRIPT}</script>`,
  )
}

/** What the connection allows, in words. */
export function drawConnected(wallet: ConnectedWallet, t: Translator): Html {
  const { budget, pays } = wallet
  const spending =
    budget === undefined
      ? t('walletPage.noBudget')
      : t('walletPage.budgetLeft', { left: t.amount(budget.left), total: t.amount(budget.total) })
  return frame(
    t,
    html`<h1>${t('walletPage.done')}</h1>
<ul>${rightsOf(wallet, t).map((line) => html`<li>${line}</li>`)}</ul>
${pays && html`<p>${spending}</p>`}
<p>${t('walletPage.back')}</p>`,
  )
}

/** A link that leads nowhere any more. */
export function drawOver(t: Translator): Html {
  return frame(t, html`<h1>${t('walletPage.title')}</h1><p>${t('walletPage.problem.link-over')}</p>`)
}

function saidOf({ problem, detail = '?' }: Failed, t: Translator): string {
  switch (problem) {
    case 'no-wallet':
    case 'no-secret':
    case 'no-relay':
      return t('walletPage.problem.damaged')
    default:
      return t(`walletPage.problem.${problem}`, { detail })
  }
}

function frame(t: Translator, main: HtmlPart): Html {
  const head = html`<style>${STYLE}</style>`
  const title = `${t('walletPage.title')} · Satchel`
  return pageFrame({ language: t.locale, title, head }, html`<main>${main}</main>`)
}
