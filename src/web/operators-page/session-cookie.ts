import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Carries an operator's session. */
export interface SessionCookie {
  read(request: FastifyRequest): string | undefined
  /** `maxAge` in seconds; 0 takes it away. */
  write(reply: FastifyReply, value: string, maxAge: number): void
}

/** Over https the name's prefix makes browsers refuse a cookie that another host, or plain http, has set. */
export function sessionCookie(publicUrl: string | undefined): SessionCookie {
  const secure = publicUrl?.startsWith('https:') ?? false
  const name = secure ? '__Host-operators' : 'operators'
  return {
    read: (request) => parseCookie(request.headers.cookie ?? '')[name],
    write(reply, value, maxAge) {
      const cookie = { name, value, path: '/', httpOnly: true, sameSite: 'strict', secure, maxAge } as const
      reply.header('set-cookie', stringifySetCookie(cookie))
    },
  }
}
