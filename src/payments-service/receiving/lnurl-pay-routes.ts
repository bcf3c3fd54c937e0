import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { networksOf } from '../../lib/http/public-address.ts'
import { decodeInvoice } from '../../lib/lightning/bolt11.ts'
import { errorAnswer, type PayAnswer, type PayParams } from '../../lib/lightning/lnurl-messages.ts'
import { MAX_PAYER_DATA_LENGTH, PAYER_DATA_ASKED, readPayerData } from '../../lib/lightning/payer-data.ts'
import { floorToSat, formatSats, type Msats, parseWireMsats } from '../../lib/money/amount.ts'
import type { LnurlRoute } from '../engine/http/lnurl-route.ts'
import { createAddressRateLimit, type RateLimit } from '../engine/limits/rate-limit.ts'
import { receivableNow } from '../engine/node/refuse-unready.ts'
import { unitOf } from '../engine/node/unit.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import { storeZap } from '../engine/zaps/zaps.ts'
import { handOutInvoice, NoSlotFree } from './hand-out-invoice.ts'
import { findPayableCharge, findPayableName, LNURLP_PATH, type PayableName } from './payable-name.ts'
import { COMMENT_ALLOWED, storedComment } from './payer-comment.ts'
import { STATIC_CHARGE_PATH } from './static-charge.ts'
import { verifyUrl } from './verify-route.ts'

type Find = (parts: ServiceParts, name: string) => Promise<PayableName | undefined>

/**
 * Adds the routes that wallets call: LNURL-pay (LUD-06) with success messages (LUD-09), comments (LUD-12), payer data
 * (LUD-18), zaps (NIP-57) and verification (LUD-21), for static charges, and for Lightning Addresses (LUD-16) of
 * identifiers and gamertags. An unknown name is answered with 404, also in LNURL's form.
 */
export function addLnurlPayRoutes(app: FastifyInstance, parts: ServiceParts, route: LnurlRoute): void {
  const perMinute = parts.settings.invoicesPerMinute
  const around = { parts, route, invoices: createAddressRateLimit(parts.clock, perMinute / 60, perMinute * 2) }
  addRoute(app, around, STATIC_CHARGE_PATH, findPayableCharge)
  addRoute(app, around, LNURLP_PATH, findPayableName)
}

interface PayRoutes {
  readonly parts: ServiceParts
  readonly route: LnurlRoute
  /** The limit on the invoices that each IP address may have made. */
  readonly invoices: RateLimit
}

function addRoute(app: FastifyInstance, around: PayRoutes, path: string, find: Find): void {
  const { parts, route } = around
  const open = (request: FastifyRequest, reply: FastifyReply, answer: (payable: PayableName) => Promise<object>) =>
    route(request, reply, async () => {
      const payable = await find(parts, (request.params as { name: string }).name)
      if (payable?.takesPayments) return await answer(await withinRoom(parts, payable))
      if (payable !== undefined) return errorAnswer('No further payment is accepted here. Ask for another code.')
      reply.code(404)
      return errorAnswer('Nobody can be paid here. Check the address.')
    })
  app.get(`${path}/:name`, (request, reply) => open(request, reply, (payable) => payParams(parts, payable)))
  // A HEAD, which previews and scanners send, must do nothing, but this GET hands out an invoice.
  app.get(`${path}/:name/callback`, { exposeHeadRoute: false }, (request, reply) =>
    open(request, reply, (payable) => invoiceFor(around, payable, request)),
  )
}

/**
 * Limits the largest amount that a wallet may choose to our node's room to receive, but never to less than the smallest
 * amount.
 */
async function withinRoom(parts: ServiceParts, payable: PayableName): Promise<PayableName> {
  const room = await receivableNow(parts)
  if (room === undefined || room >= payable.maxAmount) return payable
  const most = floorToSat(room)
  return { ...payable, maxAmount: most > payable.minAmount ? most : payable.minAmount }
}

