import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { HttpProblem } from '../../lib/http/http-problem.ts'
import { requestLogger } from '../../lib/http/http-server.ts'
import { createQrPictures } from '../../lib/lightning/qr-pictures.ts'
import { html } from '../../lib/web/html.ts'
import type { Idempotency } from '../engine/http/idempotency.ts'
import { createRateLimit } from '../engine/limits/rate-limit.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import { addClaimPages } from './claim-page.ts'
import { addHomePages } from './home-page.ts'
import { createTranslators } from './i18n/translator.ts'
import { addLanguageChoice } from './language-choice.ts'
import { addLogInEntry, addLogInPages, askedBefore, signInFirst } from './log-in-pages.ts'
import { createOnce } from './once-only.ts'
import { type HeldAtBot, noticePage, openFrame, SignedOut, sendPage, type WalletPageParts } from './page-request.ts'
import { problemOf, WalletProblem, wordsOf } from './problems.ts'
import { addReceiptPages } from './receipt-pages.ts'
import { addReceivePages } from './receive-page.ts'
import { createSessionCookie } from './request-guard.ts'
import { addSendPages } from './send-page.ts'
import { addSettingsPages } from './settings-page.ts'
import { addSignIn } from './sign-in-page.ts'
import { addVoucherPage } from './voucher-page.ts'

/** The number of forms that one user can send per second on average. They can send ten seconds' worth at once. */
const FORMS_PER_SECOND = 2
/** The number of pages that one user can load per second on average. */
const PAGES_PER_SECOND = 4
const MAX_FORM_BYTES = 32 * 1024
const YEAR_SECONDS = 31_536_000
/** The folder of the assets shared with the bot's pages. */
const SHARED = '../../../lib/web/assets'

/** Permits nothing from other hosts and nothing inline, no form that is sent elsewhere, and no frame. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
const PAGE_HEADERS = { 'content-security-policy': CONTENT_SECURITY_POLICY, 'referrer-policy': 'same-origin' }

/** Serves the pages at `/wallet`, on which users see, receive and send the sats of their gamertag. */
export interface WalletPage {
  addTo(app: FastifyInstance): void
  /**
   * Explains on a page what is wrong with a request that matches no route. Returns false for an address outside the
   * wallet.
   */
  tell(problem: HttpProblem, request: FastifyRequest, reply: FastifyReply): boolean
}

/** Creates the wallet page from plain HTML and forms. A script only adds comfort. */
export function createWalletPage(parts: ServiceParts, idempotency: Idempotency, heldAtBot?: HeldAtBot): WalletPage {
  const style = readAsset('wallet.css', 'text/css; charset=utf-8', [
    '../../../lib/web/base.css',
    'frame.css',
    'parts.css',
    `${SHARED}/scan.css`,
  ])
  const script = readAsset('wallet.js', 'text/javascript; charset=utf-8', ['wallet.js', `${SHARED}/scan.js`])
  const picture = readAsset('icon.svg', 'image/svg+xml', [`${SHARED}/icon.svg`])
  const reader = versioned(
    'reader.js',
    'text/javascript; charset=utf-8',
    readFileSync(createRequire(import.meta.url).resolve('jsqr')),
  )
  const wallet: WalletPageParts = {
    parts,
    heldAtBot,
    once: createOnce(parts, idempotency),
    cookie: createSessionCookie(parts),
    assets: { style: style.path, script: script.path, icon: picture.path, reader: reader.path },
    speak: createTranslators(),
    limit: createRateLimit(parts.clock, FORMS_PER_SECOND),
    pageLimit: createRateLimit(parts.clock, PAGES_PER_SECOND),
    qrPicture: createQrPictures(),
  }
  return {
    addTo(app) {
      void app.register((page) => addPages(page, wallet, [style, script, picture, reader]), { prefix: '/wallet' })
      void app.register(async (page) => {
        addHeaders(page, wallet)
        addLogInEntry(page, wallet)
        answerInHtml(page, wallet)
      })
    },
    tell(problem, request, reply) {
      if (!/^\/wallet(?:[/?]|$)/.test(request.url)) return false
      reply.headers(PAGE_HEADERS)
      void tellProblem(wallet, problem, request, reply)
      return true
    },
  }
}

async function addPages(page: FastifyInstance, wallet: WalletPageParts, assets: readonly Asset[]): Promise<void> {
  readForms(page)
  addHeaders(page, wallet)
  for (const asset of assets) addAsset(page, asset)
  addSignIn(page, wallet)
  addLanguageChoice(page, wallet)
  page.get('/signed-out', async (request, reply) => sendPage(reply, await signedOut(wallet, request)))
  addHomePages(page, wallet)
  addReceivePages(page, wallet)
  addClaimPages(page, wallet)
  addSendPages(page, wallet)
  addReceiptPages(page, wallet)
  addVoucherPage(page, wallet)
  addSettingsPages(page, wallet)
  addLogInPages(page, wallet)
  page.setNotFoundHandler(() => {
    throw new WalletProblem(404, 'unknown_route', (t) => t('errors.noPage'))
  })
  answerInHtml(page, wallet)
}

