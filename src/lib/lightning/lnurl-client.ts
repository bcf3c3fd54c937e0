import type { z } from 'zod'
import { floorToSat, formatSats, type Msats, msats } from '../money/amount.ts'
import { decodeInvoice, InvalidInvoice, type Invoice, isExpired, type Network } from './bolt11.ts'
import {
  lnurlError,
  lnurlOk,
  type PayParams,
  parseJson,
  payAnswer,
  payParams,
  readFastWithdraw,
  readMetadata,
  type WithdrawParams,
  withdrawParams,
} from './lnurl-messages.ts'
import { type LnurlFault, LnurlProblem } from './lnurl-problem.ts'
import { mandatoryFields } from './payer-data.ts'
import { readSuccessAction, type SuccessAction, unknownAction } from './success-action.ts'

export { LnurlProblem } from './lnurl-problem.ts'

/**
 * A function that fetches a URL and reads an answer of up to `maxBytes`, such as the guarded fetch. Errors of this
 * function are passed on. The status serves only to explain an answer that is not LNURL (LUD-01).
 */
export type LnurlFetch = (
  url: string,
  request: { readonly maxBytes: number },
) => Promise<{ readonly body: Uint8Array; readonly status?: number }>

/** The most bytes of an answer that are read. Terms may contain a picture, often of more than 100 KB. */
export const MAX_ANSWER_BYTES = 200 * 1024

/** The terms of a pay code or Lightning Address (LUD-06, LUD-12). */
export interface PayOffer {
  readonly callback: URL
  readonly min: Msats
  readonly max: Msats
  readonly description: string
  readonly metadata: string
  /** The most characters in a comment. */
  readonly commentAllowed: number
  /** The receiver's whole answer, as it arrived. */
  readonly params: PayParams
}

export interface InvoiceRequest {
  readonly amount: Msats
  readonly comment?: string | undefined
  /** The payer's network; undefined if it is unknown. */
  readonly network: Network | undefined
  /** The present time, in milliseconds since 1970. */
  readonly now: number
  /** The shortest time, in seconds, for which the invoice must remain valid. */
  readonly minSecondsLeft?: number
}

