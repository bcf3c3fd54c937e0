import { type Html, type HtmlPart, html } from '../../lib/web/html.ts'
import { pageFrame } from '../../lib/web/page-frame.ts'
import type { Unit } from '../engine/node/unit.ts'
import type { LanguageCode } from './i18n/languages.ts'
import type { Translator } from './i18n/translator.ts'
import { type IconName, icon, logo } from './icons.ts'
import { languageMenu } from './language-menu.ts'

/** The addresses of the page's assets. An address changes whenever its file's content does. */
export interface Assets {
  readonly style: string
  readonly script: string
  readonly icon: string
  /** The script that reads QR codes in pictures, for browsers that cannot do so themselves. */
  readonly reader: string
}

/** What a page's frame shows. */
export interface Frame {
  readonly title: string
  readonly assets: Assets
  readonly unit: Unit
  readonly t: Translator
  /** The name of the community to which the page belongs. */
  readonly community: string
  /** The path that is loaded again after the reader has chosen another language. */
  readonly here: string
  /** The signed-in user's gamertag; undefined if nobody is signed in, and then the page has no menu. */
  readonly gamertag?: string | undefined
  /** The part of the wallet to which the page belongs. */
  readonly part?: Part | undefined
  /** A path that answers `{"state":…}`. The page is reloaded when the state differs from `state`. */
  readonly watch?: { readonly path: string; readonly state: string } | undefined
}

/** The wallet's parts and their paths. */
export const PARTS = {
  home: { path: '/wallet', label: 'parts.home', icon: 'wallet' },
  receive: { path: '/wallet/receive', label: 'parts.receive', icon: 'receive' },
  send: { path: '/wallet/send', label: 'parts.send', icon: 'send' },
  history: { path: '/wallet/history', label: 'parts.history', icon: 'history' },
  settings: { path: '/wallet/settings', label: 'parts.settings', icon: 'settings' },
} as const satisfies Record<string, { path: string; label: string; icon: IconName }>

export type Part = keyof typeof PARTS

/** Builds a whole page. */
export function frame(about: Frame, body: Html): Html {
  const { title, assets, unit, t, community, here, gamertag, part, watch } = about
  const head = html`<link rel="stylesheet" href="${assets.style}">
<link rel="icon" href="${assets.icon}" type="image/svg+xml">
<script src="${assets.script}" defer></script>
${watch && html`<noscript><meta http-equiv="refresh" content="5"></noscript>`}`
  const content = html`<a class="skip" href="#content">${t('frame.skip')}</a>
<header>
<a class="brand" href="/wallet">${logo()}<span>${community}</span></a>
${languageMenu(t, here)}
${gamertag !== undefined && html`<span class="whoami">${t.rich('frame.who', { name: html`<b>${gamertag}</b>` })}</span>`}
</header>
${gamertag !== undefined && navigation(part, t)}
<main id="content" tabindex="-1" data-copied="${t('frame.copied')}"${watch && html` data-watch="${watch.path}" data-state="${watch.state}"`}>
${body}
</main>
${unit === 'test sats' && html`<footer>${t('frame.test')}</footer>`}`
  return pageFrame({ language: t.code, title: t('frame.title', { title, community }), head }, content)
}

function navigation(current: Part | undefined, t: Translator): Html {
  const items = Object.entries(PARTS).map(
    ([name, { path, label, icon: drawing }]) =>
      html`<li><a href="${path}"${name === current && html` aria-current="page"`}>${icon(drawing)}<span>${t(label)}</span></a></li>`,
  )
  return html`<nav aria-label="${t('parts.home')}"><ul>${items}</ul></nav>`
}

/** Formats a moment in UTC. The page's script rewrites it in the reader's own time zone. */
export function moment(at: Date, language: LanguageCode): Html {
  const locale = language === 'en' ? 'en-GB' : language
  const text = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(at)
  return html`<time datetime="${at.toISOString()}">${text} UTC</time>`
}

/** Builds the message that says above a form why it was refused. */
export function alert(message: string | undefined): HtmlPart {
  return message !== undefined && html`<p class="alert" role="alert">${message}</p>`
}

/** Shows a text for copying, in a field where it can be selected, and with a button if scripts run. */
export function copyable(t: Translator, label: string, text: string, rows = 3): Html {
  const field =
    rows === 1
      ? html`<input readonly dir="ltr" value="${text}" spellcheck="false">`
      : html`<textarea readonly dir="ltr" rows="${rows}" spellcheck="false">${text}</textarea>`
  return html`<div class="copyable"><label>${label}${field}</label>
<button type="button" class="quiet" data-copy="${text}" hidden>${t('frame.copy')}</button></div>`
}

/** Shows names with their values, one pair per row. Omits rows without a value. */
export function facts(rows: ReadonlyArray<readonly [string, HtmlPart]>): Html {
  const shown = rows.filter(([, value]) => value !== undefined && value !== null && value !== false && value !== '')
  return html`<dl class="facts">${shown.map(([name, value]) => html`<div><dt>${name}</dt><dd dir="auto">${value}</dd></div>`)}</dl>`
}

/** Embeds a QR picture in the page. `label` explains what scanning it does. */
export function qrPicture(png: Buffer, label: string): Html {
  return html`<img class="qr" src="data:image/png;base64,${png.toString('base64')}" alt="${label}" width="280" height="280">`
}

/** Shows what the amount above it is worth today; undefined if no price is known. */
export function worthLine(text: string | undefined): Html | undefined {
  return text === undefined ? undefined : html`<p class="worth"><bdi dir="ltr">${text}</bdi></p>`
}
