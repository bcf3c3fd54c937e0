import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Msats } from '../../lib/money/amount.ts'
import { currencyOfReader } from '../../lib/prices/currency-of-reader.ts'
import { fiatText } from '../../lib/prices/fiat-text.ts'
import { type Html, type HtmlPart, html } from '../../lib/web/html.ts'
import type { RateLimit } from '../engine/limits/rate-limit.ts'
import { communityOf } from '../engine/names/community.ts'
import { type Unit, unitOf } from '../engine/node/unit.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import { type Assets, type Frame, frame, PARTS, type Part } from './frame.ts'
import type { LanguageCode } from './i18n/languages.ts'
import type { Translator } from './i18n/translator.ts'
import { languageOf } from './language.ts'
import type { Once } from './once-only.ts'
import { problemOf, WalletProblem, wordsOf } from './problems.ts'
import { refuseForeignForm, type SessionCookie } from './request-guard.ts'
import { findSession, formToken, isFormToken, type Session } from './session.ts'

/**
 * Resolves to a person's balance at a bot in the same process, in msats; undefined if the bot does not say. `reference`
 * is the project's identifier for the person. The service does not store the balance.
 */
export type HeldAtBot = (person: {
  readonly projectId: string
  readonly reference: string
}) => Promise<Msats | undefined>

/** The dependencies of the wallet page. */
export interface WalletPageParts {
  readonly parts: ServiceParts
  readonly heldAtBot: HeldAtBot | undefined
  readonly once: Once
  readonly cookie: SessionCookie
  readonly assets: Assets
  /** Returns the page's texts in a language. */
  readonly speak: (code: LanguageCode) => Translator
  /** Limits how many forms one user can send. */
  readonly limit: RateLimit
  /** Limits how many pages one user can load. */
  readonly pageLimit: RateLimit
  /** Returns the PNG picture of a QR code. A picture in use is drawn only once. */
  readonly qrPicture: (text: string) => Promise<Buffer>
}

/** A signed-in user's request for a page. */
export interface PageRequest {
  readonly wallet: WalletPageParts
  readonly parts: ServiceParts
  readonly session: Session
  readonly user: Session['user']
  readonly unit: Unit
  readonly t: Translator
  /**
   * Formats the value of an amount in msats, such as `≈ $1.20`, in the reader's currency or else in the operator's;
   * undefined if there is no fresh price.
   */
  worth(amount: bigint): string | undefined
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** The fields of a submitted form; empty for a page that is only viewed. */
  readonly form: URLSearchParams
  readonly reply: FastifyReply
  /** Puts the frame around a page's content. */
  page(about: Pick<Frame, 'title' | 'part' | 'watch'>, body: Html): Html
  /** Returns the first fields of every form, which prove that the form is ours, and identify this copy of it. */
  formFields(): Html
}

/** The path of the next page, such as `/wallet/payments/…`, or a page to show immediately. */
export type FormAnswer = string | Html

type ShowAgain = (pageRequest: PageRequest, problem: string) => Html | Promise<Html>

/**
 * Adds a page, or a redirect, for signed-in users, with a limit for each user. Visitors without a session learn how to
 * sign in.
 */
export function addPage(
  app: FastifyInstance,
  wallet: WalletPageParts,
  path: string,
  show: (pageRequest: PageRequest) => FormAnswer | Promise<FormAnswer>,
): void {
  app.get(path, async (request, reply) => {
    const pageRequest = await receive(wallet, request, reply, new URLSearchParams())
    wallet.pageLimit.take(pageRequest.user.id)
    return sendAnswer(reply, await show(pageRequest))
  })
}

/** Adds the route at which a page's script polls the page's state, as JSON. The route is cheap, so it has no limit. */
export function addState(
  app: FastifyInstance,
  wallet: WalletPageParts,
  path: string,
  show: (pageRequest: PageRequest) => Promise<object>,
): void {
  app.get(path, async (request, reply) => show(await receive(wallet, request, reply, new URLSearchParams())))
}

/**
 * Adds a form for signed-in users, with a limit for each user. If the form is refused, `again` shows it with the user's
 * entries; without `again`, a separate page shows the refusal.
 */
export function addForm(
  app: FastifyInstance,
  wallet: WalletPageParts,
  path: string,
  submit: (pageRequest: PageRequest) => Promise<FormAnswer>,
  again?: ShowAgain,
): void {
  app.post(path, async (request, reply) => {
    const pageRequest = await receiveForm(wallet, request, reply)
    try {
      wallet.limit.take(pageRequest.user.id)
      return sendAnswer(reply, await submit(pageRequest))
    } catch (error) {
      const problem = problemOf(error)
      if (problem === undefined || again === undefined) throw error
      return sendPage(
        reply.code(problem.status).headers(problem.headers),
        await again(pageRequest, wordsOf(problem, pageRequest.t, pageRequest.unit)),
      )
    }
  })
}

