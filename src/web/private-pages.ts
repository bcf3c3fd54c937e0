import type { FastifyInstance } from 'fastify'
import type { Clock } from '../lib/clock.ts'
import { createAddressLimit } from '../lib/http/address-limit.ts'
import { HttpProblem } from '../lib/http/http-server.ts'

export interface PrivatePages {
  /** The pages' Content-Security-Policy. */
  readonly policy: string
  /** The limit for one IP address. */
  readonly requestsPerSecond: number
  readonly clock: Clock
}

/**
 * Makes the routes of `app` private pages of one person: no cache keeps them, no referrer names them, no site may frame
 * them, and no search engine lists them. An address that requests them too often gets a 429.
 */
export function keepPrivate(app: FastifyInstance, { policy, requestsPerSecond, clock }: PrivatePages): void {
  const limit = createAddressLimit(clock, requestsPerSecond)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({
      'cache-control': 'no-store',
      'content-security-policy': policy,
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      // With `no-referrer`, browsers would not even say which site sent a form, and over plain http nothing else does.
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'x-robots-tag': 'noindex',
    })
    const wait = limit.take(request.ip)
    if (wait === 0) return
    const message = `Too many requests. Try again in ${wait} s.`
    throw new HttpProblem(429, 'rate_limited', message, { 'retry-after': String(wait) })
  })
}
