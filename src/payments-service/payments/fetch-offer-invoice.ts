import { Busy } from '../../lib/concurrency-per-caller.ts'
import { decodeInvoice, InvalidInvoice, isExpired, type Network } from '../../lib/lightning/bolt11.ts'
import {
  decodeOffer,
  decodeOfferInvoice,
  type Offer,
  type OfferInvoice,
  type PayableText,
} from '../../lib/lightning/bolt12.ts'
import { OFFER_NOT_PAYABLE, readPaymentText } from '../../lib/lightning/payment-text.ts'
import { formatSats, type Msats } from '../../lib/money/amount.ts'
import type { OfferAnswer, OfferRequest } from '../backends/backend.ts'
import type { Holder } from '../core/chart-of-accounts.ts'
import { nothingSent, ServiceRefusal } from '../core/service-refusal.ts'
import { refuseAboveMaximum, refuseUnsendable } from '../engine/node/amount-limits.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import { handOutInvoice, NoSlotFree } from '../receiving/hand-out-invoice.ts'
import { findOwnOffer } from '../receiving/own-offer.ts'
import type { PayableName } from '../receiving/payable-name.ts'

/** A request for an invoice from an offer's maker. */
export interface OfferToPay {
  /** The payer. Each payer may have a few such requests under way at once. */
  readonly payer: Holder
  /** An offer (`lno1…`), or a Bitcoin name (`₿name@domain`). */
  readonly to: string
  /** The amount that the payee gets; undefined for the offer's own amount. */
  readonly amount: Msats | undefined
  /** A text that the payee sees; may be empty. */
  readonly note: string
}

/** An invoice that can be paid, and that always contains its amount. */
export type FetchedInvoice = PayableText & Pick<OfferInvoice, 'amount' | 'description'>

/** The longest wait for an offer's maker, shorter than the wait of our own clients. */
const TIMEOUT_MS = 15_000
/** The shortest remaining lifetime of an acceptable invoice, so that there is time to read and confirm it. */
const MIN_SECONDS_LEFT = 60
/** The form of a BIP-353 name, with the characters that a domain permits. */
const NAME = /^[a-z0-9._-]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)+$/i

/**
 * Gets an invoice from an offer's maker, through our node, and checks it as a careful wallet would: exact amount, our
 * network, at least another minute of validity. No money moves here: what is paid later is the invoice, once,
 * identified by its payment hash. Throws ServiceRefusal: not_offered, invalid_offer, wrong_network, invoice_expired,
 * amount_…, offer_unanswered, self_payment, or nothing_sent while the node cannot be asked. For an offer of our own,
 * returns a BOLT11 invoice, which is paid inside the books.
 */
export async function fetchOfferInvoice(parts: ServiceParts, wanted: OfferToPay): Promise<FetchedInvoice> {
  const { offer, request } = readOffer(parts, wanted)
  const { network } = await parts.sender.node()
  if (offer !== undefined) refuseOffer(parts, offer, wanted, network)
  if (wanted.amount !== undefined) {
    refuseAboveMaximum(parts, wanted.amount)
    refuseUnsendable(parts, wanted.amount)
  }
  const own = offer && (await findOwnOffer(parts, offer.text))
  if (own !== undefined) return invoiceOfOwn(parts, own, wanted)
  const invoice = readAnswer(await ask(parts, request))
  if (invoice.network !== network) throw unanswered('it is for another network')
  const due = wanted.amount ?? offer?.amount
  if (invoice.amount !== due) {
    throw unanswered(`it asks for ${formatSats(invoice.amount)} sats, which is not what was agreed on`)
  }
  if (isExpired(invoice, parts.clock.now() + MIN_SECONDS_LEFT * 1_000)) throw unanswered('it is about to expire')
  return invoice
}

/** Makes an invoice for a payer of our own offer, because our node cannot pay itself. */
async function invoiceOfOwn(
  parts: ServiceParts,
  own: PayableName,
  { payer, amount, note: comment }: OfferToPay,
): Promise<FetchedInvoice> {
  const { payee } = own.purpose
  if (payee.kind === payer.kind && payee.id === payer.id) {
    throw new ServiceRefusal(
      'self_payment',
      'This offer is your own, so paying it would move nothing. Only somebody else can pay it.',
    )
  }
  if (amount === undefined) throw amountRequired()
  try {
    const text = await handOutInvoice(parts, own, { amount, comment, payer: `${payer.kind}:${payer.id}` })
    return { ...decodeInvoice(text), amount, description: own.description }
  } catch (error) {
    if (error instanceof NoSlotFree) throw unanswered('too many are open already')
    throw error
  }
}

