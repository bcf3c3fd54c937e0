import type { FastifyInstance } from 'fastify'
import { type Html, html } from '../../lib/web/html.ts'
import type { LogInScope } from '../../payments-api/payments-api.ts'
import { CLIENT_ID } from '../log-in/clients.ts'
import { type ConnectedApp, disconnect, listConnectedApps } from '../log-in/grants.ts'
import { moment } from './frame.ts'
import type { Translator } from './i18n/translator.ts'
import { addForm, type PageRequest, type WalletPageParts } from './page-request.ts'

/** Adds the form that ends a program's permission. */
export function addConnectedApps(app: FastifyInstance, wallet: WalletPageParts): void {
  addForm(app, wallet, '/disconnect', async ({ parts, user, form }) => {
    const [app, at] = [form.get('app') ?? '', new Date(parts.clock.now())]
    if (CLIENT_ID.test(app)) await parts.ledger.commit({ write: (tx) => disconnect(tx, user.id, app, at) })
    return '/wallet/settings'
  })
}

/**
 * Builds the card that lists the programs that the user has logged in to, each with its rights and a button that
 * revokes them; undefined if there are none.
 */
export async function connectedAppsCard(pageRequest: PageRequest): Promise<Html | undefined> {
  const { parts, user, t } = pageRequest
  const apps = await listConnectedApps(parts, user.id)
  if (apps.length === 0) return undefined
  return html`<section class="card" aria-labelledby="apps">
<h2 id="apps">${t('logIn.apps')}</h2>
<p class="hint">${t('logIn.appsHint')}</p>
${apps.map((each) => connectedApp(pageRequest, each))}
</section>`
}

function connectedApp(pageRequest: PageRequest, { clientId, name, scopes, since }: ConnectedApp): Html {
  const { t } = pageRequest
  return html`<form method="post" action="/wallet/disconnect">${pageRequest.formFields()}
<input type="hidden" name="app" value="${clientId}">
<p><b><bdi>${name}</bdi></b> <small>${moment(since, t.code)}</small></p>
${scopeList(t, scopes)}
<button>${t('logIn.end', { app: name })}</button>
</form>`
}

const SCOPE_WORDS = { user: 'logIn.user', wallet: 'logIn.wallet' } as const satisfies Record<LogInScope, string>

/** Lists a program's rights as text. */
export function scopeList(t: Translator, scopes: readonly LogInScope[]): Html {
  return html`<ul>${scopes.map((scope) => html`<li>${t(SCOPE_WORDS[scope])}</li>`)}</ul>`
}