/** Describes a payable name to a wallet (LUD-06, LUD-11, LUD-12, LUD-18, NIP-57). */
export async function payParams({ zaps }: Pick<ServiceParts, 'zaps'>, payable: PayableName): Promise<PayParams> {
  const nostrPubkey = payable.zapUrls.length === 0 ? undefined : await zaps.pubkey()
  return {
    tag: 'payRequest',
    callback: payable.callback,
    minSendable: Number(payable.minAmount),
    maxSendable: Number(payable.maxAmount),
    metadata: payable.metadata,
    commentAllowed: COMMENT_ALLOWED,
    disposable: payable.disposable,
    ...(payable.asksWhoPays && { payerData: PAYER_DATA_ASKED }),
    ...(nostrPubkey !== undefined && { allowsNostr: true, nostrPubkey }),
  }
}

async function invoiceFor(
  { parts, invoices }: PayRoutes,
  payable: PayableName,
  { query: asked, ip }: FastifyRequest,
): Promise<object> {
  const query = asked as Record<string, unknown>
  const amount = parseWireMsats(query.amount)
  if (amount === undefined || amount < payable.minAmount || amount > payable.maxAmount) {
    const [least, most] = [formatSats(payable.minAmount), formatSats(payable.maxAmount)]
    return errorAnswer(
      `The amount must be ${least === most ? `exactly ${least}` : `from ${least} to ${most}`} ${await unitOf(parts)}.`,
    )
  }
  const said = readWords(payable, query)
  if (typeof said === 'string') return errorAnswer(said)
  try {
    invoices.take(ip)
    // A whole /48 of IPv6 counts as one payer.
    const payer = parts.settings.invoicesPerMinute > 0 ? networksOf(ip).at(-1) : undefined
    const zap = await readZap(parts, payable, { amount: amount as Msats, text: query.nostr })
    if (typeof zap === 'string') return errorAnswer(`The zap request ${zap}.`)
    const order = { amount: amount as Msats, payer, ...(zap === undefined ? said : zap) }
    const pr = await handOutInvoice(parts, payable, order)
    return payAnswer(payable, pr, verifyUrl(parts, decodeInvoice(pr).paymentHash))
  } catch (error) {
    if (error instanceof NoSlotFree)
      return errorAnswer('No further payment is accepted here, at least not now. Try again later.')
    throw error
  }
}

/**
 * Reads the payer's optional texts: a comment (LUD-12) and payer data (LUD-18). Returns a sentence if they break a
 * rule.
 */
function readWords(payable: PayableName, query: Record<string, unknown>) {
  const { comment = '' } = query
  if (typeof comment !== 'string' || [...comment].length > COMMENT_ALLOWED || comment.includes('\0')) {
    return `The comment must be text of at most ${COMMENT_ALLOWED} characters.`
  }
  // Payer data that was not asked for is ignored. A wallet that sends it anyway finds that the invoice does not commit
  // to it.
  const payerData = payable.asksWhoPays ? (query.payerdata ?? '') : ''
  if (typeof payerData !== 'string' || (payerData !== '' && readPayerData(payerData) === undefined)) {
    return `The payer data must be JSON of at most ${MAX_PAYER_DATA_LENGTH} characters: a name of at most 64, an identifier, a public key.`
  }
  return { comment, payerData }
}

/**
 * Reads a zap request, which contains everything: the zap's invoice commits to the request alone (NIP-57). Returns a
 * sentence if the request breaks a rule; undefined if there is no zap.
 */
async function readZap(
  { zaps }: ServiceParts,
  { zapUrls: lnurls }: PayableName,
  { amount, text }: { amount: Msats; text: unknown },
) {
  if (text === undefined || lnurls.length === 0) return undefined
  const read = typeof text === 'string' ? await zaps.read(text, { amount, lnurls }) : 'must be given once'
  if (typeof read === 'string') return read
  return {
    comment: storedComment(read.event.content),
    zap: { request: text as string, stored: storeZap(text as string, read) },
  }
}

function payAnswer({ successMessage, disposable }: PayableName, pr: string, verify: string): PayAnswer {
  const answer = { pr, routes: [], disposable, verify }
  return successMessage === '' ? answer : { ...answer, successAction: { tag: 'message', message: successMessage } }
}
