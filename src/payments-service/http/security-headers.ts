import type { FastifyInstance } from 'fastify'
import type { ServiceParts } from '../parts.ts'

const HALF_A_YEAR_SECONDS = 15_768_000

/**
 * Headers on every answer: nothing is kept by caches, taken for another type than it says, framed, or allowed to load
 * anything; pages say for themselves what they need. To be added before the routes.
 */
export function addSecurityHeaders(app: FastifyInstance, parts: Pick<ServiceParts, 'publicUrl'>): void {
  const headers = {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  }
  const overTls = { ...headers, 'strict-transport-security': `max-age=${HALF_A_YEAR_SECONDS}` }
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(parts.publicUrl.startsWith('https:') ? overTls : headers).header('x-request-id', request.id)
    done()
  })
}
