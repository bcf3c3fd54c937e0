import type { FastifyInstance } from 'fastify'
import { html } from '../../lib/web/html.ts'
import { frame } from './frame.ts'
import { openFrame, readForm, sendPage, type WalletPageParts } from './page-request.ts'
import { refuseForeignForm } from './request-guard.ts'
import { signIn, whoseToken } from './session.ts'

/**
 * Adds the page behind a one-time sign-in link. Opening the link does not use it up, because chat programs fetch links
 * to preview them. Only a press on this page's button does, so no other site can sign a visitor into somebody else's
 * wallet.
 */
export function addSignIn(app: FastifyInstance, wallet: WalletPageParts): void {
  const { parts, cookie } = wallet

  app.get<{ Querystring: { token?: string } }>('/sign-in', async (request, reply) => {
    const { token = '' } = request.query
    const about = await openFrame(wallet, request)
    const { t } = about
    const gamertag = await whoseToken(parts, String(token))
    const body = html`<section class="card narrow">
<h1>${t('signIn.title', { name: gamertag })}</h1>
<p>${t('signIn.once')}</p>
<form method="post" action="/wallet/sign-in">
<input type="hidden" name="sign-in-token" value="${token}">
<button class="primary">${t('signIn.button', { name: gamertag })}</button>
</form>
<p class="hint">${t('signIn.notYou', { name: gamertag })}</p>
</section>`
    return sendPage(reply, frame({ ...about, title: t('signIn.button', { name: gamertag }) }, body))
  })

  app.post('/sign-in', async (request, reply) => {
    refuseForeignForm(request, parts.publicUrl)
    const token = readForm(request).get('sign-in-token') ?? ''
    cookie.set(reply, await signIn(parts, token, cookie.read(request)))
    return reply.redirect('/wallet', 303)
  })
}
