import { type Html, html } from '../../lib/web/html.ts'
import { MAX_PASSKEY_LABEL, type OperatorPasskey } from '../../tipping/tipping.ts'
import { momentText } from '../operators-page/time-text.ts'
import { actionForm, bare, card, consolePage, type Outcome, outcome, textField, type Viewer } from './frame.ts'
import type { Translator } from './i18n/translator.ts'
import { passkeyForm } from './passkey-form.ts'
import type { PasskeyOptions } from './passkey-options.ts'

export interface PasskeysView extends Outcome {
  readonly viewer: Viewer
  /** The id under which the books know the viewer. */
  readonly operator: string
  readonly passkeys: readonly OperatorPasskey[]
  /** The origin at which passkeys work, besides `localhost`. */
  readonly origin: string | undefined
}

/** Draws all operators' passkeys, and the form that adds a passkey. */
export function drawPasskeys(view: PasskeysView): Html {
  const { viewer, passkeys, origin, refused } = view
  const { t, access } = viewer
  const fields = textField({
    ...{ id: 'passkey-label', name: 'label', label: t('passkeys.label'), most: MAX_PASSKEY_LABEL, required: true },
    value: refused?.form.get('label') ?? '',
  })
  const where = origin === undefined ? t.html('passkeys.where') : t.html('passkeys.whereAlso', { origin })
  const list =
    passkeys.length === 0
      ? html`<p>${t('passkeys.none')}</p>`
      : html`<ul class="list">${passkeys.map((passkey) => line(view, passkey))}</ul>`
  return consolePage(
    viewer,
    '/console/passkeys',
    html`${outcome(viewer, view)}
${access === 'operator' && card(t('passkeys.add'), html`<p>${t('passkeys.what')}</p><p class="small">${where}</p>${actionForm(viewer, { action: 'passkey-new', fields, button: t('passkeys.add'), primary: true })}`)}
${card(t('passkeys.title'), list)}`,
  )
}

function line({ viewer, operator }: PasskeysView, passkey: OperatorPasskey): Html {
  const { t } = viewer
  const { id, label, origin, createdAt, usedAt, isConfirmed } = passkey
  const isOwn = passkey.operator.id === operator
  const used = usedAt === undefined ? t('passkeys.neverUsed') : t('passkeys.used', { when: momentText(usedAt) })
  const hidden = { passkey: id }
  const confirm = isOwn
    ? actionForm(viewer, { action: 'passkey-confirm', hidden, button: t('passkeys.confirm') })
    : html`<p class="small">${t('passkeys.othersConfirm')}</p>`
  return html`<li><b>${label}</b> · ${passkey.operator.name}${isOwn && html` (${t('passkeys.yours')})`}
<div class="small"><code>${passkey.operator.id}</code> · ${origin}<br>${t('passkeys.made', { when: momentText(createdAt) })} · ${used}</div>
${!isConfirmed && html`<p class="bad">${t('passkeys.restored')}</p>${confirm}`}
${actionForm(viewer, { action: 'passkey-remove', hidden, button: t('passkeys.remove', { label }) })}</li>`
}

/** Draws the page on which a browser makes a passkey. */
export function drawNewPasskey(
  viewer: Viewer,
  { label, options }: { readonly label: string; readonly options: PasskeyOptions },
): Html {
  const { t } = viewer
  const form = passkeyForm(t, {
    ...{ action: 'passkey-add', field: 'made', options, button: t('passkeys.make'), now: true },
    hidden: { form: viewer.newToken(), label },
  })
  const content = html`<p>${t('passkeys.asks')}</p>${form}<p><a href="/console/passkeys">${t('passkeys.back')}</a></p>`
  return consolePage(viewer, '/console/passkeys', card(t('passkeys.makeTitle', { label }), content))
}

/** Draws the page on which a browser signs in with a passkey. */
export function drawPasskeySignIn(t: Translator, options: PasskeyOptions): Html {
  const form = passkeyForm(t, {
    ...{ action: 'passkey-sign-in', field: 'answer', hidden: {}, options, button: t('signIn.byPasskey'), now: true },
  })
  return bare(
    t('page.title'),
    html`<section class="card"><h1>${t('signIn.title')}</h1><p>${t('passkeys.asks')}</p>${form}
<p><a href="/console">${t('passkeys.other')}</a></p></section>`,
  )
}