function readOffer(
  { backend }: ServiceParts,
  { payer, to, amount, note }: OfferToPay,
): { offer?: Offer; request: OfferRequest } {
  const { offers, bitcoinNames } = backend.capabilities
  const about = { payer: `${payer.kind}:${payer.id}`, amount, note, timeoutMs: TIMEOUT_MS }
  const read = readPaymentText(to)
  if (read.kind === 'bitcoin-name') {
    if (!bitcoinNames) throw new ServiceRefusal('not_offered', nameNotPayable(read.name))
    if (!NAME.test(read.name)) throw invalid('This is not a Bitcoin name. Check it letter by letter.')
    if (amount === undefined) throw amountRequired()
    return { request: { ...about, to: { name: read.name } } }
  }
  if (read.kind !== 'offer') throw invalid('This is neither a BOLT12 offer (lno1…) nor a Bitcoin name (₿name@domain).')
  if (!offers) throw new ServiceRefusal('not_offered', OFFER_NOT_PAYABLE)
  try {
    const offer = decodeOffer(read.text)
    return { offer, request: { ...about, to: { offer: offer.text } } }
  } catch (error) {
    if (error instanceof InvalidInvoice) throw invalid(error.message)
    throw error
  }
}

/** Returns a sentence that explains why a Bitcoin name cannot be paid. */
function nameNotPayable(name: string): string {
  return `₿${name} is a Bitcoin name, and these cannot be paid from here. Many of them are Lightning Addresses as well: try ${name}, without the ₿, or ask for an invoice.`
}

/** Throws ServiceRefusal if the offer's own terms rule out the payment, before the offer's maker is asked. */
function refuseOffer({ clock }: ServiceParts, offer: Offer, { amount }: OfferToPay, network: Network): void {
  if (!offer.networks.includes(network)) {
    const named = offer.networks.length > 0 ? `the network ${offer.networks.join(', ')}` : 'another network'
    const sentence = `This offer is for ${named}, but this service pays on ${network}. Ask for another offer.`
    throw new ServiceRefusal('wrong_network', sentence)
  }
  if (offer.expiresAt !== undefined && isExpired({ expiresAt: offer.expiresAt }, clock.now())) throw expired()
  if (offer.currency !== undefined)
    throw invalid('This offer asks for a currency other than bitcoin. Ask for an invoice.')
  if (offer.asksQuantity)
    throw invalid('This offer sells items by quantity. Pay it from a wallet that can state a quantity.')
  if (offer.amount === undefined && amount === undefined) throw amountRequired()
  if (offer.amount !== undefined && amount !== undefined && amount !== offer.amount) {
    throw new ServiceRefusal(
      'amount_not_allowed',
      `This offer asks for exactly ${formatSats(offer.amount)} sats. Leave the amount out.`,
    )
  }
}

/**
 * Requests the invoice from the offer's maker. This moves no money, so an error of the node is reported as
 * nothing_sent.
 */
async function ask({ backend, logger }: ServiceParts, request: OfferRequest): Promise<OfferAnswer> {
  try {
    const answer = await backend.fetchInvoice?.(request)
    if (answer !== undefined) return answer
  } catch (error) {
    if (error instanceof Busy) throw nothingSent('The makers of several offers are being asked already', error)
    logger.info({ err: error }, 'the Lightning node could not ask for the invoice of an offer')
    throw nothingSent('The Lightning node could not ask for the invoice of this offer', error)
  }
  throw new ServiceRefusal('not_offered', OFFER_NOT_PAYABLE)
}

function readAnswer(answer: OfferAnswer): OfferInvoice {
  switch (answer.state) {
    case 'unknown-name':
      throw invalid('No offer was found under this Bitcoin name. Check it letter by letter, or ask for an invoice.')
    case 'name-unanswered':
      throw new ServiceRefusal(
        'offer_unanswered',
        'This Bitcoin name could not be looked up right now. Nothing was sent. Try again later, or ask for an invoice.',
      )
    case 'expired':
      throw expired()
    case 'unreachable':
      throw new ServiceRefusal(
        'offer_unanswered',
        'The maker of this offer does not answer. Nothing was sent. Try again later, or ask for an invoice.',
      )
    case 'refused':
      throw new ServiceRefusal(
        'offer_unanswered',
        'The maker of this offer refused to send an invoice. Nothing was sent. Try another amount, or ask for an invoice.',
      )
    case 'fetched':
      try {
        return decodeOfferInvoice(answer.invoice)
      } catch (error) {
        if (error instanceof InvalidInvoice) throw unanswered('it cannot be read')
        throw error
      }
  }
}

function invalid(sentence: string): ServiceRefusal {
  return new ServiceRefusal('invalid_offer', sentence)
}

function expired(): ServiceRefusal {
  return new ServiceRefusal('invoice_expired', 'This offer has expired. Ask the receiver for another one.')
}

function amountRequired(): ServiceRefusal {
  return new ServiceRefusal('amount_required', 'This offer leaves the amount to you. Say how much to pay.')
}

function unanswered(why: string): ServiceRefusal {
  return new ServiceRefusal(
    'offer_unanswered',
    `The invoice for this offer was not accepted: ${why}. Nothing was sent. Ask the receiver for a Lightning invoice instead.`,
  )
}
