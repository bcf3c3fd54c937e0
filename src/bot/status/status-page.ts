import { CHART_STYLE, type ChartColour, labelledBar } from '../../lib/web/charts.ts'
import { type Html, html, withCode } from '../../lib/web/html.ts'
import { inlineFile, joinFiles } from '../../lib/web/inline-file.ts'
import { BASE_STYLE, pageFrame } from '../../lib/web/page-frame.ts'
import type { StatusView } from '../../tipping/tipping.ts'
import { languageIn } from '../i18n/languages.ts'
import { createTranslators, type Key, type Translator } from '../i18n/translator.ts'

const STYLE = joinFiles(BASE_STYLE, CHART_STYLE, inlineFile(new URL('./status.css', import.meta.url)))

/**
 * The texts for paused payments, by the source of the pause. An operator's or an audit's own texts are only for members
 * and operators, but this page is public.
 */
const PAUSED = {
  cover: 'status.paused.cover',
  operator: 'statusPage.pausedByOperator',
  restore: 'status.paused.restore',
} as const satisfies Record<NonNullable<StatusView['paused']>['source'], Key>

/** Draws the public page about liabilities and holdings, in the first supported language of Accept-Language. */
export type StatusPage = (status: StatusView, acceptLanguage: string | undefined) => Html

/** Creates the status page. `testMoney` is called each time, because its answer may become known later. */
export function createStatusPage(testMoney: () => boolean): StatusPage {
  const translatorFor = createTranslators(testMoney)
  return (status, acceptLanguage) => draw(status, translatorFor(languageIn(acceptLanguage)))
}

/** Draws the page, which loads nothing from elsewhere. */
function draw({ proven, inFlight, paused }: StatusView, t: Translator): Html {
  const title = t('status.title')
  const { words, mood } = verdictOn(proven, t)
  const moving =
    inFlight.oldestSince === undefined
      ? t('status.nothingInFlight')
      : withTime(t, 'statusPage.inFlight', inFlight.oldestSince, { payments: inFlight.count })
  const body = html`<main>
<h1>${title}</h1>
<p class="verdict ${mood}">${words}</p>
${paused !== undefined && html`<p class="card bad">${withCode(t(PAUSED[paused.source]))}</p>`}
${proven !== undefined && html`<section class="card">${bars(proven, t)}</section>`}
<section class="card"><dl>
<dt>${t('status.inFlight')}</dt><dd>${moving}</dd>
</dl></section>
${
  proven !== undefined &&
  html`<section class="card"><p>${withCode(t('statusPage.proof'))}</p>
<p><code class="root">${proven.root}</code></p></section>`
}
<p class="small">${t('statusPage.programs')} <a href="/status.json">status.json</a></p>
</main>`
  const head = html`<style>${STYLE}</style>`
  return pageFrame({ language: t.locale, title: `${title} · Satchel`, hidden: false, head }, body)
}

/** Draws liabilities and holdings on one scale, so that readers see whether the holdings cover the liabilities. */
function bars({ owed, wallet, at }: NonNullable<StatusView['proven']>, t: Translator): Html {
  const longest = Math.max(Number(owed), Number(wallet ?? 0n), 1)
  const bar = (label: string, amount: bigint | undefined, look: ChartColour) =>
    labelledBar(
      label,
      amount === undefined ? t('status.walletUnknown') : t.amount(amount),
      Number(amount ?? 0n) / longest,
      look,
    )
  const covers = wallet !== undefined && wallet >= owed
  return html`${bar(t('status.owed'), owed, 'accent')}
${bar(t('status.wallet'), wallet, covers ? 'good' : 'bad')}
<p class="small">${withTime(t, 'statusPage.asOf', at)}</p>`
}

function verdictOn(proven: StatusView['proven'], t: Translator): { words: string; mood: 'good' | 'bad' | 'unsure' } {
  if (proven === undefined) return { words: t('status.notYet'), mood: 'unsure' }
  if (!proven.holds) return { words: `✕ ${t('statusPage.wrong')}`, mood: 'bad' }
  if (proven.wallet === undefined) return { words: t('statusPage.unreachable'), mood: 'unsure' }
  return { words: `✓ ${t('statusPage.right')}`, mood: 'good' }
}

/** Formats a sentence with a time (`when`), readable for people and exact for programs. */
function withTime(
  t: Translator,
  key: 'statusPage.asOf' | 'statusPage.inFlight',
  at: Date,
  facts: { readonly payments?: number } = {},
): Html {
  const when = t.moment(at)
  const [before, after] = t(key, { ...facts, when }).split(when)
  return html`${before}<time datetime="${at.toISOString()}">${when}</time>${after}`
}
