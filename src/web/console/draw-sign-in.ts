import { type Html, type HtmlPart, html } from '../../lib/web/html.ts'
import { actionForm, bare, consolePage, passwordField, type Viewer } from './frame.ts'
import type { Key, Texts } from './texts.ts'

/** Where somebody signs in. `problem`: what came of the last attempt. */
export function drawSignIn(t: Texts, hasPassword: boolean, problem?: string): Html {
  const form = html`<form method="post" action="/console/sign-in">${passwordField(t('signIn.password'))}
<button class="primary">${t('signIn.button')}</button></form>`
  return bare(
    t('page.title'),
    html`<section class="card"><h1>${t('signIn.title')}</h1>
${problem !== undefined && html`<p class="bad" role="alert">${problem}</p>`}
${hasPassword && form}
<p>${t.html('signIn.byLink')}</p>
${!hasPassword && html`<p class="small">${t.html('signIn.noPassword')}</p>`}</section>`,
  )
}

/** Why nothing was done. */
export function drawRefused(t: Texts, why: HtmlPart): Html {
  return bare(
    t('page.title'),
    html`<section class="card"><h1>${t('refused.title')}</h1><p class="bad" role="alert">${why}</p>
<p><a href="/console">${t('refused.back')}</a></p></section>`,
  )
}

/** Names that no person has filled in. */
const UNSEEN = ['form', 'password', 'payment', 'proposal']

/**
 * Asks for another sign-in before something is done. Who has the password goes on here, with what they filled in; who came by a link needs
 * another one, and sees what they filled in.
 */
export function drawFresh(
  viewer: Viewer,
  {
    action,
    form,
    byPassword,
    problem,
  }: {
    readonly action: string
    readonly form: URLSearchParams
    readonly byPassword: boolean
    readonly problem?: string | undefined
  },
): Html {
  const { t } = viewer
  const filled = [...form].filter(([name]) => name !== 'form' && name !== 'password')
  const shown = filled.filter(([name, value]) => !UNSEEN.includes(name) && value !== '')
  const typed =
    shown.length > 0 &&
    html`<p class="small">${t('fresh.typed')}</p><ul>${shown.map(([, value]) => html`<li>${value}</li>`)}</ul>`
  const next = byPassword
    ? actionForm(viewer, {
        ...{ action, hidden: Object.fromEntries(filled), button: t('fresh.button'), primary: true },
        fields: passwordField(t('fresh.password')),
      })
    : html`<p>${t.html('fresh.byLink')}</p>`
  return consolePage(
    viewer,
    '',
    html`<section class="card"><h2>${t('fresh.title')}</h2>${t.has(`fresh.action.${action}`) && html`<p class="lead">${t(`fresh.action.${action}` as Key)}</p>`}<p>${t('fresh.why')}</p>
${problem !== undefined && html`<p class="bad" role="alert">${problem}</p>`}
${typed}${next}</section>`,
  )
}
