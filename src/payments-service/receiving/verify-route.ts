import type { FastifyInstance } from 'fastify'
import { errorAnswer } from '../../lib/lightning/lnurl-messages.ts'
import type { LnurlRoute } from '../engine/http/lnurl-route.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import { OFFER_INVOICE } from './own-offer.ts'

export const VERIFY_PATH = '/lnurl/verify'
const PAYMENT_HASH = /^[0-9a-f]{64}$/

/**
 * Returns the URL at which a payer's wallet, or a shop that passed an invoice on, can ask whether the invoice was paid
 * (LUD-21).
 */
export function verifyUrl({ publicUrl }: Pick<ServiceParts, 'publicUrl'>, paymentHash: string): string {
  return `${publicUrl}${VERIFY_PATH}/${paymentHash}`
}

/**
 * The condition for invoices that LNURL handed out. Nodes that forward a payment also have its hash, but must learn
 * nothing about other invoices, such as a description, or about offers' invoices, which contain the payer's note.
 */
const BY_LNURL = { purpose: { in: ['address', 'static-charge'] }, NOT: { request: { startsWith: OFFER_INVOICE } } }

/**
 * Adds the route that reports whether an invoice that LNURL handed out was paid, with the preimage if the network has
 * it (LUD-21). Anybody with the invoice's payment hash can ask, and so everybody who has the invoice. For any other
 * invoice, the answer is a 404, also in LNURL's form.
 */
export function addVerifyRoute(app: FastifyInstance, parts: ServiceParts, route: LnurlRoute): void {
  app.get(`${VERIFY_PATH}/:paymentHash`, (request, reply) =>
    route(request, reply, async () => {
      const { paymentHash } = request.params as { paymentHash: string }
      const invoice = PAYMENT_HASH.test(paymentHash)
        ? await parts.database.read.invoice.findFirst({ where: { paymentHash, ...BY_LNURL } })
        : null
      if (invoice === null) {
        reply.code(404)
        return errorAnswer('This service knows no invoice with this payment hash. Check the address.')
      }
      const settled = invoice.status === 'settled'
      // Nobody on the network knows the preimage of an invoice that was paid inside the books. If revealed, it could
      // pay for something else.
      const isPublic = settled && invoice.settledBy !== 'inside'
      return { status: 'OK', settled, preimage: isPublic ? invoice.preimage : null, pr: invoice.request }
    }),
  )
}
