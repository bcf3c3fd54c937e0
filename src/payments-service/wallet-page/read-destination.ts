import { FetchFailed, OutgoingError } from '../../lib/http/guarded-fetch.ts'
import {
  decodeLnurl,
  InvalidLnurl,
  looksLikeLnurl,
  parseLightningAddress,
  withoutTag,
} from '../../lib/lightning/lnurl.ts'
import { askToPay, LnurlProblem, type PayOffer, requestInvoice } from '../../lib/lightning/lnurl-client.ts'
import { readPaymentText } from '../../lib/lightning/payment-text.ts'
import type { SuccessAction } from '../../lib/lightning/success-action.ts'
import { ceilToSat, floorToSat, type Msats, msats } from '../../lib/money/amount.ts'
import { wallet } from '../core/chart-of-accounts.ts'
import { refuseAboveMaximum } from '../engine/node/amount-limits.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import { feeLimitOf, largestPayable } from '../payments/fee-limit.ts'
import { fetchOfferInvoice } from '../payments/fetch-offer-invoice.ts'
import { findOwn, refuseSelfPayment } from '../payments/pay-invoice.ts'
import { type PayableInvoice, readInvoice, readPayable } from '../payments/read-payable.ts'
import { handOutInvoice, NoSlotFree } from '../receiving/hand-out-invoice.ts'
import { findPayableCharge, findPayableName, LNURLP_PATH, type PayableName } from '../receiving/payable-name.ts'
import { STATIC_CHARGE_PATH } from '../receiving/static-charge.ts'
import type { Translator } from './i18n/translator.ts'
import { rangeIn, unreadable, whyNotPayable, whyUnreached } from './lnurl-problem-text.ts'
import { ownPath, urlRules } from './own-urls.ts'
import { type Say, WalletProblem } from './problems.ts'
import { readTypedAmount, refuseBelowOneSat } from './typed-amount.ts'

/** A person's entries in the form. */
export interface SendRequest {
  readonly userId: string
  /** An invoice, an offer, a Bitcoin name, a Lightning Address, an LNURL code or a gamertag. */
  readonly to: string
  /** The amount as typed, which may be empty if the invoice contains an amount. */
  readonly amount: string
  readonly note: string
  /** Translates into the sender's language. */
  readonly t: Translator
}

/** A payment that waits for the sender's confirmation. No sats have moved yet. */
export type SendProposal = ToUser | ToInvoice

export interface ToUser {
  readonly kind: 'user'
  readonly receiverId: string
  readonly gamertag: string
  readonly amount: Msats
  readonly note: string
}

export interface ToInvoice {
  readonly kind: 'invoice'
  readonly payable: PayableInvoice
  /** The maximum fee; zero if the invoice is settled inside the books. */
  readonly maxFee: Msats
  /** The address or code from which the invoice was fetched; empty for a typed invoice. */
  readonly from: string
  readonly note: string
  /** What the receiver tells the payer after the payment (LUD-09). */
  readonly successAction: SuccessAction | undefined
}

/** The minimum remaining lifetime of a fetched invoice, which leaves time to read and confirm it. */
const MIN_SECONDS_LEFT = 60
/** Matches the path of one of our own codes, which belongs to a static charge or to a name. */
const OWN_CODE = new RegExp(`^(${STATIC_CHARGE_PATH}|${LNURLP_PATH})/([^/]+)$`)

/**
 * Finds what a request would pay: looks up a gamertag, reads an invoice, or fetches an invoice for exactly the amount
 * from an address, a code or an offer. Throws WalletProblem with a text for the person.
 */
export async function readDestination(parts: ServiceParts, request: SendRequest): Promise<SendProposal> {
  const read = readPaymentText(request.to)
  if (read.kind === 'offer') return readOffer(parts, request, request.to, request.t('pay.offer'))
  if (read.kind === 'bitcoin-name') return readOffer(parts, request, `₿${read.name}`, `₿${read.name}`)
  const { text } = read
  if (read.kind === 'on-chain') throw problem((t) => t('pay.on-chain', { text: shortened(text) }))
  if (text === '') throw problem((t) => t('pay.whom'))
  try {
    if (looksLikeInvoice(text)) return await readTypedInvoice(parts, request, text)
    if (looksLikeLnurl(text)) return await readCode(parts, request, text)
    if (/.@/.test(text)) return await readAddress(parts, request, text)
    return await readName(parts, request, text.replace(/^@/, ''))
  } catch (error) {
    if (error instanceof InvalidLnurl) throw problem(unreadable(error), error)
    if (error instanceof LnurlProblem) throw problem(whyNotPayable(error, text), error)
    if (error instanceof NoSlotFree) throw problem((t) => t('pay.full'), error)
    if (error instanceof FetchFailed && error.reason === 'busy') throw problem((t) => t('pay.busy'), error)
    if (error instanceof OutgoingError) throw problem(whyUnreached(error, text), error)
    throw error
  }
}