/** Requests the terms of a pay code or Lightning Address. Throws LnurlProblem, and what `fetch` throws. */
export async function askToPay(fetch: LnurlFetch, url: URL): Promise<PayOffer> {
  refuseOtherPurpose(url.searchParams.get('tag'), 'payRequest')
  const params = await ask(fetch, url, payParams, {
    otherwise: 'This code does not take payments.',
    purpose: 'payRequest',
  })
  const metadata = readMetadata(params.metadata)
  if (metadata === undefined) {
    const fault = { kind: 'foreign', host: url.host } as const
    throw new LnurlProblem(fault, 'The receiver sent no valid description of the payment.')
  }
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

/** Throws LnurlProblem `asks-who` if the receiver makes no invoice for an unknown payer (LUD-18). */
export function refusePayerData({ params }: PayOffer): void {
  const fields = mandatoryFields(params)
  if (fields.length === 0) return
  const wanted = fields
    .map((field) => field.slice(0, 20))
    .join(', ')
    .slice(0, 100)
  throw new LnurlProblem(
    { kind: 'asks-who' },
    `The receiver wants to know who pays (${wanted}), but Satchel does not send such data. Ask the receiver for an invoice instead.`,
  )
}

export interface RequestedInvoice {
  readonly invoice: Invoice
  readonly successAction: SuccessAction | undefined
  /** The URL at which the invoice's maker reports whether the invoice was paid (LUD-21), if there is one. */
  readonly verify: string | undefined
}

/**
 * Requests an invoice for exactly the given amount, and checks everything that protects the payer: the network, the
 * amount, the remaining time, and whether the success action can be shown (LUD-09). Does not check the invoice's own
 * description, which receivers write as they like. A comment that the receiver does not accept is refused, not dropped.
 * Throws LnurlProblem, and what `fetch` throws.
 */
export async function requestInvoice(
  fetch: LnurlFetch,
  offer: PayOffer,
  request: InvoiceRequest,
): Promise<RequestedInvoice> {
  try {
    return await askForInvoice(fetch, offer, request)
  } catch (error) {
    const mayBeTheFraction = error instanceof LnurlProblem && request.amount % 1_000n !== 0n
    if (!mayBeTheFraction || OURS_TO_REFUSE.has(error.fault.kind)) throw error
    throw (await wholeSatsOnly(fetch, offer, request)) ?? error
  }
}

/** The kinds of faults that are found here, before any request. */
const OURS_TO_REFUSE: ReadonlySet<LnurlFault['kind']> = new Set(['outside', 'asks-who', 'comment'])

/**
 * Returns a problem that suggests whole sats, for a receiver who refused an amount with a fraction of a sat; undefined
 * if the receiver also refuses the nearest whole amount.
 */
async function wholeSatsOnly(
  fetch: LnurlFetch,
  offer: PayOffer,
  request: InvoiceRequest,
): Promise<LnurlProblem | undefined> {
  const floor = floorToSat(request.amount)
  const whole = floor >= offer.min && floor > 0n ? floor : msats(floor + 1_000n)
  if (whole > offer.max) return undefined
  try {
    await askForInvoice(fetch, offer, { ...request, amount: whole })
  } catch (error) {
    if (error instanceof LnurlProblem) return undefined
    throw error
  }
  const sentence = `The receiver accepts whole sats only: try ${formatSats(whole)} sats.`
  return new LnurlProblem({ kind: 'whole-sats', try: whole }, sentence)
}

async function askForInvoice(fetch: LnurlFetch, offer: PayOffer, request: InvoiceRequest): Promise<RequestedInvoice> {
  refuseOutside(offer, request.amount)
  refusePayerData(offer)
  const comment = request.comment ?? ''
  refuseComment(offer, comment)
  const url = new URL(offer.callback)
  url.searchParams.set('amount', request.amount.toString())
  if (comment !== '') url.searchParams.set('comment', comment)
  const answer = await ask(fetch, url, payAnswer, { otherwise: 'The receiver sent no usable invoice.' })
  const invoice = readInvoice(answer.pr)
  checkInvoice(invoice, request)
  const unknown = unknownAction(answer.successAction)
  if (unknown !== undefined) {
    const sentence = `The receiver requests an unknown action after the payment (${unknown}).`
    throw new LnurlProblem({ kind: 'unknown-action', tag: unknown }, sentence)
  }
  const successAction = readSuccessAction(answer.successAction)
  if (successAction?.tag === 'url' && new URL(successAction.url).hostname !== offer.callback.hostname) {
    throw new LnurlProblem(
      { kind: 'bad-invoice' },
      'The receiver wants to send its payers to an address on another site.',
    )
  }
  return { invoice, successAction, verify: answer.verify }
}

function refuseOutside({ min, max }: PayOffer, amount: Msats): void {
  if (amount >= min && amount <= max) return
  throw new LnurlProblem(
    { kind: 'outside', smallest: min, largest: max },
    `The receiver accepts ${formatSats(min)} to ${formatSats(max)} sats, not ${formatSats(amount)}.`,
  )
}

function refuseComment({ commentAllowed }: PayOffer, comment: string): void {
  if ([...comment].length <= commentAllowed) return
  throw new LnurlProblem(
    { kind: 'comment' },
    commentAllowed === 0
      ? 'The receiver accepts no comments. Leave the comment out.'
      : `The receiver accepts comments of at most ${commentAllowed} characters. Shorten the comment.`,
  )
}

/**
 * Requests the terms of a withdraw code (LUD-03). A fast code contains its terms, so no request is needed (LUD-08).
 * Throws as `askToPay` does.
 */
export async function askToWithdraw(fetch: LnurlFetch, url: URL): Promise<WithdrawParams> {
  const fast = readFastWithdraw(url)
  if (fast !== undefined) return fast
  refuseOtherPurpose(url.searchParams.get('tag'), 'withdrawRequest')
  return await ask(fetch, url, withdrawParams, {
    otherwise: 'This code does not pay out.',
    purpose: 'withdrawRequest',
  })
}

/**
 * Submits the invoice that a withdraw code must pay (LUD-03). When this function resolves, the invoice is accepted but
 * not yet paid.
 */
export async function claimWithdrawal(fetch: LnurlFetch, params: WithdrawParams, invoice: string): Promise<void> {
  const url = new URL(params.callback)
  url.searchParams.set('k1', params.k1)
  url.searchParams.set('pr', invoice)
  await ask(fetch, url, lnurlOk, { otherwise: 'The payer gave no answer that could be understood.' })
}

type Purpose = 'payRequest' | 'withdrawRequest'

async function ask<Shape extends z.ZodType>(
  fetch: LnurlFetch,
  url: URL,
  shape: Shape,
  { otherwise, purpose }: { readonly otherwise: string; readonly purpose?: Purpose },
): Promise<z.infer<Shape>> {
  const { body, status = 200 } = await fetch(url.href, { maxBytes: MAX_ANSWER_BYTES })
  const json = parseJson(new TextDecoder().decode(body))
  const refusal = lnurlError.safeParse(json)
  if (refusal.success) {
    const said = refusal.data.reason.slice(0, 300)
    throw new LnurlProblem({ kind: 'refused', said }, said || 'The other side refused the request.')
  }
  const read = shape.safeParse(json)
  if (read.success) return read.data
  refuseStatus(url, status)
  refuseOtherPurpose(tagOf(json), purpose)
  throw new LnurlProblem({ kind: 'foreign', host: url.host }, otherwise, { cause: read.error })
}

function tagOf(json: unknown): string | null {
  const { tag } = (typeof json === 'object' && json !== null ? json : {}) as { readonly tag?: unknown }
  return typeof tag === 'string' ? tag : null
}

/** Throws LnurlProblem if an error status explains an answer that is not LNURL. */
function refuseStatus({ host }: URL, status: number): void {
  if (status === 404 || status === 410) {
    throw new LnurlProblem(
      { kind: 'unknown', host },
      `${host} does not know this name or code. Check it letter by letter.`,
    )
  }
  if (status >= 500) {
    const sentence = `${host} has a fault at the moment (${status}). Try again later, or ask the receiver for an invoice.`
    throw new LnurlProblem({ kind: 'broken', host, status }, sentence)
  }
  if (status >= 400) {
    const sentence = `${host} rejects this service (${status}). Ask the receiver for an invoice instead.`
    throw new LnurlProblem({ kind: 'turned-away', host, status }, sentence)
  }
}

const PURPOSES: Readonly<Record<string, string>> = {
  payRequest: 'This code takes payments: pay it instead of claiming it.',
  withdrawRequest: 'This code pays out: claim it with a wallet instead of paying it.',
  login: 'This code is for signing in somewhere. It cannot be paid.',
  channelRequest: 'This code opens a Lightning channel. It cannot be paid.',
}

/** Throws LnurlProblem if a code's tag, from its answer or already from its address, shows another purpose. */
function refuseOtherPurpose(tag: string | null, wanted: Purpose | undefined): void {
  if (wanted === undefined || tag === null || tag === '' || tag === wanted) return
  const does = tag.slice(0, 40)
  const sentence = PURPOSES[tag] ?? `Satchel does not know this kind of code (${does}).`
  throw new LnurlProblem({ kind: 'other-purpose', does }, sentence)
}

function readInvoice(text: string): Invoice {
  try {
    return decodeInvoice(text)
  } catch (cause) {
    if (!(cause instanceof InvalidInvoice)) throw cause
    throw new LnurlProblem({ kind: 'bad-invoice' }, 'The receiver sent an invalid invoice.', { cause })
  }
}

function checkInvoice(invoice: Invoice, request: InvoiceRequest): void {
  const bad = (sentence: string) => new LnurlProblem({ kind: 'bad-invoice' }, sentence)
  if (request.network !== undefined && invoice.network !== request.network) {
    throw bad(`The receiver sent an invoice for ${invoice.network}, not for ${request.network}.`)
  }
  if (invoice.amount !== request.amount) {
    const asked = invoice.amount === undefined ? 'any amount' : `${formatSats(invoice.amount)} sats`
    throw bad(`The receiver asked for ${asked} instead of ${formatSats(request.amount)} sats.`)
  }
  if (isExpired(invoice, request.now + (request.minSecondsLeft ?? 0) * 1000)) {
    throw bad('The receiver sent an invoice that is about to expire.')
  }
}
