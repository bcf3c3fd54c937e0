import type { z } from 'zod'
import { formatSats, type Msats, msats } from '../money/amount.ts'
import { decodeInvoice, InvalidInvoice, type Invoice, isExpired, type Network } from './bolt11.ts'
import {
  descriptionHash,
  lnurlError,
  lnurlOk,
  type PayParams,
  parseJson,
  payAnswer,
  payParams,
  readFastWithdraw,
  readMetadata,
  type SuccessAction,
  type WithdrawParams,
  withdrawParams,
} from './lnurl-messages.ts'
import { mandatoryFields } from './payer-data.ts'

/**
 * The other side of an LNURL cannot or will not do what is asked, or does something that a wallet must not follow.
 * Nothing was paid. `message` is a sentence for a person.
 */
export class LnurlProblem extends Error {
  override readonly name = 'LnurlProblem'
  /** What the other side said by itself; undefined where the fault is in how it answers. */
  readonly said: string | undefined

  constructor(message: string, options?: ErrorOptions & { readonly said?: string }) {
    super(message, options)
    this.said = options?.said
  }
}

/** The receiver wants to know who pays (LUD-18), and we tell nobody. Nothing was paid. */
export class PayerDataWanted extends LnurlProblem {}

/** Fetches a URL; what it throws is passed on. The guarded fetch is one; status codes mean nothing here (LUD-01). */
export type LnurlFetch = (url: string) => Promise<{ readonly body: Uint8Array }>

/** What a pay code or Lightning Address offers (LUD-06, LUD-12). */
export interface PayOffer {
  readonly callback: URL
  readonly min: Msats
  readonly max: Msats
  readonly description: string
  readonly metadata: string
  /** Longest comment, in characters. */
  readonly commentAllowed: number
  /** The answer as it came. */
  readonly params: PayParams
}

export interface InvoiceRequest {
  readonly amount: Msats
  readonly comment?: string | undefined
  /** Undefined where the payer's own is not known. */
  readonly network: Network | undefined
  /** Milliseconds since 1970. */
  readonly now: number
  /** The invoice must live at least this long from now. */
  readonly minSecondsLeft?: number
}

/** Asks what a pay code or Lightning Address offers. Throws LnurlProblem, and what `fetch` throws. */
export async function askToPay(fetch: LnurlFetch, url: URL): Promise<PayOffer> {
  const params = await ask(fetch, url, payParams, 'This code does not take payments.')
  const metadata = readMetadata(params.metadata)
  if (metadata === undefined) throw new LnurlProblem('The receiver does not say properly what the payment is for.')
  return {
    callback: new URL(params.callback),
    min: msats(params.minSendable),
    max: msats(params.maxSendable),
    description: metadata.description,
    metadata: params.metadata,
    commentAllowed: params.commentAllowed ?? 0,
    params,
  }
}

/** Throws PayerDataWanted where the receiver makes no invoice for a payer whom it does not know (LUD-18). */
export function refusePayerData({ params }: PayOffer): void {
  const fields = mandatoryFields(params)
  if (fields.length === 0) return
  const wanted = fields
    .map((field) => field.slice(0, 20))
    .join(', ')
    .slice(0, 100)
  throw new PayerDataWanted(
    `The receiver wants to know who pays (${wanted}), and Satchel tells nobody. Ask the receiver for an invoice instead.`,
  )
}

/**
 * Gets an invoice for exactly the requested amount, and checks all that a wallet must before it pays: network, amount,
 * what the payment is for (LUD-06), time left, and a success action that can be shown (LUD-09). A comment that the
 * receiver does not take is refused, not dropped. Throws LnurlProblem, and what `fetch` throws.
 */
