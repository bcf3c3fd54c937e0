import { OutgoingError } from '../../lib/http/outgoing-error.ts'
import type { Invoice } from '../../lib/lightning/bolt11.ts'
import {
  askToPay,
  LnurlProblem,
  PayerDataWanted,
  type PayOffer,
  refusePayerData,
  requestInvoice,
} from '../../lib/lightning/lnurl-client.ts'
import type { Msats } from '../../lib/money/amount.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { TippingContext } from '../machines/tipping-context.ts'
import { MIN_SECONDS_LEFT } from './read-destination.ts'

interface Address {
  /** As people know it. */
  readonly name: string
  readonly url: URL
  /** Who wants to know: each member has a few requests under way at once. */
  readonly member: string
}

/** Asks an address what it takes. Throws TippingRefusal `address-…`. */
export async function offerOf(context: TippingContext, address: Address): Promise<PayOffer> {
  return await explained(address, async () => {
    const offer = await askToPay(context.egress.fetch.for(address.member), address.url)
    refusePayerData(offer)
    return offer
  })
}

/** Asks whether an address takes this amount. Nothing is promised yet. Throws TippingRefusal `address-…`. */
export async function askAddress(context: TippingContext, address: Address, amount: Msats): Promise<PayOffer> {
  const offer = await offerOf(context, address)
  if (amount >= offer.min && amount <= offer.max) return offer
  throw new TippingRefusal('address-range', { address: address.name, smallest: offer.min, largest: offer.max })
}

/**
 * Gets an invoice from an address, and checks it as a careful wallet would: exact amount, our network, made for what the
 * address said, and alive for another minute. Throws TippingRefusal `address-…`.
 */
export async function fetchInvoice(context: TippingContext, address: Address, amount: Msats): Promise<Invoice> {
  const offer = await askAddress(context, address, amount)
  const network = await context.network.find(context)
  const request = { amount, network, now: context.clock.now(), minSecondsLeft: MIN_SECONDS_LEFT }
  const fetch = context.egress.fetch.for(address.member)
  return await explained(address, async () => (await requestInvoice(fetch, offer, request)).invoice)
}

async function explained<T>({ name: address }: Address, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof OutgoingError) throw new TippingRefusal('address-unreachable', { address })
    if (!(error instanceof LnurlProblem)) throw error
    if (error instanceof PayerDataWanted) throw new TippingRefusal('address-asks-who', { address })
    if (error.said) throw new TippingRefusal('address-refused', { address, message: error.said })
    throw new TippingRefusal('address-failed', { address })
  }
}