/** Resolves to a user's gamertag. Throws WalletProblem if the user does not exist. */
export async function readUser({ database }: ServiceParts, userId: string): Promise<string> {
  const user = await database.read.user.findUnique({ where: { id: userId } })
  if (user === null) throw problem((t) => t('pay.unknown'))
  return user.gamertag
}

/** Whether a text looks like an invoice. A gamertag never does, because it has at most 30 characters. */
function looksLikeInvoice(text: string): boolean {
  return text.length > 40 && /^ln(bc|tb|sb)/i.test(text)
}

/** Whether a text looks like a link or code, complete or not, and not like a misspelled name. */
function looksLikeCode(text: string): boolean {
  return text.length > 30 || /[:/]|^ln(bc|tb|sb|url|o|i)\w*1/i.test(text)
}

async function readName(parts: ServiceParts, request: SendRequest, text: string): Promise<ToUser> {
  const isKnown = (await parts.names.find(text))?.userId !== undefined
  if (!isKnown && looksLikeCode(text)) throw problem((t) => t('pay.bad-code'))
  return readGamertag(parts, request, text)
}

async function readTypedInvoice(parts: ServiceParts, request: SendRequest, text: string): Promise<ToInvoice> {
  const typed = request.amount.trim()
  const named = readInvoice(text).amount
  if (named === undefined && typed === '') {
    throw problem((t) => t('pay.open'))
  }
  const typedAmount = typed === '' ? undefined : await readAmount(parts, request, 'fee')
  if (named !== undefined && typedAmount !== undefined && typedAmount !== named) {
    throw problem((t, unit) => t('pay.exactly', { amount: t.amount(named, unit) }))
  }
  const payable = await readPayable(parts, text, named === undefined ? typedAmount : undefined)
  return propose(parts, request, payable)
}

/**
 * Fetches an offer's invoice before the person confirms the payment. So the person pays only once, even if they press
 * the button again.
 */
async function readOffer(parts: ServiceParts, request: SendRequest, to: string, from: string): Promise<ToInvoice> {
  const amount = request.amount.trim() === '' ? undefined : await readAmount(parts, request, 'fee')
  const payer = { kind: 'user', id: request.userId } as const
  const { text } = await fetchOfferInvoice(parts, { payer, to, amount, note: request.note })
  return propose(parts, request, await readPayable(parts, text, undefined), { from, successAction: undefined })
}

async function readAddress(parts: ServiceParts, request: SendRequest, text: string): Promise<SendProposal> {
  const { address, user, url } = parseLightningAddress(text, urlRules(parts))
  return ownPath(parts, url) === undefined
    ? fetchOver(parts, request, url, address)
    : readOwnName(parts, request, user, address)
}

/**
 * Finds the destination of an LNURL code. Our own codes are looked up in the database, because the guarded fetch may
 * not be permitted to reach this service.
 */
async function readCode(parts: ServiceParts, request: SendRequest, text: string): Promise<SendProposal> {
  const url = decodeLnurl(text, urlRules(parts))
  const path = ownPath(parts, url)
  if (path === undefined) return fetchOver(parts, request, url, request.t('pay.code'))
  const [, prefix = '', name = ''] = OWN_CODE.exec(path) ?? []
  if (prefix === LNURLP_PATH) return readOwnName(parts, request, name, `${name}@${url.host}`)
  const own = prefix === '' ? undefined : await findPayableCharge(parts, name)
  if (own === undefined) {
    throw problem((t) => t('pay.no-receiver', { page: t('parts.receive') }))
  }
  return readOwnCode(parts, request, own, request.t('pay.code'))
}

async function readOwnName(
  parts: ServiceParts,
  request: SendRequest,
  name: string,
  address: string,
): Promise<SendProposal> {
  const gamertag = withoutTag(name)
  if ((await parts.names.find(gamertag))?.userId !== undefined) return readGamertag(parts, request, gamertag)
  const own = await findPayableName(parts, name)
  if (own === undefined) throw problem((t) => t('pay.no-address', { address }))
  return readOwnCode(parts, request, own, address)
}

async function readOwnCode(
  parts: ServiceParts,
  request: SendRequest,
  own: PayableName,
  from: string,
): Promise<ToInvoice> {
  const amount = await readAmount(parts, request, 'no-fee')
  refuseOutside(amount, own.minAmount, own.maxAmount)
  const payer = `user:${request.userId}`
  const invoice = await handOutInvoice(parts, own, { amount, comment: request.note, payer })
  const { successMessage: message } = own
  return propose(parts, request, await readPayable(parts, invoice, undefined), {
    from,
    successAction: message === '' ? undefined : { tag: 'message', message },
  })
}

