import { formatSats, type Msats, sats } from '../../lib/money/amount.ts'
import { barChart, CHART_STYLE, type ChartColour, labelledBar, lineChart, shareBar } from '../../lib/web/charts.ts'
import { type Html, type HtmlPart, html } from '../../lib/web/html.ts'
import { hashForPolicy, inlineFile, joinFiles } from '../../lib/web/inline-file.ts'
import { BASE_STYLE, pageFrame } from '../../lib/web/page-frame.ts'
import type { Operator } from '../../tipping/tipping.ts'
import { type OperatorsFigures, type ServiceSide, withNames } from './figures.ts'
import { ago, moment } from './time-text.ts'
import { whatNeedsThem } from './what-needs-them.ts'

const STYLE = joinFiles(BASE_STYLE, CHART_STYLE, inlineFile(new URL('./assets/operators.css', import.meta.url)))
const SCRIPT = inlineFile(new URL('./assets/sign-in.js', import.meta.url))

/**
 * The Content-Security-Policy of the pages, which use their own style and script, send forms to their own server, and
 * load nothing.
 */
export const OPERATORS_PAGE_POLICY = [
  "default-src 'none'",
  `style-src '${hashForPolicy(STYLE.text)}'`,
  `script-src '${hashForPolicy(SCRIPT.text)}'`,
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const REFRESH_SECONDS = 60

/** Draws the page as an operator sees it now. */
export function drawPage(figures: OperatorsFigures, operator: Operator, now: number): Html {
  const { service, testMoney } = figures
  const unit = testMoney ? 'test sats' : 'sats'
  const say = (amount: Msats | undefined) =>
    amount === undefined ? 'not known' : `${formatSats(amount, 'en')} ${unit}`
  const body = html`<header><h1>Satchel · operators</h1><span class="small">${operator.name}, as of ${moment(new Date(now))}</span>
<a href="/console">Console</a>
<form method="post" action="/operators/sign-out"><button>Sign out</button></form></header>
<main>
${verdict(figures)}
${cover(figures, say)}
${payments(figures, say, now)}
${overTime(figures, unit)}
${inAndOut(figures, unit)}
${given(figures, unit)}
${service !== undefined && nodeOf(service, room(say, testMoney))}
${service !== undefined && callbacks(service)}
${audits(figures, now)}
${running(figures, now)}
${alertsOf(figures, now)}
</main>`
  return frame('Operators', body, html`<meta http-equiv="refresh" content="${REFRESH_SECONDS}">`)
}

/** Draws the page behind a sign-in link. Opening the page does not use the link up; pressing the button does. */
export function drawSignIn(): Html {
  const body = html`<main class="narrow"><section>
<h1>Satchel's console</h1>
<form id="sign-in" method="post" action="/operators/sign-in" hidden>
<p>This link works once. This browser then stays signed in for an hour. To move money, you must have signed in within the last five minutes.</p>
<input type="hidden" name="key" id="key">
<button class="primary">Sign in</button>
</form>
<p id="missing" hidden>A part of the link is missing. Use <code>/admin page</code> on Discord, and open the whole link.</p>
<noscript><p>This page needs scripts: they read the part of the link that no server is to see. Allow them for this page.</p></noscript>
</section></main><script>${SCRIPT}</script>`
  return frame('Sign in', body)
}

/**
 * Draws the page for a browser without a session. The text is the same for all links that do not work, so nobody learns
 * whether a link existed.
 */
export function drawSignedOut(cause?: 'used'): Html {
  const why =
    cause === 'used' ? 'This link was used already, or its five minutes are over.' : 'Nobody is signed in here.'
  const body = html`<main class="narrow"><section>
<h1>Satchel's console</h1>
<p>${why} Use <code>/admin page</code> in the operators' server on Discord: it gives you a new link.</p>
<p class="small">With a password or a passkey, <a href="/console">sign in here</a>.</p>
</section></main>`
  return frame('Signed out', body)
}

/** Draws the page for an address under `/operators` that leads to no page. */
export function drawNoPage(): Html {
  const body = html`<main class="narrow"><section>
<h1>There is no such page</h1>
<p>Perhaps the link was cut off. The figures are at <a href="/operators">/operators</a>, and the actions in the <a href="/console">console</a>.</p>
</section></main>`
  return frame('No such page', body)
}

function verdict(figures: OperatorsFigures): Html {
  const needs = whatNeedsThem(figures)
  if (needs.length === 0)
    return html`<section class="wide"><p class="verdict good">✓ Everything works. Nothing waits for you.</p></section>`
  const title = needs.length === 1 ? 'One thing needs you' : `${needs.length} things need you`
  return html`<section class="wide"><p class="verdict bad">${title}</p><ul>${needs.map(({ what, next }) => html`<li>${what} ${next}</li>`)}</ul></section>`
}

type Sats = (amount: Msats | undefined) => string

/** A hundred bitcoin. The sandbox's node has more, and nobody needs its exact figure. */
const PLENTY = sats(10_000_000_000)

/** Returns the function that formats a node's capacity, in words if it is unlimited play money. */
function room(say: Sats, testMoney: boolean): Sats {
  return (amount) => (testMoney && amount !== undefined && amount > PLENTY ? 'as much as you like' : say(amount))
}

/** Draws liabilities and holdings on one scale. */
function cover({ bot }: OperatorsFigures, say: Sats): Html {
  const { proven } = bot.status
  if (proven === undefined)
    return html`<section><h2>Owed and held</h2><p>The books have not been compared with the wallet yet.</p></section>`
  const { owed, wallet, expected, at } = proven
  const longest = Math.max(Number(owed), Number(wallet ?? 0n), 1)
  const covers = wallet !== undefined && wallet >= owed
  const line = (label: string, amount: Msats | undefined, look: ChartColour) =>
    labelledBar(label, say(amount), Number(amount ?? 0n) / longest, look)
  return html`<section><h2>Owed and held</h2>
${line('Owed to members, pools and drops', owed, 'accent')}
${line('In the wallet', wallet, covers ? 'good' : 'bad')}
<p class="small">By the books the wallet must hold ${say(expected)}. Compared ${moment(at)}.</p></section>`
}

function overTime({ movement: { points } }: OperatorsFigures, unit: string): Html {
  const series = [
    { name: 'Held', look: 'good', amounts: points.map(({ wallet }) => wallet) },
    { name: 'Owed', look: 'accent', amounts: points.map(({ owed }) => owed) },
  ] as const
  const label = 'Owed and held, audit by audit'
  const drawn =
    points.length < 2
      ? html`<p class="soft">The line begins with the second audit.</p>`
      : lineChart({ label, unit, times: points.map(({ at }) => at), series })
  return html`<section class="wide"><h2>${label}</h2>${drawn}</section>`
}

function inAndOut({ movement: { days } }: OperatorsFigures, unit: string): Html {
  const up = { name: 'In', look: 'blue', amounts: days.map(({ received }) => received) } as const
  const down = { name: 'Out', look: 'accent', amounts: days.map(({ sent }) => sent) } as const
  const label = 'In and out of the wallet, 30 days'
  return html`<section><h2>${label}</h2>${barChart({ label, unit, days: days.map(({ at }) => at), up, down })}</section>`
}

function given({ movement: { days } }: OperatorsFigures, unit: string): Html {
  const up = { name: 'Given', look: 'accent', amounts: days.map((day) => day.given) } as const
  const label = 'Given by members, 30 days'
  return html`<section><h2>${label}</h2>${barChart({ label, unit, days: days.map(({ at }) => at), up })}</section>`
}

function payments({ bot }: OperatorsFigures, say: Sats, now: number): Html {
  const { count, oldestSince } = bot.status.inFlight
  const oldest = oldestSince === undefined ? '' : `, the oldest for ${ago(oldestSince.getTime(), now)}`
  const open = bot.unknown.map(
    ({ kind, id, member, amount, to, since, evidence, proposal }) => html`<li>
<b>${amount === undefined ? 'Amount not known' : say(amount)}</b> · ${kind} · ${ago(since.getTime(), now)}
<div class="small">Member ${member}${to !== '' && ` to ${to}`}<br><code>${id}</code>${evidence !== '' && html`<br>${evidence}`}
${proposal !== undefined && html`<br>One operator says: ${proposal.outcome}. ${proposal.dueAt === undefined ? 'A second one must agree.' : 'It takes effect by itself.'}`}</div></li>`,
  )
  return html`<section><h2>Payments</h2>
<p>${count === 0 ? 'None is on its way' : `${count} on their way`}${oldest}.</p>
${open.length === 0 ? html`<p class="good">✓ The outcome of every payment is known.</p>` : html`<p class="bad">Unknown outcome:</p><ul>${open}</ul>`}</section>`
}

/** Draws the node's capacity to send and to receive on one scale. The longer part is the larger capacity. */
function nodeOf({ node }: ServiceSide, say: Sats): Html {
  const { ready, reason, spendable, receivable } = node
  const all = Math.max(Number(spendable ?? 0n) + Number(receivable ?? 0n), 1)
  const known = spendable !== undefined && receivable !== undefined
  return html`<section><h2>Lightning node</h2>
<p class="${ready ? 'good' : 'bad'}">${ready ? '✓ It works.' : `✕ ${reason ?? 'It cannot be used.'}`}</p>
<div class="bar"><span>Can send</span><b class="send">${say(spendable)}</b></div>
<div class="bar"><span>Can receive</span><b class="receive">${say(receivable)}</b></div>
${
  known &&
  shareBar([
    [Number(spendable) / all, 'accent'],
    [Number(receivable) / all, 'blue'],
  ])
}
</section>`
}

function callbacks({ callbacks: { waiting, deadLettered, oldestMs } }: ServiceSide): Html {
  return html`<section><h2>Callbacks</h2><dl>
<dt>Waiting</dt><dd>${waiting}${waiting > 0 && `, the oldest for ${ago(0, oldestMs)}`}</dd>
<dt>Given up</dt><dd class="${deadLettered > 0 ? 'bad' : 'soft'}">${deadLettered}</dd></dl>
<p class="small">The bot asks for what it waits for, so a lost callback only delays it.</p></section>`
}

/** Draws each audit as a square, with the newest on the right: green, red, or grey if the wallet did not answer. */
function audits({ bot }: OperatorsFigures, now: number): Html {
  const shown = bot.audits.toReversed()
  if (shown.length === 0) return html`<section><h2>Audits</h2><p>There was none yet.</p></section>`
  const look = ({ holds, complete }: (typeof shown)[number]) =>
    !holds ? 'fill-bad' : complete ? 'fill-good' : 'fill-soft'
  const squares = shown.map(
    (audit, index) =>
      html`<rect class="${look(audit)}" x="${index * 10}" y="0" width="8" height="28" rx="2"><title>${audit.at.toISOString()}</title></rect>`,
  )
  const wrong = shown.filter(({ holds }) => !holds).length
  const [latest] = bot.audits
  const found = wrong === 0 ? 'nothing' : shown.length === 1 ? 'something' : `something (${wrong} of them)`
  const text = `The last ${shown.length === 1 ? 'audit' : `${shown.length} audits`} found ${found} wrong.`
  return html`<section><h2>Audits</h2>
<svg class="strip" viewBox="0 0 ${Math.max(shown.length, 30) * 10} 28" preserveAspectRatio="none" role="img" aria-label="${text}">${squares}</svg>
<p>${text}</p><p class="small">The newest was ${latest === undefined ? '' : ago(latest.at.getTime(), now)} ago.</p></section>`
}

function running({ since, provider, testMoney, bot }: OperatorsFigures, now: number): Html {
  return html`<section><h2>What runs</h2><dl>
<dt>Bot</dt><dd>since ${moment(since)} (${ago(since.getTime(), now)})</dd>
<dt>Provider</dt><dd>${provider}</dd>
<dt>Its node</dt><dd>${bot.node ?? 'not told'}</dd>
<dt>Money</dt><dd>${testMoney ? 'test sats' : 'real sats'}</dd>
<dt>Outgoing</dt><dd class="${bot.status.paused ? 'bad' : ''}">${bot.status.paused ? 'paused' : 'allowed'}</dd></dl></section>`
}

function alertsOf({ bot: { alerts }, names }: OperatorsFigures, now: number): Html {
  const named = (id: string) => (names.has(id) ? `@${names.get(id)}` : undefined)
  const lines = alerts.map(
    ({ text, at, told }) =>
      html`<li>${withNames(text, named)}<div class="small">${ago(at.getTime(), now)} ago · ${moment(at)}${!told && ' · not told on Discord yet'}</div></li>`,
  )
  const list = lines.length === 0 ? html`<p class="soft">There was none.</p>` : html`<ul>${lines}</ul>`
  return html`<section class="wide"><h2>Alerts</h2>${list}</section>`
}

function frame(title: string, body: Html, head: HtmlPart = ''): Html {
  return pageFrame({ title: `${title} · Satchel`, head: html`<style>${STYLE}</style>${head}` }, body)
}
