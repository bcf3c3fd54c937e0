import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { HttpProblem } from '../lib/http/http-server.ts'
import type { Html } from '../lib/web/html.ts'
import { isForeignForm } from '../lib/web/is-foreign-form.ts'

/** Makes these routes accept only bodies that are forms, of at most `bodyLimit` bytes. */
export function readForms(routes: FastifyInstance, bodyLimit: number): void {
  routes.removeAllContentTypeParsers()
  const options = { parseAs: 'string', bodyLimit } as const
  routes.addContentTypeParser('application/x-www-form-urlencoded', options, (_, body, done) => done(null, body))
}

export function formOf({ body }: FastifyRequest): URLSearchParams {
  return new URLSearchParams(typeof body === 'string' ? body : '')
}

/**
 * Throws HttpProblem with this message if another site has sent the form. `publicUrl` is where browsers reach the page,
 * if known.
 */
export function refuseForeign({ headers }: FastifyRequest, publicUrl: string | undefined, message: string): void {
  if (!isForeignForm(headers, publicUrl)) return
  throw new HttpProblem(403, 'foreign_form', message)
}

export function sendPage(reply: FastifyReply, { text }: Html): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(text)
}
