import type { FastifyInstance, FastifyRequest } from 'fastify'
import { HttpProblem } from '../../lib/http/http-server.ts'
import { isForeignForm } from '../../lib/web/is-foreign-form.ts'

/** Forms are the only bodies of these routes, and they are small. */
export function readForms(routes: FastifyInstance, bodyLimit: number): void {
  routes.removeAllContentTypeParsers()
  const options = { parseAs: 'string', bodyLimit } as const
  routes.addContentTypeParser('application/x-www-form-urlencoded', options, (_, body, done) => done(null, body))
}

export function formOf({ body }: FastifyRequest): URLSearchParams {
  return new URLSearchParams(typeof body === 'string' ? body : '')
}

/** Throws HttpProblem where another site has sent the form. */
export function refuseForeign({ headers }: FastifyRequest, publicUrl: string | undefined): void {
  if (!isForeignForm(headers, publicUrl)) return
  const message = "This form was not sent from the operators' page. Nothing was done. Use /admin page on Discord."
  throw new HttpProblem(403, 'foreign_form', message)
}
