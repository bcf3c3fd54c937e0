import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { HttpProblem } from '../../lib/http/http-server.ts'
import type { Html } from '../../lib/web/html.ts'
import { type OperatorSession, SESSION_LIFETIME_MS, TippingRefusal } from '../../tipping/tipping.ts'
import { formOf, readForms, refuseForeign } from '../operators-page/forms.ts'
import { CONSOLE } from '../operators-page/routes.ts'
import { type SessionCookie, sessionCookie } from '../operators-page/session-cookie.ts'
import { keepPrivate } from '../private-pages.ts'
import { ACTS, type Act, WrongForm } from './acts.ts'
import { BY_PASSWORD, type Console, READER } from './console.ts'
import { drawFresh, drawRefused, drawSignIn } from './draw-doors.ts'
import { drawHome, type Refused } from './draw-home.ts'
import { formNumber, newFormToken } from './form-tokens.ts'
import { CONSOLE_POLICY, type Viewer } from './frame.ts'
import { createTexts, type Key } from './texts.ts'

/** Of one address. */
const REQUESTS_PER_SECOND = 2
const MAX_FORM_BYTES = 8_192
/** What lets money or books move needs a sign-in that is no older. */
const FRESH_MS = 5 * 60_000
const MAX_PROPOSALS = 50
const MINUTE_MS = 60_000
const SAID = /^[a-z-]{1,20}$/

const t = createTexts('en')

/** Somebody who is signed in, with the session that proves it. */
interface Visitor {
  readonly operator: OperatorSession
  readonly session: string
}

/** `/console`: what needs operators, with forms that do it. `publicUrl` is where browsers reach these routes, where known. */
export function addConsole(app: FastifyInstance, parts: Console, publicUrl: string | undefined): void {
  const cookie = sessionCookie(publicUrl)
  const site: Site = { parts, cookie }
  app.register(async (routes) => {
    readForms(routes, MAX_FORM_BYTES)
    keepPrivate(routes, { policy: CONSOLE_POLICY, requestsPerSecond: REQUESTS_PER_SECOND, clock: parts.clock })
    routes.addHook('onRequest', async (request) => {
      if (request.method === 'POST') refuseForeign(request, publicUrl)
    })
    // For people, in a page. What is no refusal of ours is the server's to answer.
    routes.setErrorHandler((error, _request, reply) => {
      if (!(error instanceof HttpProblem)) throw error
      return send(reply.code(error.status).headers(error.headers), drawRefused(t, error.message))
    })
    routes.get(CONSOLE, { exposeHeadRoute: false }, async (request, reply) => {
      const visitor = await visitorOf(site, request)
      if (visitor === undefined) return send(reply.code(401), drawSignIn(t, parts.hasPassword))
      return send(reply, await home(site, visitor, { said: (request.query as { said?: unknown }).said }))
    })
    routes.post(`${CONSOLE}/sign-in`, (request, reply) => signIn(site, request, reply))
    for (const [name, act] of Object.entries(ACTS)) {
      routes.post(`${CONSOLE}/${name}`, (request, reply) => take(site, { name, act }, request, reply))
    }
  })
}

/** What the routes work on. */
interface Site {
  readonly parts: Console
  readonly cookie: SessionCookie
}

async function visitorOf({ parts, cookie }: Site, request: FastifyRequest): Promise<Visitor | undefined> {
  const session = cookie.read(request)
  const operator = await parts.signIns().find(session)
  return operator === undefined || session === undefined ? undefined : { operator, session }
}

function viewerOf({ parts }: Site, { operator, session }: Visitor): Viewer {
  const access = operator.id === READER.id ? 'reader' : 'operator'
  return { name: operator.name, access, t, newToken: () => newFormToken(session, parts.entropy) }
}

async function home(
  site: Site,
  visitor: Visitor,
  { said, refused }: { readonly said?: unknown; readonly refused?: Refused },
): Promise<Html> {
  const { figures, administration, isAlone, clock } = site.parts
  const [now, proposals] = await Promise.all([figures(), administration().proposals(MAX_PROPOSALS)])
  return drawHome({
    ...{ viewer: viewerOf(site, visitor), operator: visitor.operator.id, figures: now, proposals, isAlone, refused },
    said: typeof said === 'string' && SAID.test(said) && t.has(`said.${said}`) ? (`said.${said}` as Key) : undefined,
    now: clock.now(),
  })
}

