import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorAnswer, type PayAnswer, type PayParams } from '../../lib/lightning/lnurl-messages.ts'
import { formatSats, type Msats, parseWireMsats } from '../../lib/money/amount.ts'
import type { LnurlRoute } from '../http/lnurl-route.ts'
import type { ServiceParts } from '../parts.ts'
import { handOutInvoice, NoSlotFree } from './hand-out-invoice.ts'
import { COMMENT_ALLOWED, findPayableCharge, findPayableName, LNURLP_PATH, type PayableName } from './payable-name.ts'
import { STATIC_CHARGE_PATH } from './static-charge.ts'

type Find = (parts: ServiceParts, name: string) => Promise<PayableName | undefined>

/**
 * The routes that wallets call: LNURL-pay (LUD-06) with success messages (LUD-09) and comments (LUD-12), for static
 * charges, and for Lightning Addresses (LUD-16) of identifiers and gamertags. A name that nobody has is a
 * 404, in LNURL's words too.
 */
export function addLnurlPayRoutes(app: FastifyInstance, parts: ServiceParts, route: LnurlRoute): void {
  addRoute(app, parts, route, STATIC_CHARGE_PATH, findPayableCharge)
  addRoute(app, parts, route, LNURLP_PATH, findPayableName)
}

function addRoute(app: FastifyInstance, parts: ServiceParts, route: LnurlRoute, path: string, find: Find): void {
  const open = (request: FastifyRequest, reply: FastifyReply, answer: (payable: PayableName) => Promise<object>) =>
    route(request, reply, async () => {
      const payable = await find(parts, (request.params as { name: string }).name)
      if (payable?.takesPayments) return await answer(payable)
      if (payable !== undefined) return errorAnswer('No further payment is accepted here.')
      reply.code(404)
      return errorAnswer('Nobody can be paid here. Check the address.')
    })
  app.get(`${path}/:name`, (request, reply) => open(request, reply, async (payable) => payParams(payable)))
  // A HEAD, which previews and scanners send, must do nothing; this GET hands out an invoice.
  app.get(`${path}/:name/callback`, { exposeHeadRoute: false }, (request, reply) =>
    open(request, reply, (payable) => invoiceFor(parts, payable, request.query as Record<string, unknown>)),
  )
}

/** What a wallet is told of something that can be paid (LUD-06, LUD-11, LUD-12). */
export function payParams(payable: PayableName): PayParams {
  return {
    tag: 'payRequest',
    callback: payable.callback,
    minSendable: Number(payable.minAmount),
    maxSendable: Number(payable.maxAmount),
    metadata: payable.metadata,
    commentAllowed: COMMENT_ALLOWED,
    disposable: payable.disposable,
  }
}

async function invoiceFor(parts: ServiceParts, payable: PayableName, query: Record<string, unknown>): Promise<object> {
  const amount = parseWireMsats(query.amount)
  if (amount === undefined || amount < payable.minAmount || amount > payable.maxAmount) {
    const [least, most] = [formatSats(payable.minAmount), formatSats(payable.maxAmount)]
    return errorAnswer(`The amount must be ${least === most ? `exactly ${least}` : `from ${least} to ${most}`} sats.`)
  }
  const { comment = '' } = query
  if (typeof comment !== 'string' || [...comment].length > COMMENT_ALLOWED || comment.includes('\0')) {
    return errorAnswer(`The comment must be text of at most ${COMMENT_ALLOWED} characters.`)
  }
  try {
    return payAnswer(payable, await handOutInvoice(parts, payable, amount as Msats, comment))
  } catch (error) {
    if (error instanceof NoSlotFree) return errorAnswer('No further payment is accepted here, or not just now.')
    throw error
  }
}

function payAnswer({ successMessage, disposable }: PayableName, pr: string): PayAnswer {
  const answer = { pr, routes: [], disposable }
  return successMessage === '' ? answer : { ...answer, successAction: { tag: 'message', message: successMessage } }
}
