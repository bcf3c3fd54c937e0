import { OutgoingError } from '../../lib/http/outgoing-error.ts'
import { decodeInvoice, InvalidInvoice, type Invoice, type Network } from '../../lib/lightning/bolt11.ts'
import { askToPay, LnurlProblem, type PayOffer, requestInvoice } from '../../lib/lightning/lnurl-client.ts'
import type { Msats } from '../../lib/money/amount.ts'
import type { TippingContext } from '../context.ts'
import { TippingRefusal } from '../tipping-refusal.ts'
import { MIN_SECONDS_LEFT } from './read-destination.ts'

interface Address {
  /** As people know it. */
  readonly name: string
  readonly url: URL
}

/** Asks whether an address takes this amount. Nothing is promised yet. Throws TippingRefusal `address-…`. */
export async function askAddress(context: TippingContext, address: Address, amount: Msats): Promise<PayOffer> {
  return await explained(address, async () => {
    const offer = await askToPay(context.outgoing.fetch, address.url)
    if (amount >= offer.min && amount <= offer.max) return offer
    throw new TippingRefusal('address-range', { address: address.name, smallest: offer.min, largest: offer.max })
  })
}

/**
 * Gets an invoice from an address, and checks it as a careful wallet would: exact amount, our network, made for what the
 * address said, and alive for another minute. Throws TippingRefusal `address-…`.
 */
export async function fetchInvoice(context: TippingContext, address: Address, amount: Msats): Promise<Invoice> {
  const offer = await askAddress(context, address, amount)
  const network = await knownNetwork(context)
  const request = { amount, network, now: context.clock.now(), minSecondsLeft: MIN_SECONDS_LEFT }
  return await explained(address, async () => (await requestInvoice(context.outgoing.fetch, offer, request)).invoice)
}

/**
 * The network that the provider's own invoices are for; undefined until one was seen. Then the provider, which cannot
 * pay into another network, is the one that says no.
 */
export async function knownNetwork({ database }: Pick<TippingContext, 'database'>): Promise<Network | undefined> {
  const seen = await database.read.invoice.findFirst({ where: { request: { not: null } } })
  const paid = await database.read.withdrawal.findFirst({ where: { state: 'paid', invoice: { not: null } } })
  const text = seen?.request ?? paid?.invoice
  if (!text) return undefined
  try {
    return decodeInvoice(text).network
  } catch (error) {
    if (error instanceof InvalidInvoice) return undefined
    throw error
  }
}

async function explained<T>({ name: address }: Address, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof OutgoingError) throw new TippingRefusal('address-unreachable', { address })
    if (!(error instanceof LnurlProblem)) throw error
    if (error.said) throw new TippingRefusal('address-refused', { address, message: error.said })
    throw new TippingRefusal('address-failed', { address })
  }
}