/** Adds a form that ends the session, without a limit: nobody should have to wait in order to leave. */
export function addLeavingForm(
  app: FastifyInstance,
  wallet: WalletPageParts,
  path: string,
  leave: (pageRequest: PageRequest) => Promise<FormAnswer>,
): void {
  app.post(path, async (request, reply) => sendAnswer(reply, await leave(await receiveForm(wallet, request, reply))))
}

async function receiveForm(
  wallet: WalletPageParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<PageRequest> {
  refuseForeignForm(request, wallet.parts.publicUrl)
  const form = readForm(request)
  const pageRequest = await receive(wallet, request, reply, form)
  if (!isFormToken(pageRequest.session.token, form.get('token') ?? '')) throw staleForm()
  return pageRequest
}

function sendAnswer(reply: FastifyReply, answer: FormAnswer): FastifyReply {
  return typeof answer === 'string' ? reply.redirect(answer, 303) : sendPage(reply, answer)
}

/** Reads the fields in a form's body. */
export function readForm(request: FastifyRequest): URLSearchParams {
  if (request.body instanceof URLSearchParams) return request.body
  throw new WalletProblem(415, 'unsupported_media_type', (t) => t('errors.foreignForm'))
}

export function sendPage(reply: FastifyReply, page: Html): FastifyReply {
  return reply.header('content-type', 'text/html; charset=utf-8').send(page.text)
}

/** Returns the frame of a public page. */
export async function openFrame(
  { parts, assets, speak }: WalletPageParts,
  request: FastifyRequest,
): Promise<Omit<Frame, 'title'>> {
  const [unit, community] = await Promise.all([unitOf(parts), communityOf(parts, null)])
  return { assets, t: speak(languageOf(request)), unit, community, here: pathToReturnTo(request, undefined) }
}

/** Builds a page with one message. */
export function noticePage(about: Frame, body: HtmlPart): Html {
  return frame(about, html`<section class="card"><h1>${about.title}</h1>${body}</section>`)
}

/** Returns the path of a page with the same content, because the answer to a form has no address of its own. */
function pathToReturnTo(request: FastifyRequest, part: Part | undefined): string {
  return request.method === 'GET' ? request.url : part === undefined ? '/wallet' : PARTS[part].path
}

/** Returns the page's texts in the reader's language. */
export function translatorFor(wallet: WalletPageParts, request: FastifyRequest): Translator {
  return wallet.speak(languageOf(request))
}

/** The refusal of a request by a visitor without a session. */
export class SignedOut extends WalletProblem {
  constructor() {
    super(401, 'signed_out', (t) => t('signedOut.title'))
  }
}

function worthFor({ prices, settings }: ServiceParts, { headers }: FastifyRequest, { code }: Translator) {
  const own = currencyOfReader(headers['accept-language'] ?? '')
  const currencies = [...(own === undefined ? [] : [own]), settings.ratesCurrency]
  return (amount: bigint) => {
    const value = amount > 0n ? prices.valueIn(currencies, amount) : undefined
    return value && `≈\u00a0${fiatText(value, code)}`
  }
}

async function receive(wallet: WalletPageParts, request: FastifyRequest, reply: FastifyReply, form: URLSearchParams) {
  const { parts, cookie, assets } = wallet
  const token = cookie.read(request)
  const session = token === undefined ? undefined : await findSession(parts, token)
  if (session === undefined) throw new SignedOut()
  if (session.renewed) cookie.set(reply, session.token)
  const { user } = session
  const [unit, community] = await Promise.all([unitOf(parts), communityOf(parts, user.projectId)])
  const t = translatorFor(wallet, request)
  const pageRequest: PageRequest = {
    wallet,
    parts,
    session,
    user,
    unit,
    t,
    worth: worthFor(parts, request, t),
    params: request.params as Record<string, string>,
    query: new URLSearchParams(request.url.split('?')[1] ?? ''),
    form,
    reply,
    page: (about, body) =>
      frame(
        { ...about, assets, unit, t, community, here: pathToReturnTo(request, about.part), gamertag: user.gamertag },
        body,
      ),
    formFields: () =>
      html`<input type="hidden" name="token" value="${formToken(session.token)}" autocomplete="off"><input type="hidden" name="nonce" value="${parts.entropy.uuid()}" autocomplete="off">`,
  }
  return pageRequest
}

function staleForm(): WalletProblem {
  return new WalletProblem(403, 'stale_form', (t) => t('errors.staleForm'))
}
