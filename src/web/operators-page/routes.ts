import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import { type OperatorSignIns, SESSION_LIFETIME_MS } from '../../tipping/tipping.ts'
import { formOf, readForms, refuseForeign, sendPage } from '../forms.ts'
import { keepPrivate } from '../private-pages.ts'
import { sessionCookie } from '../session-cookie.ts'
import { drawNoPage, drawPage, drawSignedOut, drawSignIn, OPERATORS_PAGE_POLICY } from './draw-page.ts'
import type { OperatorsFigures } from './figures.ts'

/** The figures for operators, and the sign-in by a link. The page's forms change only the session. */
export interface OperatorsPage {
  /** Returns the operators' sign-ins. Throws HttpProblem while there is no book to read. */
  readonly signIns: () => OperatorSignIns
  /** Reads the page's figures. The function itself decides how often it reads the books. */
  readonly figures: () => Promise<OperatorsFigures>
  readonly clock: Clock
  readonly logger: Logger
}

const PAGE = '/operators'
/** The path that an operator reaches by signing in: the page with the operators' actions. */
export const CONSOLE = '/console'
/** The message for a form that another site has sent. */
export const FOREIGN_FORM = 'This form was not sent from the console. Nothing was done. Use /admin page on Discord.'
const MAX_FORM_BYTES = 1_024
const SIGN_IN = `${PAGE}/sign-in`
const SIGN_OUT = `${PAGE}/sign-out`
/** The limit for one IP address. The page reloads every minute, so a person needs far less than this. */
const REQUESTS_PER_SECOND = 2

/**
 * Returns the path of a sign-in link. The token follows `#`, which browsers send to nobody: no proxy's log contains it,
 * and a program that fetches the link for a preview does not see it.
 */
export function signInPath(token: string): string {
  return `${SIGN_IN}#${token}`
}

/** Adds `/operators`, with sign-in and sign-out. `publicUrl` is where browsers reach these routes, if known. */
export function addOperatorsPage(app: FastifyInstance, page: OperatorsPage, publicUrl: string | undefined): void {
  const { signIns, figures, clock, logger } = page
  const cookie = sessionCookie(publicUrl)
  app.register(async (routes) => {
    readForms(routes, MAX_FORM_BYTES)
    keepPrivate(routes, { policy: OPERATORS_PAGE_POLICY, requestsPerSecond: REQUESTS_PER_SECOND, clock })
    routes.get(PAGE, { exposeHeadRoute: false }, async (request, reply) => {
      const operator = await signIns().find(cookie.read(request))
      if (operator === undefined) return sendPage(reply.code(401), drawSignedOut())
      return sendPage(reply, drawPage(await figures(), operator, clock.now()))
    })
    routes.get(`${PAGE}/*`, { exposeHeadRoute: false }, async (_, reply) => sendPage(reply.code(404), drawNoPage()))
    routes.get(SIGN_IN, { exposeHeadRoute: false }, async (_, reply) => sendPage(reply, drawSignIn()))
    routes.post(SIGN_IN, async (request, reply) => {
      refuseForeign(request, publicUrl, FOREIGN_FORM)
      const signedIn = await signIns().signIn(formOf(request).get('key') ?? '')
      if (signedIn === undefined) return sendPage(reply.code(400), drawSignedOut('used'))
      // An earlier session of this browser ends, so nobody can plant a session that stays.
      await signIns().signOut(cookie.read(request))
      cookie.write(reply, signedIn.session, SESSION_LIFETIME_MS / 1_000)
      logger.info({ operator: signedIn.operator.id }, "an operator signed in to the operators' page")
      return reply.redirect(CONSOLE, 303)
    })
    routes.post(SIGN_OUT, async (request, reply) => {
      refuseForeign(request, publicUrl, FOREIGN_FORM)
      await signIns().signOut(cookie.read(request))
      cookie.write(reply, '', 0)
      return reply.redirect(PAGE, 303)
    })
  })
}
