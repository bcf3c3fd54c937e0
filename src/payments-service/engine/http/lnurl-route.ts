import type { FastifyReply, FastifyRequest } from 'fastify'
import { isUnavailable } from '../../../lib/database/database-errors.ts'
import { errorAnswer } from '../../../lib/lightning/lnurl-messages.ts'
import type { Regions } from '../../core/regions.ts'
import { asRefusal } from '../../core/service-refusal.ts'
import type { RateLimit } from '../limits/rate-limit.ts'

/** Lets a wallet in, and gives its answer: what `work` gives, or why not, in LNURL's words. */
export type LnurlRoute = (request: FastifyRequest, reply: FastifyReply, work: () => Promise<object>) => Promise<object>

/** The answer does not say what began: nobody can know it now. */
const AWAY = 'The service cannot look into its books just now. Look at your wallet, and try again in a moment.'

/**
 * How all routes for wallets behave. They are shut where the service is not offered. LNURL (LUD-01) reports errors as
 * `{"status":"ERROR","reason":…}` with status 200 and a sentence for the wallet's owner. Who asks too often gets the
 * same with 429 and `Retry-After`, for machines. A bug is thrown.
 */
export function createLnurlRoute(rateLimit: RateLimit, regions: Pick<Regions, 'admit'>): LnurlRoute {
  return async (request, reply, work) => {
    // Wallets that live in a browser ask from another origin; they have to read refusals too.
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
