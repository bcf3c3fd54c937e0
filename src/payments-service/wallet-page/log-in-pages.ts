import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Html, html } from '../../lib/web/html.ts'
import { pageFrame } from '../../lib/web/page-frame.ts'
import { AUTHORIZE_PATH } from '../../payments-api/payments-api.ts'
import { createAddressRateLimit } from '../engine/limits/rate-limit.ts'
import { type AuthorizationRequest, answerTo, readAuthorizationRequest } from '../log-in/authorization-request.ts'
import { allow } from '../log-in/grants.ts'
import { hostOf } from '../log-in/redirect-uris.ts'
import { scopeList } from './connected-apps.ts'
import type { Frame } from './frame.ts'
import {
  addForm,
  addPage,
  noticePage,
  openFrame,
  type PageRequest,
  sendPage,
  type WalletPageParts,
} from './page-request.ts'
import { WalletProblem } from './problems.ts'

const PAGE = '/wallet/log-in'

/**
 * The page's Content-Security-Policy. It has no `form-action`, because browsers also apply that to the addresses to
 * which a form's answer redirects, and the programs' addresses cannot be listed here. The page has no form but its own.
 */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; frame-ancestors 'none'"

/**
 * Serves the address to which programs send users (RFC 6749, 3.1). If another site links here, a browser sends no
 * strict cookie, so this page forwards to the page that asks for consent: that request carries the cookie.
 */
export function addLogInEntry(app: FastifyInstance, wallet: WalletPageParts): void {
  const { clock, settings } = wallet.parts
  const limit = createAddressRateLimit(clock, settings.publicRequestsPerSecond)
  app.get(AUTHORIZE_PATH, async (request, reply) => {
    limit.take(request.ip)
    const asked = await read(wallet, queryOf(request))
    if (typeof asked === 'string') return reply.redirect(asked, 303)
    const about = await openFrame(wallet, request)
    return sendPage(reply, leadOn(about, asked))
  })
}

function leadOn({ t, assets }: Omit<Frame, 'title'>, { query }: AuthorizationRequest): Html {
  const path = `${PAGE}?${query}`
  const head = html`<link rel="stylesheet" href="${assets.style}">
<meta http-equiv="refresh" content="0; url=${path}">`
  const body = html`<main><section class="card centred"><p><a class="button primary" href="${path}">${t('logIn.continue')}</a></p></section></main>`
  return pageFrame({ language: t.code, title: t('logIn.continue'), head }, body)
}

/** Adds the page that asks a user whether a program may do what it asks for, and the form with the answer. */
export function addLogInPages(app: FastifyInstance, wallet: WalletPageParts): void {
  addPage(app, wallet, '/log-in', async (pageRequest) => {
    const asked = await read(wallet, pageRequest.query)
    return typeof asked === 'string' ? asked : showConsent(pageRequest, asked)
  })
  addForm(app, wallet, '/log-in', decide)
}

async function showConsent(pageRequest: PageRequest, { client, scopes, redirectUri, query }: AuthorizationRequest) {
  const { t, reply, user } = pageRequest
  const [app, host] = [client.name, hostOf(redirectUri)]
  void reply.header('content-security-policy', CONTENT_SECURITY_POLICY)
  return pageRequest.page(
    { title: t('logIn.title', { app }) },
    html`<section class="card narrow">
<h1>${t('logIn.title', { app })}</h1>
<p>${t.rich('logIn.asks', { app: html`<b><bdi>${app}</bdi></b>`, name: html`<b>${user.gamertag}</b>` })}</p>
${scopeList(t, scopes)}
<p>${t('logIn.never')}</p>
<p class="hint">${host === undefined ? t('logIn.backHere') : t('logIn.backTo', { host })}</p>
<form method="post" action="${PAGE}">${pageRequest.formFields()}
<input type="hidden" name="request" value="${query}" autocomplete="off">
<div class="actions"><button class="primary" name="answer" value="allow">${t('logIn.allow')}</button>
<button name="answer" value="deny">${t('frame.cancel')}</button></div>
</form>
</section>`,
  )
}

async function decide(pageRequest: PageRequest): Promise<string> {
  const { wallet, parts, user, form } = pageRequest
  // The browser's user could change the form's content, so it is checked again from the start.
  const asked = await read(wallet, new URLSearchParams(form.get('request') ?? ''))
  if (typeof asked === 'string') return asked
  if (form.get('answer') !== 'allow') {
    const description = 'The user does not allow it.'
    return answerTo(parts, asked, { error: 'access_denied', error_description: description })
  }
  return answerTo(parts, asked, { code: await allow(parts, user.id, asked) })
}

/**
 * Reads a program's request. If it is faulty, resolves to the address that takes the error to the program. Throws
 * WalletProblem if the user must not be redirected.
 */
async function read({ parts }: WalletPageParts, query: URLSearchParams): Promise<AuthorizationRequest | string> {
  const asked = await readAuthorizationRequest(parts, query)
  switch (asked.kind) {
    case 'asked':
      return asked.request
    case 'refused':
      return asked.location
    case 'unknown client':
      throw new WalletProblem(400, 'unknown_app', (t) => t('logIn.unknownApp'))
    case 'wrong redirect':
      throw new WalletProblem(400, 'wrong_redirect', (t) => t('logIn.wrongRedirect'))
  }
}

/** Reads the program's request if a visitor without a session opens the page of consent; undefined for other pages. */
export async function askedBefore(
  wallet: WalletPageParts,
  request: FastifyRequest,
): Promise<AuthorizationRequest | undefined> {
  if (request.method !== 'GET' || !request.url.startsWith(`${PAGE}?`)) return undefined
  const asked = await readAuthorizationRequest(wallet.parts, queryOf(request))
  return asked.kind === 'asked' ? asked.request : undefined
}

/** Builds the page that explains how to sign in, which users must do before they can answer a program's request. */
export function signInFirst(about: Omit<Frame, 'title'>, { client, query }: AuthorizationRequest): Html {
  const { t } = about
  const app = client.name
  return noticePage(
    { ...about, title: t('logIn.title', { app }) },
    html`<p>${t('logIn.signIn', { app, command: t.command('wallet'), button: t('logIn.continue') })}</p>
<p><a class="button primary" href="${PAGE}?${query}">${t('logIn.continue')}</a></p>`,
  )
}

function queryOf({ url }: FastifyRequest): URLSearchParams {
  return new URLSearchParams(url.split('?').slice(1).join('?'))
}
