import { type Html, type HtmlPart, html, withCode } from '../../lib/web/html.ts'
import { actionForm, bare, consolePage, passwordField, secretField, type Viewer } from './frame.ts'
import type { Key, Translator } from './i18n/translator.ts'
import { passkeyForm } from './passkey-form.ts'
import type { PasskeyOptions } from './passkey-options.ts'
import { isSecret, secretName } from './secret-fields.ts'

export interface SignInView {
  readonly hasPassword: boolean
  readonly hasPasskeys: boolean
  /** Why the last attempt failed. */
  readonly problem?: string | undefined
}

/** Draws the sign-in page. */
export function drawSignIn(t: Translator, { hasPassword, hasPasskeys, problem }: SignInView): Html {
  const form = html`<form method="post" action="/console/sign-in">${passwordField(t('signIn.password'))}
<button class="primary">${t('signIn.button')}</button></form>`
  const byPasskey = html`<form method="post" action="/console/passkey"><button${!hasPassword && html` class="primary"`}>${t('signIn.byPasskey')}</button></form>`
  return bare(
    t('page.title'),
    html`<section class="card"><h1>${t('signIn.title')}</h1>
${problem !== undefined && html`<p class="bad" role="alert">${withCode(problem)}</p>`}
${hasPassword && form}
${hasPasskeys && byPasskey}
<p>${t.html('signIn.byLink')}</p>
${!hasPassword && html`<p class="small">${t.html('signIn.noPassword')}</p>`}</section>`,
  )
}

/** Draws the reason why the console did nothing. */
export function drawRefused(t: Translator, why: HtmlPart): Html {
  return bare(
    t('page.title'),
    html`<section class="card"><h1>${t('refused.title')}</h1><p class="bad" role="alert">${why}</p>
<p><a href="/console">${t('refused.back')}</a></p></section>`,
  )
}

/** The names of fields that the list of entries leaves out, because they are secret or nobody types them. */
const UNSEEN = ['form', 'password', 'answer', 'payment', 'proposal', 'passkey', 'made', 'version']

/**
 * Asks for another sign-in before an action. A visitor with the password or a passkey continues here with their
 * entries; other visitors see their entries and need another link.
 */
export function drawFresh(
  viewer: Viewer,
  {
    action,
    form,
    byPassword,
    passkey,
    problem,
  }: {
    readonly action: string
    readonly form: URLSearchParams
    readonly byPassword: boolean
    /** The request to the browser for a passkey; undefined if the operator has no passkey for this address. */
    readonly passkey?: PasskeyOptions | undefined
    readonly problem?: string | undefined
  },
): Html {
  const { t } = viewer
  const filled = [...form].filter(([name]) => !['form', 'password', 'answer'].includes(name) && !isSecret(name))
  const shown = filled.filter(([name, value]) => !UNSEEN.includes(name) && value !== '')
  const typed =
    shown.length > 0 &&
    html`<p class="small">${t('fresh.typed')}</p><ul>${shown.map(([, value]) => html`<li>${value}</li>`)}</ul>`
  const hidden = Object.fromEntries(filled.map(([name]) => [name, form.getAll(name)]))
  const byPasskey =
    passkey !== undefined &&
    passkeyForm(t, {
      ...{ action, field: 'answer', options: passkey, button: t('fresh.byPasskey'), now: false },
      hidden: { ...hidden, form: viewer.newToken() },
      fields: secretsAgain(viewer, form, 'passkey'),
    })
  const next = byPassword
    ? actionForm(viewer, {
        ...{ action, hidden, button: t('fresh.button'), primary: passkey === undefined },
        fields: html`${secretsAgain(viewer, form, 'password')}${passwordField(t('fresh.password'))}`,
      })
    : html`<p>${t.html('fresh.byLink')}</p>`
  return consolePage(
    viewer,
    '',
    html`<section class="card"><h2>${t('fresh.title')}</h2>${t.has(`fresh.action.${action}`) && html`<p class="lead">${t(`fresh.action.${action}` as Key)}</p>`}<p>${t('fresh.why')}</p>
${problem !== undefined && html`<p class="bad" role="alert">${withCode(problem)}</p>`}
${typed}${byPasskey}${next}</section>`,
  )
}

/** Draws fields for entering the secrets again, because no page keeps a secret, not even for its next form. */
function secretsAgain({ t }: Viewer, form: URLSearchParams, by: string): Html[] {
  const filled = [...form].filter(([name, value]) => isSecret(name) && value !== '')
  return filled.map(([name]) =>
    secretField({
      ...{ id: `${by}-${secretName(name)}`, name, most: 1_000, required: true },
      label: html`<code>${secretName(name)}</code>, ${t('fresh.secret')}`,
    }),
  )
}
