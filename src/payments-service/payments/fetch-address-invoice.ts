import { FetchFailed, OutgoingError } from '../../lib/http/guarded-fetch.ts'
import type { Invoice } from '../../lib/lightning/bolt11.ts'
import { InvalidLnurl, type LightningAddress, parseLightningAddress } from '../../lib/lightning/lnurl.ts'
import { askToPay, LnurlProblem, type PayOffer, requestInvoice } from '../../lib/lightning/lnurl-client.ts'
import { descriptionHash } from '../../lib/lightning/lnurl-messages.ts'
import { formatSats, type Msats } from '../../lib/money/amount.ts'
import type { Holder } from '../core/chart-of-accounts.ts'
import { ServiceRefusal } from '../core/service-refusal.ts'
import { refuseAboveMaximum } from '../engine/node/amount-limits.ts'
import type { ServiceParts } from '../engine/service-parts.ts'
import { handOutInvoice, NoSlotFree } from '../receiving/hand-out-invoice.ts'
import { findPayableName } from '../receiving/payable-name.ts'
import { readInvoice } from './read-payable.ts'

/** A request for an invoice from a Lightning Address. */
export interface AddressToPay {
  /** The payer. Each payer may have a few such requests under way at once. */
  readonly asker: Holder
  /** The address, as `name@host`. */
  readonly address: string
  /** The amount that the receiver gets. */
  readonly amount: Msats
  /** A text that the receiver sees; may be empty. */
  readonly comment: string
}

/** The shortest remaining lifetime of an acceptable invoice, so that there is time to pay it. */
const MIN_SECONDS_LEFT = 60

/**
 * Gets an invoice from a Lightning Address for exactly the amount, and checks it as a careful wallet would: amount,
 * network, at least another minute of validity, and a commitment only to the address's own description. No money moves.
 * For an address on our own host, returns an invoice of our own. Throws ServiceRefusal: invalid_address,
 * address_unanswered, amount_…, rate_limited, or nothing_sent while our node cannot be asked.
 */
export async function fetchAddressInvoice(parts: ServiceParts, wanted: AddressToPay): Promise<Invoice> {
  refuseAboveMaximum(parts, wanted.amount)
  const address = readAddress(parts, wanted.address)
  // Our own addresses are in the books, and the guarded fetch might not even be permitted to reach us.
  if (address.host === new URL(parts.publicUrl).host) return invoiceOfOwn(parts, address, wanted)
  const fetch = parts.fetch.for(wanted.asker.id)
  const { network } = await parts.sender.node()
  try {
    const offer = await askToPay(fetch, address.url)
    refuseOutside(offer, wanted.amount)
    const { amount, comment } = wanted
    const terms = { amount, comment, network, now: parts.clock.now(), minSecondsLeft: MIN_SECONDS_LEFT }
    const { invoice } = await requestInvoice(fetch, offer, terms)
    refuseOtherPurpose(invoice, offer)
    return invoice
  } catch (error) {
    throw explain(error)
  }
}

function readAddress({ settings }: ServiceParts, text: string): LightningAddress {
  try {
    return parseLightningAddress(text, { allowLoopbackHttp: settings.outgoingAllowLoopback })
  } catch (error) {
    if (error instanceof InvalidLnurl) throw new ServiceRefusal('invalid_address', error.message)
    throw error
  }
}

async function invoiceOfOwn(
  parts: ServiceParts,
  { user }: LightningAddress,
  { asker, amount, comment }: AddressToPay,
): Promise<Invoice> {
  const own = await findPayableName(parts, user)
  if (own === undefined || !own.takesPayments) throw unanswered('Nobody can be paid at this address.')
  refuseOutside({ min: own.minAmount, max: own.maxAmount }, amount)
  try {
    return readInvoice(await handOutInvoice(parts, own, { amount, comment, payer: `${asker.kind}:${asker.id}` }))
  } catch (error) {
    if (error instanceof NoSlotFree) throw unanswered('Too many invoices of this address are open already.')
    throw error
  }
}

function refuseOutside({ min, max }: Pick<PayOffer, 'min' | 'max'>, amount: Msats): void {
  if (amount >= min && amount <= max) return
  const range = `The receiver accepts ${formatSats(min)} to ${formatSats(max)} sats, not ${formatSats(amount)}.`
  const [code, limit] = amount < min ? (['amount_too_low', min] as const) : (['amount_too_high', max] as const)
  throw new ServiceRefusal(code, range, {}, limit)
}

/**
 * Throws ServiceRefusal (address_unanswered) if an invoice contains the hash of another text than the address announced
 * (LUD-06). An invoice without a hash states its own purpose, which is accepted.
 */
function refuseOtherPurpose(invoice: Invoice, { metadata }: PayOffer): void {
  if (invoice.descriptionHash === undefined || invoice.descriptionHash === descriptionHash(metadata)) return
  throw unanswered('The invoice does not match what the address announced.')
}

function explain(error: unknown): unknown {
  if (error instanceof FetchFailed && error.reason === 'busy')
    return new ServiceRefusal('rate_limited', `Too many addresses are being asked: ${error.message}.`, {
      'retry-after': '1',
    })
  if (error instanceof LnurlProblem) return unanswered(error.message, error)
  if (error instanceof OutgoingError) return unanswered('The address does not answer.', error)
  return error
}

function unanswered(why: string, cause?: unknown): ServiceRefusal {
  const refusal = new ServiceRefusal(
    'address_unanswered',
    `${why} Nothing was paid. Check the address, or ask for an invoice.`,
  )
  refusal.cause = cause
  return refusal
}