export async function requestInvoice(
  fetch: LnurlFetch,
  offer: PayOffer,
  request: InvoiceRequest,
): Promise<{ invoice: Invoice; successAction: SuccessAction | undefined }> {
  if (request.amount < offer.min || request.amount > offer.max) {
    throw new LnurlProblem(
      `The receiver takes from ${formatSats(offer.min)} to ${formatSats(offer.max)} sats, not ${formatSats(request.amount)}.`,
    )
  }
  refusePayerData(offer)
  const comment = request.comment ?? ''
  if ([...comment].length > offer.commentAllowed) {
    throw new LnurlProblem(
      offer.commentAllowed === 0
        ? 'The receiver takes no comments. Leave the comment out.'
        : `The receiver takes comments of at most ${offer.commentAllowed} characters.`,
    )
  }
  const url = new URL(offer.callback)
  url.searchParams.set('amount', request.amount.toString())
  if (comment !== '') url.searchParams.set('comment', comment)
  const answer = await ask(fetch, url, payAnswer, 'The receiver gave no invoice that could be used.')
  const invoice = readInvoice(answer.pr)
  checkInvoice(invoice, offer, request)
  const action = answer.successAction ?? undefined
  if (action?.tag === 'url' && new URL(action.url).hostname !== offer.callback.hostname) {
    throw new LnurlProblem('The receiver wants to send its payers to a foreign address.')
  }
  return { invoice, successAction: action }
}

/** Asks what a withdraw code offers; a fast one is not asked (LUD-03, LUD-08). Throws like `askToPay`. */
export async function askToWithdraw(fetch: LnurlFetch, url: URL): Promise<WithdrawParams> {
  return readFastWithdraw(url) ?? (await ask(fetch, url, withdrawParams, 'This code does not pay out.'))
}

/** Hands in the invoice that a withdraw code is to pay (LUD-03). It is accepted when this returns, not yet paid. */
export async function claimWithdrawal(fetch: LnurlFetch, params: WithdrawParams, invoice: string): Promise<void> {
  const url = new URL(params.callback)
  url.searchParams.set('k1', params.k1)
  url.searchParams.set('pr', invoice)
  await ask(fetch, url, lnurlOk, 'The payer gave no answer that could be understood.')
}

async function ask<Shape extends z.ZodType>(
  fetch: LnurlFetch,
  url: URL,
  shape: Shape,
  otherwise: string,
): Promise<z.infer<Shape>> {
  const { body } = await fetch(url.href)
  const json = parseJson(new TextDecoder().decode(body))
  const refusal = lnurlError.safeParse(json)
  if (refusal.success) {
    const said = refusal.data.reason.slice(0, 300)
    throw new LnurlProblem(said || 'The other side refused.', { said })
  }
  const read = shape.safeParse(json)
  if (!read.success) throw new LnurlProblem(otherwise, { cause: read.error })
  return read.data
}

function readInvoice(text: string): Invoice {
  try {
    return decodeInvoice(text)
  } catch (cause) {
    if (cause instanceof InvalidInvoice) throw new LnurlProblem('The receiver gave an invalid invoice.', { cause })
    throw cause
  }
}

function checkInvoice(invoice: Invoice, offer: PayOffer, request: InvoiceRequest): void {
  if (request.network !== undefined && invoice.network !== request.network) {
    throw new LnurlProblem(`The receiver gave an invoice for ${invoice.network}, not for ${request.network}.`)
  }
  if (invoice.amount !== request.amount) {
    const asked = invoice.amount === undefined ? 'any amount' : `${formatSats(invoice.amount)} sats`
    throw new LnurlProblem(`The receiver asked for ${asked} instead of ${formatSats(request.amount)} sats.`)
  }
  if (invoice.descriptionHash !== descriptionHash(offer.metadata)) {
    throw new LnurlProblem('The invoice is not for what the receiver said it would be.')
  }
  if (isExpired(invoice, request.now + (request.minSecondsLeft ?? 0) * 1000)) {
    throw new LnurlProblem('The receiver gave an invoice that is about to expire.')
  }
}
