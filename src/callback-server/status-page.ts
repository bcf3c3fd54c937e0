import { Html, html } from '../lib/http/html.ts'
import { formatSats } from '../lib/money/amount.ts'
import type { StatusView } from '../tipping/tipping.ts'

const STYLE = new Html(`
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { max-width: 42rem; margin: 0 auto; padding: 2rem 1rem }
  dl { display: grid; grid-template-columns: minmax(9rem, auto) 1fr; gap: .5rem 1.5rem }
  dt { opacity: .75 } dd { margin: 0 } code { overflow-wrap: anywhere }
`)

/** The page that everybody may read: what is owed and held, and when that was proven. Nothing loads from elsewhere. */
export function statusPage({ proven, inFlight, paused }: StatusView, unit: string): Html {
  const amount = (msats: bigint) => `${formatSats(msats, 'en')} ${unit}`
  const oldest = inFlight.oldestSince === undefined ? '' : `, the oldest since ${inFlight.oldestSince.toISOString()}`
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
<p>${verdictOn(proven)}</p>
${paused !== undefined && html`<p>Outgoing payments are paused: ${paused.reason}</p>`}
<dl>
${
  proven !== undefined &&
  html`<dt>Owed in total</dt><dd>${amount(proven.owed)}</dd>
<dt>In the wallet</dt><dd>${proven.wallet === undefined ? 'not known' : amount(proven.wallet)}</dd>
<dt>Proven at</dt><dd><time datetime="${proven.at.toISOString()}">${proven.at.toISOString()}</time></dd>`
}
<dt>Payments on their way</dt><dd>${inFlight.count}${oldest}</dd>
${proven !== undefined && html`<dt>Root of all balances</dt><dd><code>${proven.root}</code></dd>`}
</dl>
<p>Members: <code>/status verify:True</code> gives you a file that proves that your balance is included.
The same figures for programs: <a href="/status.json">status.json</a></p>
</main>
</body>
</html>`
}

function verdictOn(proven: StatusView['proven']): string {
  if (proven === undefined) return 'The books have not been compared with the wallet yet. Look again in a minute.'
  if (!proven.holds) return 'The books and the wallet did not agree. The operators know.'
  if (proven.wallet === undefined) return 'The books were right, but the wallet could not be reached.'
  return 'The books are right, and the wallet covers everything that is owed.'
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
