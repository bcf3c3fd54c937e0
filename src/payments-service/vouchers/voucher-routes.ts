import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errorAnswer } from '../../lib/lightning/lnurl-messages.ts'
import type { LnurlRoute } from '../engine/http/lnurl-route.ts'
import {
  VOUCHER_CLAIM_PATH,
  VOUCHER_PAYLOAD_PATH,
  voucherWithdrawParams,
} from '../engine/sending/voucher-claim-record.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import { claimVoucher, findClaimableVoucher } from './claim-voucher.ts'

/**
 * Adds the two routes of LNURL-withdraw (LUD-03) by which any wallet redeems a voucher: one for the voucher's
 * withdrawal parameters, and one for the claim. As usual in LNURL, a refusal is a 200 with a reason for the wallet's
 * owner.
 */
export function addVoucherRoutes(app: FastifyInstance, parts: ServiceParts, route: LnurlRoute): void {
  const caller = (request: FastifyRequest, name: string) => ({ secret: query(request, name), address: request.ip })
  app.get(VOUCHER_PAYLOAD_PATH, (request, reply) =>
    route(request, reply, async () =>
      voucherWithdrawParams(parts, await findClaimableVoucher(parts, caller(request, 'secret'))),
    ),
  )
  // LUD-03 claims with a GET. A HEAD, which previews and scanners send, must not claim.
  app.get(VOUCHER_CLAIM_PATH, { exposeHeadRoute: false }, (request, reply) =>
    route(request, reply, async () => {
      const payment = await claimVoucher(parts, caller(request, 'k1'), query(request, 'pr'))
      if (payment.status !== 'failed') return { status: 'OK' }
      return errorAnswer('The payment did not get through; nothing was paid. Try again, or with another wallet.')
    }),
  )
}

/** Returns a parameter that occurs once; otherwise an empty text, which matches nothing. */
function query(request: FastifyRequest, name: string): string {
  const value = (request.query as Readonly<Record<string, unknown>>)[name]
  return typeof value === 'string' ? value : ''
}
