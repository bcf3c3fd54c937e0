import { BlindedInvoice, decodeInvoice, InvalidInvoice, type Invoice, isExpired } from '../../lib/lightning/bolt11.ts'
import { decodeOffer, type Offer } from '../../lib/lightning/bolt12.ts'
import { decodeLnurl, InvalidLnurl, looksLikeLnurl, parseLightningAddress } from '../../lib/lightning/lnurl.ts'
import { readPaymentText } from '../../lib/lightning/payment-text.ts'
import { shown } from '../core/shown.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import type { TippingContext } from '../engine/tipping-context.ts'

/** A destination, as far as the typed text shows it. */
export type Destination =
  | { readonly kind: 'request' }
  | { readonly kind: 'invoice'; readonly invoice: Invoice }
  /** A Lightning Address or a pay code. `name` is what people see. */
  | { readonly kind: 'address'; readonly name: string; readonly url: URL }
  /** A wallet at the provider. `gamertag` is without its @. */
  | { readonly kind: 'gamertag'; readonly gamertag: string }
  /**
   * A BOLT12 offer, or a Bitcoin name (BIP-353, without its ₿) that leads to one. `to` is the offer or name in the
   * provider's form.
   */
  | { readonly kind: 'offer'; readonly to: string; readonly offer?: Offer; readonly name?: string }

const MAX_NAME = 255

type Addressed = Extract<Destination, { readonly kind: 'address' }>

/**
 * Reads a typed destination. Throws TippingRefusal `destination-…`, `code-pays-out`, `invoice-unreadable` or
 * `invoice-blinded`.
 */
export function readDestination(context: Pick<TippingContext, 'egress'>, typed: string | undefined): Destination {
  const read = readPaymentText(typed ?? '')
  if (read.kind === 'bitcoin-name') {
    return { kind: 'offer', to: `₿${read.name}`, name: read.name.slice(0, MAX_NAME) }
  }
  const { text } = read
  if (read.kind === 'on-chain') throw new TippingRefusal('destination-on-chain', { text: shown(text) })
  if (read.kind === 'offer') return unlessUnreadable(() => readOffer(text))
  if (text === '') return { kind: 'request' }
  const address = addressIn(context, text)
  if (address !== undefined) return address
  if (/^(lightning:)?(\/\/)?ln(bc|tb|sb)/i.test(text)) {
    return unlessUnreadable(() => ({ kind: 'invoice', invoice: decodeInvoice(text) }))
  }
  const [, gamertag] = DAMAGED_CODE.test(text) ? [] : (GAMERTAG.exec(text) ?? [])
  if (gamertag !== undefined) return { kind: 'gamertag', gamertag }
  const isHalf = HALF_AN_ADDRESS.test(text) && !DAMAGED_CODE.test(text) && !OTHER_CHAINS.test(text)
  throw new TippingRefusal(isHalf ? 'destination-half' : 'destination-not-understood', { text: shown(text) })
}

/** A text that begins like a code, but was copied badly or is for something else. */
const DAMAGED_CODE = /^ln[a-z]{1,5}1/i
/** An account on another chain, such as Ethereum. No name is such a long mix of letters and digits. */
const OTHER_CHAINS = /^(?=.*\d)[a-z0-9]{31,}$/i
/** A gamertag in the provider's form. People also write it with an @ in front. */
const GAMERTAG = /^@?([A-Za-z0-9_-]{3,30})$/
/**
 * Half of an address: a name that is not a gamertag and has no host, or a host alone, either possibly with an @; or a
 * member as Discord writes one.
 */
const HALF_AN_ADDRESS = /^(@?[\p{L}\d._+-]{1,64}@?|<@!?\d+>)$/u

/** Returns the Lightning Address or pay code in a text; undefined if there is neither. */
function addressIn({ egress }: Pick<TippingContext, 'egress'>, text: string): Addressed | undefined {
  try {
    if (/^lnurlw:/i.test(text)) throw new TippingRefusal('code-pays-out', {})
    if (looksLikeLnurl(text)) return { kind: 'address', name: text, url: decodeLnurl(text, egress.lnurl) }
    const { address, url } = parseLightningAddress(text, egress.lnurl)
    return { kind: 'address', name: address, url }
  } catch (error) {
    if (error instanceof InvalidLnurl) return undefined
    throw error
  }
}

function readOffer(text: string): Destination {
  const offer = decodeOffer(text)
  return { kind: 'offer', to: offer.text, offer }
}

/**
 * Returns what `read` returns. Throws TippingRefusal `invoice-unreadable` for a damaged invoice or offer, and
 * `invoice-blinded` for a complete blinded invoice.
 */
function unlessUnreadable(read: () => Destination): Destination {
  try {
    return read()
  } catch (error) {
    if (error instanceof BlindedInvoice) throw new TippingRefusal('invoice-blinded', {})
    if (error instanceof InvalidInvoice) throw new TippingRefusal('invoice-unreadable', {})
    throw error
  }
}

/**
 * Reads a typed Lightning Address, and accepts nothing else. Throws TippingRefusal `address-not-understood`,
 * `bitcoin-name-not-payable` or `destination-on-chain`.
 */
export function readAddress(context: Pick<TippingContext, 'egress'>, typed: string): Addressed {
  const read = readPaymentText(typed)
  if (read.kind === 'bitcoin-name') {
    throw new TippingRefusal('bitcoin-name-not-payable', { name: read.name.slice(0, MAX_NAME) })
  }
  if (read.kind === 'on-chain') throw new TippingRefusal('destination-on-chain', { text: shown(read.text) })
  const address = read.text.includes('@') ? addressIn(context, read.text) : undefined
  if (address !== undefined) return address
  throw new TippingRefusal('address-not-understood', { text: shown(typed.trim()) })
}

/** The least remaining lifetime of an invoice when its payment is sent. */
export const MIN_SECONDS_LEFT = 60

/** Throws TippingRefusal `invoice-expired` for an invoice that may expire before its payment arrives. */
export function mustLive({ clock }: Pick<TippingContext, 'clock'>, invoice: Pick<Invoice, 'expiresAt'>): void {
  if (isExpired(invoice, clock.now() + MIN_SECONDS_LEFT * 1_000)) throw new TippingRefusal('invoice-expired', {})
}
