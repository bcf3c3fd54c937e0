import { formatSats } from '../lib/money/amount.ts'
import { CHART_STYLE, type ChartColour, labelledBar } from '../lib/web/charts.ts'
import { type Html, html } from '../lib/web/html.ts'
import { inlineFile, joinFiles } from '../lib/web/inline-file.ts'
import { BASE_STYLE, pageFrame } from '../lib/web/page-frame.ts'
import type { StatusView } from '../tipping/tipping.ts'

const STYLE = joinFiles(BASE_STYLE, CHART_STYLE, inlineFile(new URL('./status.css', import.meta.url)))

/** The whole world reads this page: what an operator or an audit has written is for members and operators. */
const PAUSED: Readonly<Record<NonNullable<StatusView['paused']>['source'], string>> = {
  cover: 'Outgoing payments are paused: the wallet does not cover the books. The operators know.',
  operator: 'The operators have paused outgoing payments. On Discord, /status tells members why.',
  restore: 'Outgoing payments are paused: the books come from a backup and are being checked.',
}

const MOMENT = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** The page that everybody may read: what is owed and held, and when that was proven. Nothing loads from elsewhere. */
export function statusPage({ proven, inFlight, paused }: StatusView, unit: string): Html {
  const { words, mood } = verdictOn(proven)
  const oldest = inFlight.oldestSince === undefined ? '' : html`, the oldest since ${moment(inFlight.oldestSince)}`
  const body = html`<main>
<h1>Where the sats are</h1>
<p class="verdict ${mood}">${words}</p>
${paused !== undefined && html`<p class="card bad">${PAUSED[paused.source]}</p>`}
${proven !== undefined && html`<section class="card" aria-label="Owed and held">${bars(proven, unit)}</section>`}
<section class="card"><dl>
<dt>On their way</dt><dd>${inFlight.count === 0 ? 'No payment' : inFlight.count}${oldest}</dd>
</dl></section>
${
  proven !== undefined &&
  html`<section class="card"><p>Is your balance in this sum? On Discord, <code>/status verify:True</code> gives you a file that
proves it. It names this fingerprint of all balances:</p>
<p><code>${proven.root}</code></p></section>`
}
<p class="small">The same figures for programs: <a href="/status.json">status.json</a></p>
</main>`
  return pageFrame({ title: 'Satchel: where the sats are', hidden: false, head: html`<style>${STYLE}</style>` }, body)
}

/** What is owed and what the wallet holds, on one scale: one sees at a glance whether the second covers the first. */
function bars({ owed, wallet, at }: NonNullable<StatusView['proven']>, unit: string): Html {
  const longest = Math.max(Number(owed), Number(wallet ?? 0n), 1)
  const bar = (label: string, amount: bigint | undefined, look: ChartColour) =>
    labelledBar(
      label,
      amount === undefined ? 'not known' : `${formatSats(amount, 'en')} ${unit}`,
      Number(amount ?? 0n) / longest,
      look,
    )
  const covers = wallet !== undefined && wallet >= owed
  return html`${bar('Owed to members, pools and drops', owed, 'accent')}
${bar('In the wallet', wallet, covers ? 'good' : 'bad')}
<p class="small">As of ${moment(at)}. What came in since then is counted at the next audit.</p>`
}

/** "November 22, 2026 at 10:45 AM UTC", with the exact time for programs. */
function moment(at: Date): Html {
  return html`<time datetime="${at.toISOString()}">${MOMENT.format(at)} UTC</time>`
}

function verdictOn(proven: StatusView['proven']): { words: string; mood: 'good' | 'bad' | 'unsure' } {
  if (proven === undefined) {
    return {
      words: 'The books have not been compared with the wallet yet. Look again in a minute.',
      mood: 'unsure',
    }
  }
  if (!proven.holds) return { words: '✕ The books and the wallet did not agree. The operators know.', mood: 'bad' }
  if (proven.wallet === undefined) {
    return { words: 'The books were right, but the wallet could not be reached.', mood: 'unsure' }
  }
  return { words: '✓ The books are right, and the wallet covers everything that is owed.', mood: 'good' }
}

/** The same for programs: amounts in msats as decimal strings, times in ISO 8601. */
export function statusData({ proven, inFlight, paused }: StatusView, testMoney: boolean) {
  return {
    testMoney,
    proven: proven && {
      at: proven.at.toISOString(),
      holds: proven.holds,
      owedMsats: proven.owed.toString(),
      walletMsats: proven.wallet?.toString() ?? null,
      expectedMsats: proven.expected.toString(),
      mayHaveLeftMsats: proven.mayHaveLeft.toString(),
      mayHaveArrivedMsats: proven.mayHaveArrived.toString(),
      root: proven.root,
    },
    inFlight: { count: inFlight.count, oldestSince: inFlight.oldestSince?.toISOString() ?? null },
    paused: paused !== undefined,
  }
}
