import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isForeignForm } from '../../lib/web/is-foreign-form.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import { WalletProblem } from './problems.ts'
import { SESSION_LIFETIME_MS } from './session.ts'

/** The wallet page's session cookie. Its name and its attributes depend on the public address. */
export interface SessionCookie {
  read(request: FastifyRequest): string | undefined
  set(reply: FastifyReply, session: string): void
  clear(reply: FastifyReply): void
}

/**
 * Creates the session cookie. Over https, the prefix of its name makes browsers refuse a cookie that this host did not
 * set over TLS, so nobody can plant a session from a subdomain or over plain http.
 */
export function createSessionCookie(parts: Pick<ServiceParts, 'publicUrl'>): SessionCookie {
  const isSecure = () => parts.publicUrl.startsWith('https:')
  const nameOf = (secure: boolean) => (secure ? '__Host-wallet' : 'wallet')
  const write = (reply: FastifyReply, value: string, maxAge: number) => {
    const secure = isSecure()
    const cookie = {
      name: nameOf(secure),
      value,
      path: '/',
      httpOnly: true,
      sameSite: 'strict',
      secure,
      maxAge,
    } as const
    return reply.header('set-cookie', stringifySetCookie(cookie))
  }
  return {
    read: (request) => parseCookie(request.headers.cookie ?? '')[nameOf(isSecure())],
    set: (reply, session) => void write(reply, session, SESSION_LIFETIME_MS / 1_000),
    clear: (reply) => void write(reply, '', 0),
  }
}

/** Refuses a form that another site sent. */
export function refuseForeignForm(request: FastifyRequest, publicUrl: string): void {
  if (isForeignForm(request.headers, publicUrl)) throw foreign()
}

function foreign(): WalletProblem {
  return new WalletProblem(403, 'foreign_form', (t) => t('errors.foreignForm'))
}
