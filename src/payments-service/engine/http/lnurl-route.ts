import type { FastifyReply, FastifyRequest } from 'fastify'
import { isUnavailable } from '../../../lib/database/database-errors.ts'
import { errorAnswer } from '../../../lib/lightning/lnurl-messages.ts'
import type { Regions } from '../../core/regions.ts'
import { asRefusal } from '../../core/service-refusal.ts'
import type { RateLimit } from '../limits/rate-limit.ts'

/** Admits a wallet, and sends it the answer that `work` returns, or the reason for a refusal in LNURL's form. */
export type LnurlRoute = (request: FastifyRequest, reply: FastifyReply, work: () => Promise<object>) => Promise<object>

/**
 * The answer while the books cannot be read. It does not say whether anything began, because this cannot be known now.
 */
const AWAY = 'The service cannot look into its books right now. Check your wallet, and try again in a moment.'

/**
 * Defines how all routes for wallets behave. These routes are closed in regions where the service is not offered. LNURL
 * (LUD-01) reports errors as `{"status":"ERROR","reason":…}` with status 200 and a sentence for the wallet's owner.
 * Callers who send too many requests get the same body with status 429 and `Retry-After`, for machines. Any error other
 * than a refusal or an unavailable database is a bug, and is thrown.
 */
export function createLnurlRoute(rateLimit: RateLimit, regions: Pick<Regions, 'admit'>): LnurlRoute {
  return async (request, reply, work) => {
    // Wallets in a browser call from another origin, and must be able to read refusals, too.
    reply.header('access-control-allow-origin', '*')
    try {
      rateLimit.take(request.ip)
      await regions.admit(request.ip)
      return await work()
    } catch (error) {
      const refusal = asRefusal(error)
      if (refusal === undefined) {
        if (isUnavailable(error)) return errorAnswer(AWAY)
        throw error
      }
      if (refusal.code === 'rate_limited') reply.code(refusal.status).headers(refusal.headers)
      return errorAnswer(refusal.message)
    }
  }
}
