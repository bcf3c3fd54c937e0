/** What a text stands for that people paste to be paid, as far as it has to be told apart before it is read. */
export type PaymentText =
  /** A BOLT12 offer, or an invoice or a request for a refund of that kind, which nobody pastes on purpose. */
  | { readonly kind: 'offer'; readonly text: string }
  /** A Bitcoin name (BIP-353): `name@domain`, without its ₿. */
  | { readonly kind: 'bitcoin-name'; readonly name: string }
  /** Anything else: an invoice, a Lightning Address, a code, or nothing that can be paid. */
  | { readonly kind: 'other'; readonly text: string }

const BITCOIN_SIGN = '₿'
const BITCOIN_URI = /^bitcoin:(\/\/)?/i
const LIGHTNING_URI = /^lightning:(\/\/)?/i
/** `lno` offers, `lni` invoices, `lnr` asks for a refund (BOLT 12). No prefix of a BOLT11 invoice begins like this. */
const BOLT12 = /^ln[oir]1[a-z0-9+\s]+$/i

/**
 * Reads what was pasted. Of a payment link (`bitcoin:`, BIP-21 and BIP-321) it takes what Lightning can pay: the invoice
 * before the offer. A name is a Bitcoin name only with its ₿: without, it is a Lightning Address.
 */
export function readPaymentText(pasted: string): PaymentText {
  const text = ofLink(pasted.trim()).replace(LIGHTNING_URI, '').trim()
  if (BOLT12.test(text)) return { kind: 'offer', text }
  if (text.startsWith(BITCOIN_SIGN) && text.includes('@')) {
    return { kind: 'bitcoin-name', name: text.slice(BITCOIN_SIGN.length).trim() }
  }
  return { kind: 'other', text }
}

/** What a payment link carries for Lightning; the text itself where it is no such link, or carries nothing of the kind. */
function ofLink(text: string): string {
  if (!BITCOIN_URI.test(text)) return text
  const [, query = ''] = text.split('?')
  const fields = new Map([...new URLSearchParams(query)].map(([name, value]) => [name.toLowerCase(), value]))
  return fields.get('lightning') || fields.get('lno') || text
}

/** Why an offer is not paid: a sentence for a person. */
export const OFFER_NOT_PAYABLE =
  'This is a BOLT12 offer (it starts with lno), and offers cannot be paid from here. Paste a Lightning invoice (it starts with lnbc) or a Lightning Address instead.'
