import { type Html, type HtmlPart, html } from '../../lib/http/html.ts'
import { formatSats } from '../../lib/money/amount.ts'
import type { Unit } from '../machines/node/unit.ts'
import { type IconName, icon, logo } from './icons.ts'

/** Where the page's own style sheet, script and icon are; their names change when they do. */
export interface Assets {
  readonly style: string
  readonly script: string
  readonly icon: string
}

/** What surrounds a page. */
export interface Frame {
  readonly title: string
  readonly assets: Assets
  readonly unit: Unit
  /** Undefined: nobody is signed in, so there is nowhere to go. */
  readonly gamertag?: string | undefined
  /** The part of the wallet that the page belongs to. */
  readonly part?: Part | undefined
  /** A path that answers `{"state":…}`: the page is shown again when the state is no longer `state`. */
  readonly watch?: { readonly path: string; readonly state: string } | undefined
}

const PARTS = {
  home: { path: '/wallet', label: 'Wallet', icon: 'wallet' },
  receive: { path: '/wallet/receive', label: 'Receive', icon: 'receive' },
  send: { path: '/wallet/send', label: 'Send', icon: 'send' },
  history: { path: '/wallet/history', label: 'History', icon: 'history' },
  settings: { path: '/wallet/settings', label: 'Settings', icon: 'settings' },
} as const satisfies Record<string, { path: string; label: string; icon: IconName }>

export type Part = keyof typeof PARTS

/** A whole page. */
export function frame(about: Frame, body: Html): Html {
  const { title, assets, unit, gamertag, part, watch } = about
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · Satchel wallet</title>
<link rel="stylesheet" href="${assets.style}">
<link rel="icon" href="${assets.icon}" type="image/svg+xml">
<script src="${assets.script}" defer></script>
${watch && html`<noscript><meta http-equiv="refresh" content="5"></noscript>`}
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="brand" href="/wallet">${logo()}<span>Satchel</span></a>
${gamertag !== undefined && html`<span class="whoami">Signed in as <b>${gamertag}</b></span>`}
</header>
${gamertag !== undefined && navigation(part)}
<main id="content" tabindex="-1"${watch && html` data-watch="${watch.path}" data-state="${watch.state}"`}>
${body}
</main>
${unit === 'test sats' && html`<footer>This wallet runs on a test network: its sats are for trying things out and have no value.</footer>`}
</body>
</html>`
}

function navigation(current: Part | undefined): Html {
  const items = Object.entries(PARTS).map(
    ([name, { path, label, icon: drawing }]) =>
      html`<li><a href="${path}"${name === current && html` aria-current="page"`}>${icon(drawing)}<span>${label}</span></a></li>`,
  )
  return html`<nav aria-label="Wallet"><ul>${items}</ul></nav>`
}

const NO_BREAK = '\u00a0'

/** An amount of msats in words, such as `1,000 sats`; kept on one line. */
export function inWords(amount: bigint, unit: Unit): string {
  const name = amount === 1_000n ? unit.slice(0, -1) : unit
  return `${formatSats(amount)} ${name}`.replaceAll(' ', NO_BREAK)
}

/** A moment, in UTC; the script writes it in the reader's own time. */
export function moment(at: Date): Html {
  const text = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(at)
  return html`<time datetime="${at.toISOString()}">${text} UTC</time>`
}

/** What went wrong with a form, above it. */
export function alert(message: string | undefined): HtmlPart {
  return message !== undefined && html`<p class="alert" role="alert">${message}</p>`
}

/** A text to be copied: readable, selectable, and with a button where scripts run. */
export function copyable(label: string, text: string, rows = 3): Html {
  return html`<div class="copyable"><label>${label}<textarea readonly rows="${rows}" spellcheck="false">${text}</textarea></label>
<button type="button" class="quiet" data-copy="${text}" hidden>Copy</button></div>`
}

/** Names and values, one row each; rows without a value are left out. */
export function facts(rows: ReadonlyArray<readonly [string, HtmlPart]>): Html {
  const shown = rows.filter(([, value]) => value !== undefined && value !== null && value !== false && value !== '')
  return html`<dl class="facts">${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

/** A QR picture as part of the page. `label` says what scanning it does. */
export function qrPicture(png: Buffer, label: string): Html {
  return html`<img class="qr" src="data:image/png;base64,${png.toString('base64')}" alt="${label}" width="280" height="280">`
}
