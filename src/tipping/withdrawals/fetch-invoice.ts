import { isNoSuchHost, OutgoingError } from '../../lib/http/outgoing-error.ts'
import type { Invoice } from '../../lib/lightning/bolt11.ts'
import {
  askToPay,
  LnurlProblem,
  type PayOffer,
  refusePayerData,
  requestInvoice,
} from '../../lib/lightning/lnurl-client.ts'
import type { SuccessAction } from '../../lib/lightning/success-action.ts'
import { MSATS_PER_SAT, type Msats } from '../../lib/money/amount.ts'
import type { CoreContext, Outside } from '../core/context.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { MIN_SECONDS_LEFT } from './read-destination.ts'

export interface Address {
  /** The address as people see it. */
  readonly name: string
  readonly url: URL
  /** The member who causes the requests. Each member can have a few requests under way simultaneously. */
  readonly member: string
}

export interface FetchedInvoice {
  readonly invoice: Invoice
  readonly successAction: SuccessAction | undefined
}

/** Requests the conditions of an address, such as the amounts that it accepts. Throws TippingRefusal `address-…`. */
export async function offerOf(context: Outside, address: Address): Promise<PayOffer> {
  return await explained(address, async () => {
    const offer = await askToPay(context.egress.fetch.for(address.member), address.url)
    refusePayerData(offer)
    return offer
  })
}

/**
 * Checks with an address that it accepts this amount, which is not a promise yet. Throws TippingRefusal `address-…`.
 */
export async function askAddress(context: CoreContext, address: Address, amount: Msats): Promise<void> {
  const offer = await offerOf(context, address)
  if (amount < offer.min || amount > offer.max) {
    throw new TippingRefusal('address-range', { address: address.name, smallest: offer.min, largest: offer.max })
  }
  // Only a request for an invoice shows whether it accepts parts of a sat.
  if (amount % MSATS_PER_SAT !== 0n) await invoiceOf(context, address, offer, amount)
}

/**
 * Requests an invoice from an address, and checks it as a careful wallet would: exact amount, our network, and valid
 * for at least another minute. Resolves to the invoice and the message to show the payer afterwards. Throws
 * TippingRefusal `address-…`.
 */
export async function fetchInvoice(context: CoreContext, address: Address, amount: Msats): Promise<FetchedInvoice> {
  return await invoiceOf(context, address, await offerOf(context, address), amount)
}

/** Requests and checks an invoice as `fetchInvoice` does, but from the address's known offer. */
export async function invoiceOf(
  context: CoreContext,
  address: Address,
  offer: PayOffer,
  amount: Msats,
): Promise<FetchedInvoice> {
  const network = await context.network.find(context)
  const request = { amount, network, now: context.clock.now(), minSecondsLeft: MIN_SECONDS_LEFT }
  const fetch = context.egress.fetch.for(address.member)
  return await explained(address, () => requestInvoice(fetch, offer, request))
}

async function explained<T>(address: Address, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof OutgoingError) throw unreached(address, error)
    if (error instanceof LnurlProblem) throw refusalFor(address, error)
    throw error
  }
}

/** Returns the refusal that explains why no answer came. */
function unreached({ name: address, url }: Address, error: OutgoingError): TippingRefusal {
  if (isNoSuchHost(error)) return new TippingRefusal('address-no-host', { host: url.hostname })
  if (error.reason === 'too-large') return new TippingRefusal('address-too-large', { address })
  return new TippingRefusal('address-unreachable', { address })
}

/** Returns the refusal that explains why the answer permits no payment. */
function refusalFor({ name: address }: Address, { fault }: LnurlProblem): TippingRefusal {
  switch (fault.kind) {
    case 'refused':
      return fault.said === ''
        ? new TippingRefusal('address-failed', { address })
        : new TippingRefusal('address-refused', { address, message: fault.said })
    case 'unknown':
      return new TippingRefusal('address-unknown', { address })
    case 'turned-away':
      return new TippingRefusal('address-turned-away', { address, status: fault.status })
    case 'broken':
      return new TippingRefusal('address-broken', { address, status: fault.status })
    case 'other-purpose':
      return fault.does === 'withdrawRequest'
        ? new TippingRefusal('code-pays-out', {})
        : new TippingRefusal('code-not-for-paying', { does: fault.does })
    case 'outside':
      return new TippingRefusal('address-range', { address, smallest: fault.smallest, largest: fault.largest })
    case 'whole-sats':
      return new TippingRefusal('address-whole-sats', { address, nearest: fault.try })
    case 'asks-who':
      return new TippingRefusal('address-asks-who', { address })
    case 'unknown-action':
      return new TippingRefusal('address-unknown-action', { address, tag: fault.tag })
    case 'foreign':
    case 'comment':
    case 'bad-invoice':
      return new TippingRefusal('address-failed', { address })
  }
}