async function fetchOver(parts: ServiceParts, request: SendRequest, url: URL, from: string): Promise<ToInvoice> {
  const amount = await readAmount(parts, request, 'fee')
  const offer = await askToPay(parts.fetch.for(request.userId), url)
  refuseOutside(amount, offer.min, offer.max)
  const { network } = await parts.sender.node()
  const { invoice, successAction } = await requestInvoice(parts.fetch.for(request.userId), offer, {
    amount,
    comment: commentFor(offer, request.note),
    network,
    now: parts.clock.now(),
    minSecondsLeft: MIN_SECONDS_LEFT,
  })
  return propose(parts, request, await readPayable(parts, invoice.text, undefined), { from, successAction })
}

/**
 * Returns the comment for the receiver. A note that the receiver does not accept appears only in the sender's history.
 */
function commentFor(offer: PayOffer, note: string): string {
  return offer.commentAllowed === 0 ? '' : note
}

async function readGamertag(parts: ServiceParts, request: SendRequest, gamertag: string): Promise<ToUser> {
  const receiverId = await parts.names.userId(gamertag)
  if (receiverId === request.userId) throw problem((t) => t('pay.yourself'))
  const amount = await readAmount(parts, request, 'no-fee')
  await refuseTooMuch(parts, request, amount, msats(0))
  refuseAboveMaximum(parts, amount)
  return { kind: 'user', receiverId, gamertag: await readUser(parts, receiverId), amount, note: request.note }
}

async function propose(
  parts: ServiceParts,
  request: SendRequest,
  payable: PayableInvoice,
  fetched: Pick<ToInvoice, 'from' | 'successAction'> = { from: '', successAction: undefined },
): Promise<ToInvoice> {
  const own = await findOwn(parts, payable)
  if (own !== undefined) refuseSelfPayment({ kind: 'user', id: request.userId }, own)
  refuseBelowOneSat(payable.amount)
  const maxFee = own === undefined ? feeLimitOf(parts, payable.amount, undefined) : msats(0)
  await refuseTooMuch(parts, request, payable.amount, maxFee)
  return { kind: 'invoice', payable, maxFee, note: request.note, ...fetched }
}

/**
 * Reads the amount. `all` means the whole balance if the payment is free, otherwise as much as leaves room for the fee.
 */
async function readAmount(parts: ServiceParts, request: SendRequest, cost: 'fee' | 'no-fee'): Promise<Msats> {
  const balance = await readBalance(parts, request.userId)
  const largest = cost === 'no-fee' ? balance : largestPayable(parts, balance)
  return readTypedAmount(parts.prices, request.amount, { balance, largest })
}

async function readBalance({ ledger }: ServiceParts, userId: string): Promise<Msats> {
  return msats(await ledger.balance(wallet({ kind: 'user', id: userId })))
}

function refuseOutside(amount: Msats, min: Msats, max: Msats): void {
  if (amount >= min && amount <= max) return
  throw problem((t, unit) => t('pay.outside', { range: rangeIn(t, min, max, unit), amount: t.amount(amount, unit) }))
}

async function refuseTooMuch(parts: ServiceParts, request: SendRequest, amount: Msats, maxFee: Msats): Promise<void> {
  const balance = await readBalance(parts, request.userId)
  if (amount + maxFee <= balance) return
  const largest = maxFee > 0n ? largestPayable(parts, balance) : balance
  const isOpen = request.amount.trim() !== '' && largest > 0n
  const say: Say = (t, unit) => {
    const told = (sum: Msats) => t.amount(sum, unit)
    const missing = told(ceilToSat(msats(amount + maxFee - balance)))
    const about = { balance: told(floorToSat(balance)), amount: told(amount), fee: told(maxFee), missing }
    const sentence = t(maxFee > 0n ? 'pay.too-much-with-fee' : 'pay.too-much', about)
    return isOpen ? `${sentence} ${t('pay.most', { amount: told(largest), all: 'all' })}` : sentence
  }
  throw problem(say, undefined, 'insufficient_funds')
}

/** Returns a Bitcoin address unchanged, and shortens a text that is longer than every address. */
function shortened(text: string): string {
  return text.length <= 62 ? text : `${text.slice(0, 40)}…`
}

function problem(say: Say, cause?: unknown, code = 'cannot_send'): WalletProblem {
  return new WalletProblem(400, code, say, cause)
}
