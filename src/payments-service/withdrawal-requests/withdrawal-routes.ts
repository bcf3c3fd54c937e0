import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errorAnswer } from '../../lib/lightning/lnurl-messages.ts'
import type { LnurlRoute } from '../engine/http/lnurl-route.ts'
import { CLAIM_PATH, PAYLOAD_PATH, withdrawParams } from '../engine/sending/withdrawal-request-record.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import { claimWithdrawalRequest, findClaimable } from './claim-withdrawal-request.ts'

/**
 * Adds the two routes of LNURL-withdraw (LUD-03), for any wallet in the world: what a code offers, and the claim. As
 * LNURL requires, a refusal has the status 200, and contains a reason for the wallet's owner. `OK` means that the claim
 * is durable and its payment is completed or under way. If the payment fails at once, the answer is an error, and the
 * code can be used again.
 */
export function addWithdrawalRoutes(app: FastifyInstance, parts: ServiceParts, route: LnurlRoute): void {
  app.get(PAYLOAD_PATH, (request, reply) =>
    route(request, reply, async () => withdrawParams(parts, await findClaimable(parts, query(request, 'secret')))),
  )
  // LUD-03 claims with a GET. A HEAD, which previews and scanners send, must not claim.
  app.get(CLAIM_PATH, { exposeHeadRoute: false }, (request, reply) =>
    route(request, reply, async () => {
      const payment = await claimWithdrawalRequest(parts, query(request, 'k1'), query(request, 'pr'))
      if (payment.status !== 'failed') return { status: 'OK' }
      return errorAnswer('The payment did not get through; nothing was paid. Try again, or with another wallet.')
    }),
  )
}

/** Returns a query parameter that occurs exactly once; for any other, an empty text, which matches nothing. */
function query(request: FastifyRequest, name: string): string {
  const value = (request.query as Readonly<Record<string, unknown>>)[name]
  return typeof value === 'string' ? value : ''
}
