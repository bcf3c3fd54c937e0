import { Busy } from '../../lib/concurrency-per-caller.ts'
import { InvalidInvoice } from '../../lib/lightning/bolt11.ts'
import { decodeAnyInvoice, type PayableText } from '../../lib/lightning/bolt12.ts'
import type { Msats } from '../../lib/money/amount.ts'
import { PaymentsError } from '../../payments-api/payments-api.ts'
import type { Provider } from '../core/context.ts'
import { lacksOperation, refusalOf } from '../core/provider-refusal.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { type Destination, mustLive } from './read-destination.ts'

/** The most requests to offer makers that a member may have under way at the same time. */
export const MAX_OFFERS_ASKED = 2

type OfferDestination = Extract<Destination, { kind: 'offer' }>

/**
 * Has the provider ask an offer's maker, or the person behind a Bitcoin name, for an invoice. Nothing moves. Checks the
 * answer here: accepts only an invoice for exactly this amount, on our network and valid for at least another minute.
 * Throws TippingRefusal: `offer-…`, `bitcoin-name-…`, `address-failed`, `invoice-…`, `too-many-withdrawals`,
 * `provider-…`.
 */
export async function fetchOfferInvoice(
  context: TippingContext,
  destination: OfferDestination,
  { member, amount }: { readonly member: string; readonly amount: Msats },
): Promise<PayableText> {
  const { offer } = destination
  const network = await context.network.find(context)
  if (offer !== undefined) {
    if (offer.amount !== undefined && offer.amount !== amount) {
      throw new TippingRefusal('invoice-amount-differs', { asked: amount, invoice: offer.amount })
    }
    const [own = network] = offer.networks
    if (network !== undefined && !offer.networks.includes(network)) {
      throw new TippingRefusal('invoice-foreign', { network: own ?? network, own: network })
    }
    if (offer.expiresAt !== undefined) mustLive(context, { expiresAt: offer.expiresAt })
  }
  const invoice = read(destination, await askInTurn(context, destination, { member, amount }))
  const isTaken = invoice.amount === amount && (network === undefined || invoice.network === network)
  if (!isTaken) throw failed(destination)
  mustLive(context, invoice)
  return invoice
}

/**
 * Requests the invoice within the member's share of requests: the provider asks only a few makers at once for everybody
 * here, and members whose makers stay silent must not use up all of these requests.
 */
async function askInTurn(
  context: TippingContext,
  destination: OfferDestination,
  { member, amount }: { readonly member: string; readonly amount: Msats },
): Promise<string> {
  try {
    return await context.offersAsked(member, () => ask(context, destination, amount))
  } catch (error) {
    if (error instanceof Busy) throw new TippingRefusal('too-many-withdrawals', { most: MAX_OFFERS_ASKED })
    throw error
  }
}

async function ask({ payments }: Provider, destination: OfferDestination, amount: Msats): Promise<string> {
  try {
    return (await payments.fetchOfferInvoice({ offer: destination.to, amount })).data.invoice
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error
    const { code } = error
    const { name } = destination
    if (lacksOperation(error)) throw notPayable(destination)
    if (code === 'invoice_expired') throw new TippingRefusal('invoice-expired', {})
    if (code === 'invalid_offer' && name !== undefined) throw new TippingRefusal('bitcoin-name-not-found', { name })
    if (code === 'invalid_offer' || code === 'offer_unanswered' || error.kind === 'malformed') throw failed(destination)
    throw refusalOf(error)
  }
}

function read(destination: OfferDestination, text: string): PayableText {
  try {
    // The provider gives a BOLT11 invoice for an offer of one of its own wallets.
    return decodeAnyInvoice(text)
  } catch (error) {
    if (error instanceof InvalidInvoice) throw failed(destination)
    throw error
  }
}

function notPayable({ name }: OfferDestination): TippingRefusal {
  return name === undefined
    ? new TippingRefusal('offer-not-payable', {})
    : new TippingRefusal('bitcoin-name-not-payable', { name })
}

function failed({ name }: OfferDestination): TippingRefusal {
  return name === undefined
    ? new TippingRefusal('offer-failed', {})
    : new TippingRefusal('address-failed', { address: `₿${name}` })
}
