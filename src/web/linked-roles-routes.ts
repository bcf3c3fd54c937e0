import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../lib/clock.ts'
import { HttpProblem } from '../lib/http/http-server.ts'
import type { LinkedRolesPages } from '../lib/web/linked-roles-pages.ts'
import { sendPage } from './forms.ts'
import { keepPrivate } from './private-pages.ts'

export interface LinkedRolesRoutes {
  /** Returns the pages; undefined while there is no bot yet. */
  readonly pages: () => LinkedRolesPages | undefined
  /** The pages' Content-Security-Policy. */
  readonly policy: string
  /** The address at which browsers reach these routes. */
  readonly publicUrl: string
}

/** The "Linked Roles Verification URL" of the developer portal. */
export const LINKED_ROLES_PATH = '/linked-roles'
/** The path to which Discord's page returns. The developer portal lists it under "Redirects". */
export const LINKED_ROLES_CALLBACK = `${LINKED_ROLES_PATH}/callback`

/** The limit for one IP address. An attempt takes three requests. */
const REQUESTS_PER_SECOND = 2
const COOKIE = 'linked-roles'
/** The lifetime of the cookie. An attempt ends before this time. */
const COOKIE_SECONDS = 15 * 60

/**
 * Adds `/linked-roles`, the redirect to Discord's page, and the way back. No cache keeps these pages, no referrer names
 * them, and no site may frame them.
 */
export function addLinkedRoles(app: FastifyInstance, options: LinkedRolesRoutes & { readonly clock: Clock }): void {
  const { pages, policy, publicUrl, clock } = options
  const cookie = cookieFor(publicUrl)
  const there = () => {
    const found = pages()
    if (found !== undefined) return found
    throw notConnected()
  }
  app.register(async (routes) => {
    keepPrivate(routes, { policy, requestsPerSecond: REQUESTS_PER_SECOND, clock })
    const once = { exposeHeadRoute: false }
    routes.get(LINKED_ROLES_PATH, once, async (request, reply) =>
      sendPage(reply, there().intro(request.headers['accept-language'])),
    )
    routes.get(`${LINKED_ROLES_PATH}/consent`, once, async (_, reply) => {
      const begun = there().begin()
      if (begun === undefined) throw notConnected()
      return reply
        .code(303)
        .headers({ location: begun.url, 'set-cookie': cookie(begun.secret, COOKIE_SECONDS) })
        .send()
    })
    routes.get(LINKED_ROLES_CALLBACK, once, async (request, reply) => {
      const { done, page } = await there().finish({
        ...{ code: one(request, 'code'), state: one(request, 'state'), error: one(request, 'error') },
        ...{ secret: secretOf(request), acceptLanguage: request.headers['accept-language'] },
      })
      return sendPage(reply.code(done ? 200 : 400).header('set-cookie', cookie('', 0)), page)
    })
  })
}

function notConnected(): HttpProblem {
  return new HttpProblem(503, 'not_ready', 'Satchel is not connected to Discord at the moment. Try again in a minute.')
}

/**
 * Returns a function that writes the cookie for these pages alone. Discord's page leads back from another site, so the
 * cookie is `Lax`.
 */
function cookieFor(publicUrl: string): (value: string, seconds: number) => string {
  const { protocol, pathname } = new URL(publicUrl)
  const path = pathname.replace(/\/$/, '') + LINKED_ROLES_PATH
  const secure = protocol === 'https:' ? '; Secure' : ''
  return (value, seconds) => `${COOKIE}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
}

/** Returns a parameter that the query contains exactly once; undefined otherwise. */
function one(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Record<string, unknown>)[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

function secretOf({ headers: { cookie = '' } }: FastifyRequest): string | undefined {
  return /(?:^|;\s*)linked-roles=([\w-]{43})(?:;|$)/.exec(cookie)?.[1]
}