function addHeaders(page: FastifyInstance, wallet: WalletPageParts): void {
  page.addHook('onRequest', async (request, reply) => {
    reply.headers(PAGE_HEADERS)
    // A page that says that the service is not offered here needs its style too.
    if (!request.url.startsWith('/wallet/assets/')) await wallet.parts.regions.admit(request.ip)
  })
}

function readForms(page: FastifyInstance): void {
  page.removeAllContentTypeParsers()
  const options = { parseAs: 'string', bodyLimit: MAX_FORM_BYTES } as const
  page.addContentTypeParser<string>('application/x-www-form-urlencoded', options, (_request, body, done) =>
    done(null, new URLSearchParams(body)),
  )
}

/** Answers an error of the wallet page with a page that explains it. */
function answerInHtml(page: FastifyInstance, wallet: WalletPageParts): void {
  page.setErrorHandler(async (error, request, reply) => {
    if (error instanceof SignedOut) return sendPage(reply.code(error.status), await signedOut(wallet, request))
    const problem = problemOf(error)
    if (problem !== undefined) return tellProblem(wallet, problem, request, reply)
    const { statusCode } = error as { statusCode?: number }
    const status = statusCode !== undefined && statusCode >= 400 && statusCode < 500 ? statusCode : 500
    if (status === 500) requestLogger(request).error({ err: error }, 'a page of the wallet failed unexpectedly')
    const about = await openFrame(wallet, request)
    const { t } = about
    const words = html`<p>${t(status === 500 ? 'errors.ours' : 'errors.unreadable')}</p>
<p class="hint">${t('errors.reference', { id: request.id })}</p>
<p><a class="button primary" href="/wallet/history">${t('errors.toHistory')}</a></p>`
    return sendPage(reply.code(status), noticePage({ ...about, title: t('errors.title') }, words))
  })
}

async function tellProblem(
  wallet: WalletPageParts,
  problem: HttpProblem,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const about = await openFrame(wallet, request)
  const { t, unit } = about
  const title = t(problem.status === 404 ? 'errors.missing' : 'errors.title')
  const words = html`<p>${wordsOf(problem, t, unit)}</p><p><a class="button primary" href="/wallet">${t('errors.toWallet')}</a></p>`
  return sendPage(reply.code(problem.status).headers(problem.headers), noticePage({ ...about, title }, words))
}

/**
 * Builds the page for visitors without a session. A signed-in visitor who follows a link from another site also sees
 * it, because browsers then send no strict cookie. The page links to the wallet only if that can be the reason.
 * https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header
 */
async function signedOut(wallet: WalletPageParts, request: FastifyRequest) {
  const about = await openFrame(wallet, request)
  const { t } = about
  const asked = await askedBefore(wallet, request)
  if (asked !== undefined) return signInFirst(about, asked)
  const mayBeSignedIn = (request.headers['sec-fetch-site'] ?? 'cross-site') === 'cross-site'
  return noticePage(
    { ...about, title: t('signedOut.title') },
    html`<p>${t.rich('signedOut.how', { command: html`<b>${t.command('wallet')}</b>` })}</p>
${
  mayBeSignedIn &&
  html`<p class="hint">${t('signedOut.elsewhere')}</p>
<p><a class="button primary" href="/wallet">${t('signedOut.open')}</a></p>`
}`,
  )
}

interface Asset {
  readonly path: string
  readonly type: string
  readonly content: Buffer
}

/** Reads one of our own assets, which may consist of several files. */
function readAsset(file: string, type: string, files: readonly string[] = [file]): Asset {
  const contents = files.map((name) => readFileSync(join(import.meta.dirname, 'assets', name)))
  return versioned(file, type, Buffer.concat(contents))
}

/** Puts the hash of an asset's content into its address, so that browsers can keep it forever. */
function versioned(file: string, type: string, content: Buffer): Asset {
  const version = createHash('sha256').update(content).digest('hex').slice(0, 12)
  return { path: `/wallet/assets/${file}?v=${version}`, type, content }
}

function addAsset(page: FastifyInstance, { path, type, content }: Asset): void {
  page.get(path.replace('/wallet', '').replace(/\?.*/, ''), async (_request, reply) =>
    reply
      .headers({ 'content-type': type, 'cache-control': `public, max-age=${YEAR_SECONDS}, immutable` })
      .send(content),
  )
}
