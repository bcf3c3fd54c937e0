import type { IncomingHttpHeaders } from 'node:http'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * A cookie that tells one browser from another: it carries an operator's session, or a link that this browser has begun
 * to use.
 */
export interface SessionCookie {
  read(request: FastifyRequest): string | undefined
  /** Sets the cookie. `maxAge` is in seconds; 0 removes the cookie. */
  write(reply: FastifyReply, value: string, maxAge: number): void
}

/**
 * Makes a cookie. Over https, the prefix of the cookie's name makes browsers refuse a cookie that another host or plain
 * http has set. A bot with a public https address may also have an address in its operator's home network, over plain
 * http, where browsers keep no secure cookie. There, the cookie has no prefix and is not secure.
 */
export function sessionCookie(publicUrl: string | undefined, name = 'operators'): SessionCookie {
  const publicHost = publicUrl?.startsWith('https:') ? new URL(publicUrl).host : undefined
  const isSecure = ({ headers }: FastifyRequest) => publicHost !== undefined && !isPlain(headers, publicHost)
  const nameFor = (request: FastifyRequest) => (isSecure(request) ? `__Host-${name}` : name)
  return {
    read: (request) => parseCookie(request.headers.cookie ?? '')[nameFor(request)],
    write(reply, value, maxAge) {
      const { request } = reply
      const secure = isSecure(request)
      const cookie = {
        name: nameFor(request),
        value,
        path: '/',
        httpOnly: true,
        sameSite: 'strict',
        secure,
        maxAge,
      } as const
      reply.header('set-cookie', stringifySetCookie(cookie))
    },
  }
}

/**
 * Whether a browser calls an address other than the public address over plain http. In doubt, the answer is no:
 * browsers send Fetch Metadata only over https (and to the machine itself), and a proxy that ends https says so or
 * forwards the public host.
 */
function isPlain({ host, origin, ...headers }: IncomingHttpHeaders, publicHost: string): boolean {
  if (host === publicHost || origin?.startsWith('https:')) return false
  return headers['sec-fetch-mode'] === undefined && !/https/i.test(proxied(headers))
}

/** Joins the headers in which a proxy describes the original request. */
function proxied({ forwarded, 'x-forwarded-proto': scheme = '' }: IncomingHttpHeaders): string {
  return `${forwarded ?? ''} ${scheme}`
}