async function signIn(site: Site, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { parts, cookie } = site
  const access = enter(parts, request)
  if (typeof access !== 'object') return send(reply.code(403), drawSignIn(t, parts.hasPassword, access))
  // A session that this browser had before ends: nobody can plant one that stays.
  await parts.signIns().signOut(cookie.read(request))
  cookie.write(reply, await parts.signIns().begin(access), SESSION_LIFETIME_MS / 1_000)
  parts.logger.info({ operator: access.id, how: 'password' }, 'an operator signed in to the console')
  return reply.redirect(CONSOLE, 303)
}

/** Who the password of this form belongs to; in words, why it is not taken. */
function enter(
  { lock, accessOf, logger }: Console,
  request: FastifyRequest,
): typeof BY_PASSWORD | typeof READER | string {
  const locked = () => t('signIn.locked', { count: Math.ceil(lock.waitMs(request.ip) / MINUTE_MS) })
  if (lock.waitMs(request.ip) > 0) return locked()
  const access = accessOf(formOf(request).get('password') ?? '')
  if (access !== undefined) {
    lock.noteRight(request.ip)
    return access === 'operator' ? BY_PASSWORD : READER
  }
  if (!lock.noteWrong(request.ip)) return t('signIn.wrong')
  logger.warn(
    { address: request.ip },
    'the password of the console was wrong too often, and is locked for that address',
  )
  return locked()
}

interface NamedAct {
  readonly name: string
  readonly act: Act
}

/** A form that does something: who sent it, from where, and whether once, is checked before anything is done. */
async function take(
  site: Site,
  { name, act }: NamedAct,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { parts } = site
  const form = formOf(request)
  let visitor = await visitorOf(site, request)
  if (visitor === undefined) return send(reply.code(401), drawSignIn(t, parts.hasPassword, t('signIn.over')))
  const { session, operator } = visitor
  if (operator.id === READER.id) return send(reply.code(403), drawRefused(t, t('refused.readOnly')))
  const number = formNumber(session, form.get('form') ?? '')
  if (number === undefined) return send(reply.code(403), drawRefused(t, t('refused.form')))
  if (act.fresh && operator.ageMs >= FRESH_MS) {
    const byPassword = operator.id === BY_PASSWORD.id
    const entered = byPassword && form.has('password') ? enter(parts, request) : undefined
    const problem = typeof entered === 'string' ? entered : entered === READER ? t('signIn.wrong') : undefined
    if (entered !== BY_PASSWORD) {
      const asked = drawFresh(viewerOf(site, visitor), { act: name, form, byPassword, problem })
      return send(reply.code(403), asked)
    }
  }
  if (!(await parts.signIns().useForm(session, number))) return send(reply.code(409), drawRefused(t, t('refused.sent')))
  if (act.fresh && operator.ageMs >= FRESH_MS) visitor = await renew(site, visitor, reply)
  try {
    const said = await act.run(parts, form, operator.id)
    parts.logger.info({ operator: operator.id, act: name, how: 'console' }, 'an operator used the console')
    return reply.redirect(`${CONSOLE}?said=${said.slice('said.'.length)}`, 303)
  } catch (error) {
    const problem = problemOf(parts, error)
    parts.logger.info({ operator: operator.id, act: name, how: 'console', problem }, 'the console refused an operator')
    return send(reply.code(422), await home(site, visitor, { refused: { act: name, form, problem } }))
  }
}

/** Another session in site of this one, from a sign-in of this moment. */
async function renew({ parts, cookie }: Site, { operator, session }: Visitor, reply: FastifyReply): Promise<Visitor> {
  const next = await parts.signIns().begin(operator)
  await parts.signIns().signOut(session)
  cookie.write(reply, next, SESSION_LIFETIME_MS / 1_000)
  return { session: next, operator: { ...operator, ageMs: 0 } }
}

function problemOf({ inWords }: Console, error: unknown): string {
  if (error instanceof TippingRefusal) return inWords(error)
  if (error instanceof WrongForm) return t(error.key)
  throw error
}

function send(reply: FastifyReply, { text }: Html): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(text)
}
