import { lightningUri } from '../../lib/lightning/lnurl.ts'
import { msats } from '../../lib/money/amount.ts'
import { type Html, html } from '../../lib/web/html.ts'
import { hashForPolicy, inlineFile, joinFiles } from '../../lib/web/inline-file.ts'
import { CARD_STYLE, pageFrame } from '../../lib/web/page-frame.ts'
import type { Translator } from '../i18n/translator.ts'
import type { PayableCard } from './payable-card.ts'

const STYLE = joinFiles(CARD_STYLE, inlineFile(new URL('./assets/pay.css', import.meta.url)))
const SCRIPT = inlineFile(new URL('./assets/pay.js', import.meta.url))

/**
 * The pages' content security policy: they use their own script and style, show their own picture, and request their
 * own state.
 */
export const PAY_PAGE_POLICY = [
  "default-src 'none'",
  `style-src '${hashForPolicy(STYLE.text)}'`,
  `script-src '${hashForPolicy(SCRIPT.text)}'`,
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

interface Shown {
  readonly card: string
  readonly payable: PayableCard
  /** The name of the person who requests the payment, if known. */
  readonly asker: string | undefined
  readonly state: string
  readonly testMoney: boolean
  /** The amount in another currency; empty if no price is known. */
  readonly worth: string
  readonly qrPicture: (text: string) => Promise<Buffer>
}

/**
 * Draws a card's page: the card's code as a picture, as a link that opens a wallet, and as text; or, after its end, how
 * the card ended.
 */
export async function drawPayPage(
  { card, payable, asker, state, testMoney, worth, qrPicture }: Shown,
  t: Translator,
): Promise<Html> {
  const title = titleOf({ payable, asker }, t)
  const note = payable.asks?.note ?? ''
  const about = note !== '' && html`<p class="note"><q dir="auto">${note}</q></p>`
  const footer = testMoney && html`<footer>${t('help.test')}</footer>`
  if (payable.state !== 'open') {
    const done = payable.state === 'paid' || payable.state === 'taken' || payable.state === 'reached'
    const seal = html`<p class="seal${done && ' done'}" aria-hidden="true">${done ? '✓' : '×'}</p>`
    return frame(
      t,
      title,
      html`<main>${seal}<h1>${title}</h1>${about}<p role="status">${t(`payPage.${payable.state}`)}</p></main>${footer}`,
    )
  }
  const { invoice, lnurl, amount, pays } = payable
  const first = invoice ?? lnurl ?? ''
  const png = await qrPicture(lightningUri(first))
  const picture = `data:image/png;base64,${png.toString('base64')}`
  return frame(
    t,
    title,
    html`<main data-watch="/pay/${card}/state" data-state="${state}">
<h1>${title}</h1>
${about}
${worth !== '' && html`<p class="worth">${worth}</p>`}
<a class="button" href="${lightningUri(first)}">${t('payPage.openWallet')}</a>
<img src="${picture}" alt="${t('payPage.alt', { amount })}" width="280" height="280">
<p role="status" class="${pays ? 'warning' : 'waiting'}">${t(pays ? 'payPage.waitingToTake' : 'payPage.waiting')}</p>
<button type="button" data-copy="${first}" data-copied="${t('payPage.copied')}" hidden>${t('invoice.copyButton')}</button>
${invoice !== undefined && asText(t('payPage.invoice'), invoice)}
${lnurl !== undefined && asText(t('payPage.lnurl'), lnurl)}
</main>${footer}`,
  )
}

/** Returns the page's title, without the formatting marks that the same text has on Discord. */
function titleOf({ payable, asker }: Pick<Shown, 'payable' | 'asker'>, t: Translator): string {
  if (asker === undefined) return payable.title(t)
  return t('invoice.headline', { who: asker, amount: msats(payable.amount) }).replaceAll('**', '')
}

/** Draws the page for an address at which there is no card. */
export function drawMissing(t: Translator): Html {
  const title = t('payPage.noneTitle')
  return frame(t, title, html`<main><h1>${title}</h1><p role="status">${t('payPage.none')}</p></main>`)
}

/** Shows a code as text, for people who copy it by hand. */
function asText(label: string, code: string): Html {
  return html`<details class="code"><summary>${label}</summary><textarea readonly rows="3" spellcheck="false" aria-label="${label}">${code}</textarea></details>`
}

function frame(t: Translator, title: string, main: Html): Html {
  const head = html`<style>${STYLE}</style>
<noscript><meta http-equiv="refresh" content="10"></noscript>`
  const body = html`${main}
<script>${SCRIPT}</script>`
  return pageFrame({ language: t.locale, title: `${title} · Satchel`, head }, body)
}
