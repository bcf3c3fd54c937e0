import { createHash } from 'node:crypto'
import { createBase58check } from '@scure/base'
import { readPasted } from '../pasted-text.ts'

/** The kinds of payable text that people paste, as far as they differ before parsing. */
export type PaymentText =
  /** A BOLT12 offer. BOLT12 invoices and refund requests also count, although nobody pastes those on purpose. */
  | { readonly kind: 'offer'; readonly text: string }
  /** A Bitcoin name (BIP-353): `name@domain`, without its ₿. */
  | { readonly kind: 'bitcoin-name'; readonly name: string }
  /** An on-chain address, or a payment link without a Lightning part. This wallet pays only Lightning. */
  | { readonly kind: 'on-chain'; readonly text: string }
  /** Anything else: an invoice, a Lightning Address, a code, or nothing payable. */
  | { readonly kind: 'other'; readonly text: string }

const BITCOIN_SIGN = '₿'
const BITCOIN_URI = /^bitcoin:(\/\/)?/i
const LIGHTNING_URI = /^lightning:(\/\/)?/i
/**
 * The pattern of offers (`lno`), invoices (`lni`) and requests for a refund (`lnr`) of BOLT 12. No BOLT11 prefix begins
 * like this.
 */
const BOLT12 = /^ln[oir]1[a-z0-9+\s]+$/i

/**
 * Reads a pasted text. From a payment link (`bitcoin:`, BIP-21 and BIP-321), extracts the part that Lightning can pay:
 * the invoice if there is one, else the offer. A name is a Bitcoin name only if it begins with ₿; otherwise it is a
 * Lightning Address.
 */
export function readPaymentText(pasted: string): PaymentText {
  const link = readPasted(pasted)
  const text = inOnePiece(ofLink(link).replace(LIGHTNING_URI, '').trim())
  if (BOLT12.test(text)) return { kind: 'offer', text }
  if (BITCOIN_URI.test(text) || isOnChain(text)) return { kind: 'on-chain', text }
  if (text.startsWith(BITCOIN_SIGN) && text.includes('@')) {
    return { kind: 'bitcoin-name', name: text.slice(BITCOIN_SIGN.length).trim() }
  }
  return { kind: 'other', text }
}

/** Extracts a payment link's Lightning part. Returns any other text unchanged, even a link without such a part. */
function ofLink(text: string): string {
  if (!BITCOIN_URI.test(text)) return text
  // Other fields may contain a question mark. A plus joins an offer's parts, and does not mean a space here.
  const at = text.indexOf('?')
  const query = at === -1 ? '' : text.slice(at + 1).replaceAll('+', '%2B')
  const fields = new Map([...new URLSearchParams(query)].map(([name, value]) => [name.toLowerCase(), value]))
  return fields.get('lightning') || fields.get('lno') || text
}

/** Joins an invoice or a code that was broken into lines. The checksum shows whether the result is complete. */
function inOnePiece(text: string): string {
  return /^ln(bc|tb|sb|url1)[a-z0-9\s]+$/i.test(text) ? text.replace(/\s+/g, '') : text
}

const base58 = createBase58check((data: Uint8Array) => createHash('sha256').update(data).digest())
/**
 * The patterns of on-chain addresses. A bech32 address is recognized by its network's prefix, even if it is damaged; an
 * address of an older kind also needs a correct checksum.
 */
const BECH32_ADDRESS = /^(bc|tb|bcrt|sb)1[a-z0-9]{11,87}$/i
const BASE58_ADDRESS = /^[123mn][1-9A-HJ-NP-Za-km-z]{25,34}$/

function isOnChain(text: string): boolean {
  if (BECH32_ADDRESS.test(text)) return true
  if (!BASE58_ADDRESS.test(text)) return false
  try {
    return base58.decode(text).length === 21
  } catch {
    return false
  }
}

/** A sentence that explains why an offer is not paid. */
export const OFFER_NOT_PAYABLE =
  'This is a BOLT12 offer (it starts with lno), and offers cannot be paid from here. Paste a Lightning invoice (it starts with lnbc) or a Lightning Address instead.'
