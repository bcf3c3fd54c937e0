import { Html, html } from '../lib/http/html.ts'
import { formatSats } from '../lib/money/amount.ts'
import type { StatusView } from '../tipping/tipping.ts'

const STYLE = new Html(`
  :root { color-scheme: light dark; --page: #faf8f5; --card: #fff; --text: #1d1a16; --soft: #665f56; --line: #e6e0d8;
    --accent: #f7931a; --good: #1a7f4b; --bad: #b3261e; --link: #8a4b00;
    font: 17px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif }
  @media (prefers-color-scheme: dark) { :root { --page: #14120f; --card: #1e1b17; --text: #f2ede6; --soft: #aaa196;
    --line: #35302a; --good: #5fd399; --bad: #ff9d94; --link: #ffb45c } }
  body { margin: 0; background: var(--page); color: var(--text) }
  main { max-width: 40rem; margin: 0 auto; padding: 2.5rem 1.25rem }
  h1 { font-size: 1.6rem; margin: 0 0 .4rem } a { color: var(--link) }
  .verdict { font-size: 1.1rem; margin: 0 0 1.6rem; font-weight: 600 }
  .good { color: var(--good) } .bad { color: var(--bad) } .unsure { color: var(--soft) }
  .card { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 1.1rem 1.3rem; margin: 0 0 1rem }
  .bar { display: grid; grid-template-columns: 1fr auto; gap: .1rem 1rem; margin-bottom: 1rem }
  .bar b { font-variant-numeric: tabular-nums } .bar svg { grid-column: 1 / -1; display: block; width: 100%; height: 14px }
  .track { fill: var(--line) } .owed { fill: var(--accent) } .held { fill: var(--good) } .under { fill: var(--bad) }
  dl { display: grid; grid-template-columns: minmax(9rem, auto) 1fr; gap: .5rem 1.5rem; margin: 0 }
  dt { color: var(--soft) } dd { margin: 0; overflow-wrap: anywhere } .small { color: var(--soft); font-size: .9rem }
  code { font-size: .85em; overflow-wrap: anywhere }
`)

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
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Satchel: where the sats are</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Where the sats are</h1>
<p class="verdict ${mood}">${words}</p>
${paused !== undefined && html`<p class="card bad">${PAUSED[paused.source]}</p>`}
${proven !== undefined && html`<section class="card" aria-label="Owed and held">${bars(proven, unit)}</section>`}
<section class="card"><dl>
<dt>On their way</dt><dd>${inFlight.count === 0 ? 'No payment' : inFlight.count}${oldest}</dd>
${proven !== undefined && html`<dt>Compared</dt><dd>${moment(proven.at)}</dd>`}
</dl></section>
${
  proven !== undefined &&
  html`<section class="card"><p>Is your balance in this sum? On Discord, <code>/status verify:True</code> gives you a file that
proves it. It names this fingerprint of all balances:</p>
<p><code>${proven.root}</code></p></section>`
}
<p class="small">The same figures for programs: <a href="/status.json">status.json</a></p>
</main>
</body>
</html>`
}

/** What is owed and what the wallet holds, on one scale: one sees at a glance whether the second covers the first. */
function bars({ owed, wallet }: NonNullable<StatusView['proven']>, unit: string): Html {
  const longest = Math.max(Number(owed), Number(wallet ?? 0n), 1)
  const bar = (label: string, amount: bigint | undefined, look: string) => html`<div class="bar">
<span>${label}</span><b>${amount === undefined ? 'not known' : `${formatSats(amount, 'en')} ${unit}`}</b>
<svg viewBox="0 0 100 14" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="14"/>
<rect class="${look}" width="${((Number(amount ?? 0n) / longest) * 100).toFixed(2)}" height="14"/></svg></div>`
  const covers = wallet !== undefined && wallet >= owed
  return html`${bar('Owed to members, pools and drops', owed, 'owed')}
${bar('In the wallet', wallet, covers ? 'held' : 'under')}`
}

/** "November 22, 2026 at 10:45 AM UTC", with the exact time for programs. */
function moment(at: Date): Html {
  return html`<time datetime="${at.toISOString()}">${MOMENT.format(at)} UTC</time>`
}

function verdictOn(proven: StatusView['proven']): { words: string; mood: 'good' | 'bad' | 'unsure' } {
  if (proven === undefined) {
    return { words: 'The books have not been compared with the wallet yet. Look again in a minute.', mood: 'unsure' }
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
