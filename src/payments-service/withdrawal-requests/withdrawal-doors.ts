import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorAnswer } from '../../lib/lnurl-messages.ts'
import { networkOf } from '../../lib/public-address.ts'
import type { RateLimit } from '../http/rate-limit.ts'
import type { ServiceParts } from '../parts.ts'
import { asRefusal } from '../refusal.ts'
import { claimWithdrawalRequest, findClaimable } from './claim-withdrawal-request.ts'
import { CLAIM_PATH, PAYLOAD_PATH, withdrawParams } from './withdrawal-request-record.ts'

/**
 * The two doors of LNURL-withdraw (LUD-03), for any wallet in the world: what a code offers, and the claim. As LNURL
 * has it, a refusal is a 200 with a reason for the person with the wallet (but for 429, which is for machines). `OK` means that the claim is durable and its
 * payment completed or on its way; a payment that failed at once is told as an error, and the code can be used again.
 */
export function addWithdrawalDoors(app: FastifyInstance, parts: ServiceParts, rateLimit: RateLimit): void {
  app.get(PAYLOAD_PATH, (request, reply) =>
    answer(rateLimit, request, reply, async () =>
      withdrawParams(parts, await findClaimable(parts, query(request, 'secret'))),
    ),
  )
  // LUD-03 claims with a GET; a HEAD, which previews and scanners send, must not.
  app.get(CLAIM_PATH, { exposeHeadRoute: false }, (request, reply) =>
    answer(rateLimit, request, reply, async () => {
      const payment = await claimWithdrawalRequest(parts, query(request, 'k1'), query(request, 'pr'))
      if (payment.status !== 'failed') return { status: 'OK' }
      return errorAnswer('The payment did not get through; nothing was paid. Try again, or with another wallet.')
    }),
  )
}

async function answer(
  rateLimit: RateLimit,
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<object>,
): Promise<object> {
  rateLimit.take(networkOf(request.ip))
  // Wallets that live in a browser ask from another origin.
  reply.header('access-control-allow-origin', '*')
  try {
    return await work()
  } catch (error) {
    const refusal = asRefusal(error)
    if (refusal === undefined) throw error
    return errorAnswer(refusal.message)
  }
}

/** A parameter that is there once; an empty text, which nothing answers to, otherwise. */
function query(request: FastifyRequest, name: string): string {
  const value = (request.query as Readonly<Record<string, unknown>>)[name]
  return typeof value === 'string' ? value : ''
}
