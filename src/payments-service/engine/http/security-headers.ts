import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ServiceParts } from '../service-parts.ts'

const HALF_A_YEAR_SECONDS = 15_768_000

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}
const HEADERS_OVER_TLS = { ...HEADERS, 'strict-transport-security': `max-age=${HALF_A_YEAR_SECONDS}` }

/** Adds the headers of `secure` to every answer. Call it before the routes are added. */
export function addSecurityHeaders(app: FastifyInstance, parts: Pick<ServiceParts, 'publicUrl'>): void {
  app.addHook('onRequest', (request, reply, done) => {
    secure(parts, request, reply)
    done()
  })
}

/**
 * Sets the headers of every answer: caches must store nothing, and a browser must not guess another type, show the
 * answer in a frame, or load anything to which the answer refers. Pages add what they need. The headers include the id
 * by which the log identifies the request.
 */
export function secure(
  { publicUrl }: Pick<ServiceParts, 'publicUrl'>,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  reply.headers(publicUrl.startsWith('https:') ? HEADERS_OVER_TLS : HEADERS).header('x-request-id', request.id)
}
