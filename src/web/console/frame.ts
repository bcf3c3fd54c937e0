import { type Html, type HtmlPart, html, withCode } from '../../lib/web/html.ts'
import { hashForPolicy, inlineFile, joinFiles } from '../../lib/web/inline-file.ts'
import { BASE_STYLE, pageFrame } from '../../lib/web/page-frame.ts'
import type { Access } from './console.ts'
import type { Key, Translator } from './i18n/translator.ts'

const STYLE = joinFiles(
  BASE_STYLE,
  inlineFile(new URL('../set-up/assets/set-up.css', import.meta.url)),
  inlineFile(new URL('./assets/console.css', import.meta.url)),
)

/** The Content-Security-Policy of pages that run no script, load nothing, and send forms only to their own server. */
export const CONSOLE_POLICY = [
  "default-src 'none'",
  `style-src '${hashForPolicy(STYLE.text)}'`,
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const COPY = inlineFile(new URL('./assets/copy.js', import.meta.url))

/** The policy of a page that shows a secret once. Its only script is that of the buttons that copy. */
export const ONCE_POLICY = `${CONSOLE_POLICY}; script-src '${hashForPolicy(COPY.text)}'`

export interface Viewer {
  readonly name: string
  readonly access: Access
  readonly t: Translator
  /** Creates a token for one form. */
  readonly newToken: () => string
}

/** The parts of the console. */
const PARTS: readonly (readonly [path: string, key: Key])[] = [
  ['/console', 'page.home'],
  ['/operators', 'page.figures'],
  ['/console/pools', 'page.pools'],
  ['/console/service', 'page.service'],
  ['/console/passkeys', 'page.passkeys'],
  ['/console/backup', 'page.backup'],
  ['/console/log', 'page.log'],
  ['/console/settings', 'page.settings'],
]

/** Draws a page of the console for a person who is signed in. `path` marks the present part in the navigation. */
export function consolePage(viewer: Viewer, path: string, content: HtmlPart): Html {
  const { t, name, access } = viewer
  const links = PARTS.map(
    ([to, key]) => html`<a href="${to}"${to === path && html` aria-current="page"`}>${t(key)}</a>`,
  )
  return bare(
    t('page.title'),
    html`<header class="bar"><h1>${t('page.title')}</h1><span class="small">${t('page.signedIn', { name })}</span>
<form method="post" action="/operators/sign-out"><button>${t('page.signOut')}</button></form></header>
<nav aria-label="${t('page.title')}">${links}</nav>
${access === 'reader' && html`<p class="small">${t('page.readOnly')}</p>`}
${content}`,
  )
}

/** Draws a page for a person who is not signed in, or a page without the console's navigation. */
export function bare(title: string, content: HtmlPart): Html {
  return pageFrame({ title, head: html`<style>${STYLE}</style>` }, html`<main>${content}</main>`)
}

/** A refused form: its entries, so that nobody has to type twice, and the reason. */
export interface Refused {
  readonly action: string
  readonly form: URLSearchParams
  readonly problem: string
}

/** A secret that is shown only once: its name and value. */
export type Secret = readonly [name: Key, value: string]

/** The result of the last form. */
export interface Outcome {
  readonly said: Key | undefined
  readonly refused: Refused | undefined
  readonly once?: readonly Secret[]
  readonly notes?: readonly string[]
}

/** Draws the result of the last form, for the top of a page. */
export function outcome({ t }: Viewer, { said, refused, once = [], notes = [] }: Outcome): HtmlPart {
  const secrets = once.map(
    ([name, value], i) =>
      html`<dt id="once-${i}">${t(name)}</dt><dd><code>${value}</code> <button type="button" data-copy data-copied="${t('once.copied')}" data-chosen="${t('once.chosen')}" aria-describedby="once-${i}" hidden>${t('once.copy')}</button></dd>`,
  )
  return html`${said !== undefined && html`<div class="card" role="status"><p>${t(said)}</p>${notes.map((note) => html`<p>${note}</p>`)}</div>`}
${secrets.length > 0 && card(t('once.title'), html`<p class="bad">${t('once.what')}</p><dl class="secrets">${secrets}</dl><script type="module">${COPY}</script>`)}
${refused !== undefined && html`<p class="card bad" role="alert">${t('refused.title')}. ${withCode(refused.problem)}</p>`}`
}

export function card(title: string, content: HtmlPart, id?: string): Html {
  return html`<section class="card"${id !== undefined && html` id="${id}"`}><h2>${title}</h2>${content}</section>`
}

/** The hidden values of a form: one or several for each name. */
export type Hidden = Readonly<Record<string, string | readonly string[]>>

export function hiddenFields(hidden: Hidden): Html[] {
  const values = Object.entries(hidden).flatMap(([name, value]) => [value].flat().map((one) => [name, one] as const))
  return values.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
}

export interface FormParts {
  /** The console's action: `pause` is sent to `/console/pause`. */
  readonly action: string
  readonly fields?: HtmlPart
  /** The hidden values. */
  readonly hidden?: Hidden
  readonly button: string
  readonly primary?: boolean
}

/** Draws a form for an action; undefined for readers, who cannot act. */
export function actionForm(
  { access, newToken }: Viewer,
  { action, fields, hidden = {}, button, primary }: FormParts,
): HtmlPart {
  if (access === 'reader') return undefined
  return html`<form method="post" action="/console/${action}">${hiddenFields({ ...hidden, form: newToken() })}${fields}<button${primary && html` class="primary"`}>${button}</button></form>`
}

export interface FieldParts {
  readonly id: string
  readonly name: string
  readonly label: HtmlPart
  readonly value?: string | undefined
  readonly required?: boolean
  readonly most: number
  readonly numeric?: boolean
}

export function textField({ id, name, label, value = '', required, most, numeric }: FieldParts): Html {
  return html`<label for="${id}">${label}</label>
<input id="${id}" name="${name}" value="${value}" maxlength="${most}" autocomplete="off"${numeric && html` inputmode="decimal"`}${required && html` required`}>`
}

export interface ChoiceParts {
  readonly name: string
  readonly legend: HtmlPart
  readonly chosen?: string | undefined
  /** Whether the form can be sent without a choice. */
  readonly mayBeNone?: boolean
}

/** Draws a choice between several values. Only `chosen`, the person's earlier choice, is selected at first. */
export function choiceField(
  { name, legend, chosen, mayBeNone }: ChoiceParts,
  choices: readonly (readonly [value: string, label: string])[],
): Html {
  const radios = choices.map(
    ([value, label]) =>
      html`<label><input type="radio" name="${name}" value="${value}"${!mayBeNone && html` required`}${value === chosen && html` checked`}> ${label}</label>`,
  )
  return html`<fieldset><legend>${legend}</legend>${radios}</fieldset>`
}

export interface SecretParts {
  readonly id: string
  readonly name: string
  readonly label: HtmlPart
  readonly most: number
  readonly help?: string
  readonly required?: boolean
}

/** Draws a field for a secret, whose value no page shows. */
export function secretField({ id, name, label, most, help, required }: SecretParts): Html {
  return html`<label for="${id}">${label}</label>
<input id="${id}" name="${name}" type="password" maxlength="${most}" autocomplete="off" spellcheck="false"${help !== undefined && html` aria-describedby="${id}-help"`}${required && html` required`}>
${help !== undefined && html`<p class="small" id="${id}-help">${help}</p>`}`
}

/** Draws a field for the operators' password. */
export function passwordField(label: string): Html {
  return html`<label for="password">${label}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required autofocus>`
}
