import { bech32, hex } from '@scure/base'
import { MAX_MSATS, type Msats, msats } from '../money/amount.ts'
import { readPasted } from '../pasted-text.ts'
import { decodeInvoice, InvalidInvoice, type Invoice, type Network } from './bolt11.ts'

/**
 * The content of an offer (`lno1…`, BOLT 12). An offer is not an invoice: the payer requests one from the offer's
 * maker.
 */
export interface Offer {
  /** The offer itself, in lower case, without breaks. */
  readonly text: string
  readonly networks: readonly Network[]
  /** The requested amount; undefined if the payer decides, or if the offer uses another currency. */
  readonly amount: Msats | undefined
  /** The ISO 4217 code of the offer's currency; undefined for bitcoin. */
  readonly currency: string | undefined
  readonly description: string
  /** The maker's name, as the maker wrote it. */
  readonly issuer: string | undefined
  readonly expiresAt: Date | undefined
  /** Whether the payer must state a quantity. */
  readonly asksQuantity: boolean
}

/** The fields that a payment needs from an invoice of either kind. */
export interface PayableText
  extends Pick<Invoice, 'text' | 'network' | 'amount' | 'description' | 'paymentHash' | 'expiresAt'> {
  /** The paid node's public key in hex; undefined if the invoice may hide the node behind a path. */
  readonly payee: string | undefined
}

/** An invoice from an offer's maker (`lni1…`, BOLT 12). Such an invoice always states its amount. */
export interface OfferInvoice extends PayableText {
  readonly amount: Msats
  readonly description: string
}

/** The type numbers of fields (BOLT 12, "Offers", "Invoice Requests" and "Invoices"). */
const OFFER = { chains: 2, currency: 6, amount: 8, description: 10, expiry: 14, issuer: 18, quantity: 20 }
const INVOICE = { chain: 80, createdAt: 164, relativeExpiry: 166, paymentHash: 168, amount: 170, signature: 240 }
const DEFAULT_EXPIRY_SECONDS = 7_200
const SIGNATURE_BYTES = 64

/** The hash of each network's first block, as BOLT 12 writes it. */
const CHAINS = new Map<string, Network>([
  ['6fe28c0ab6f1b372c1a6a246ae63f74f931e8365e15a089c68d6190000000000', 'bitcoin'],
  ['43497fd7f826957108f4a30fd9cec3aeba79972084e90ead01ea330900000000', 'testnet'],
  ['f61eee3b63a380a477a063af32b2bbc97c9ff9f01f2c4225e973988108000000', 'signet'],
  ['06226e46111a0b59caaf126043eb5bbf28c34f3a5e332a1fc7b2b73cf188910f', 'regtest'],
])
const HASH_BYTES = 32

const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
/** A length that no offer or invoice with a few paths exceeds. */
const MAX_LENGTH = 7_089

/** Whether a text begins like an offer's invoice. */
export function looksLikeOfferInvoice(text: string): boolean {
  return /^lni1/i.test(text)
}

/**
 * Reads the parts of an offer that a payer needs. The node that fetches the offer's invoice checks the rest. Throws
 * InvalidInvoice with a sentence for a person.
 */
export function decodeOffer(input: string): Offer {
  const { text, fields } = read(input, 'lno')
  const chains = fields.get(OFFER.chains)
  const currency = fields.get(OFFER.currency)
  const expiry = fields.get(OFFER.expiry)
  const amount = fields.get(OFFER.amount)
  const issuer = fields.get(OFFER.issuer)
  return {
    text,
    networks: chains === undefined ? ['bitcoin'] : networksOf(chains),
    amount: amount === undefined || currency !== undefined ? undefined : amountOf(amount),
    currency: currency === undefined ? undefined : textOf(currency),
    description: textOf(fields.get(OFFER.description) ?? new Uint8Array()),
    issuer: issuer === undefined ? undefined : textOf(issuer),
    expiresAt: expiry === undefined ? undefined : dateOf(numberOf(expiry)),
    asksQuantity: fields.has(OFFER.quantity),
  }
}

/**
 * Reads an offer's invoice: the amount, the hash and the expiry. The node that fetched the invoice and pays it checks
 * the signature, and whether the invoice matches the offer. Throws InvalidInvoice.
 */
export function decodeOfferInvoice(input: string): OfferInvoice {
  const { text, fields } = read(input, 'lni')
  const must = (type: number, length?: number) => {
    const value = fields.get(type)
    if (value === undefined || (length !== undefined && value.length !== length)) throw damaged(`field ${type}`)
    return value
  }
  must(INVOICE.signature, SIGNATURE_BYTES)
  const chain = fields.get(INVOICE.chain)
  const [network] = chain === undefined ? (['bitcoin'] as const) : networksOf(chain)
  if (network === undefined)
    throw new InvalidInvoice('This invoice is for a network other than bitcoin. Ask for another invoice.')
  const relative = fields.get(INVOICE.relativeExpiry)
  const seconds = relative === undefined ? DEFAULT_EXPIRY_SECONDS : numberOf(relative)
  return {
    text,
    network,
    amount: amountOf(must(INVOICE.amount)),
    paymentHash: hex.encode(must(INVOICE.paymentHash, HASH_BYTES)),
    expiresAt: dateOf(numberOf(must(INVOICE.createdAt)) + seconds),
    description: textOf(fields.get(OFFER.description) ?? new Uint8Array()),
    // The signing key may belong to a path instead of a node.
    payee: undefined,
  }
}

/** Reads an invoice of either kind, BOLT 11 or BOLT 12. Throws InvalidInvoice. */
export function decodeAnyInvoice(input: string): PayableText {
  return looksLikeOfferInvoice(input) ? decodeOfferInvoice(input) : decodeInvoice(input)
}

/** Reads the fields of a text such as `lno1…`: bech32 without a checksum, with `+` at breaks (BOLT 12, "Encoding"). */
function read(input: string, prefix: 'lno' | 'lni'): { text: string; fields: Map<number, Uint8Array> } {
  const whole = readPasted(input).replace(/([a-z0-9])\+\s*(?=[a-z0-9])/gi, '$1')
  if (whole.length > MAX_LENGTH) throw damaged('it is too long')
  if (whole !== whole.toLowerCase() && whole !== whole.toUpperCase()) throw damaged('mixed case')
  const text = whole.toLowerCase()
  if (!text.startsWith(`${prefix}1`)) throw damaged(`it does not start with ${prefix}1`)
  const words = [...text.slice(prefix.length + 1)].map((letter) => ALPHABET.indexOf(letter))
  if (words.includes(-1)) throw damaged('a letter of no meaning')
  return { text, fields: fieldsOf(bytesOf(words)) }
}

function bytesOf(words: number[]): Uint8Array {
  try {
    return bech32.fromWords(words)
  } catch (cause) {
    throw damaged(String(cause))
  }
}

/** Reads a TLV stream (BOLT 1). The types must be in ascending order, so none is repeated. */
function fieldsOf(bytes: Uint8Array): Map<number, Uint8Array> {
  const fields = new Map<number, Uint8Array>()
  let last = -1
  for (let at = 0; at < bytes.length; ) {
    const type = bigSize(bytes, at)
    const length = bigSize(bytes, type.next)
    const end = length.next + length.value
    if (type.value <= last) throw damaged('fields out of order')
    if (end > bytes.length) throw damaged(`field ${type.value} is cut short`)
    last = type.value
    fields.set(type.value, bytes.slice(length.next, end))
    at = end
  }
  return fields
}

/** Reads a `BigSize` number (BOLT 1), which must be in its shortest form. */
function bigSize(bytes: Uint8Array, at: number): { value: number; next: number } {
  const first = bytes[at]
  if (first === undefined) throw damaged('a number is missing')
  if (first < 0xfd) return { value: first, next: at + 1 }
  const length = 2 ** (first - 0xfc)
  const digits = bytes.slice(at + 1, at + 1 + length)
  const value = Number(`0x${hex.encode(digits)}`)
  const smallest = length === 2 ? 0xfd : 2 ** (4 * length)
  if (digits.length < length || value < smallest || !Number.isSafeInteger(value)) throw damaged('a malformed number')
  return { value, next: at + 1 + length }
}

/** Reads a truncated integer (`tu64`, BOLT 1), which has no leading zeros. */
function integerOf(bytes: Uint8Array): bigint {
  if (bytes.length > 8 || bytes[0] === 0) throw damaged('a malformed number')
  return bytes.length === 0 ? 0n : BigInt(`0x${hex.encode(bytes)}`)
}

function numberOf(bytes: Uint8Array): number {
  return Number(integerOf(bytes))
}

function amountOf(bytes: Uint8Array): Msats {
  const amount = integerOf(bytes)
  if (amount === 0n)
    throw new InvalidInvoice(
      'This BOLT12 offer or invoice asks for an amount of zero. Ask for a different offer or invoice.',
    )
  if (amount > MAX_MSATS)
    throw new InvalidInvoice(
      'This BOLT12 offer or invoice asks for more bitcoin than there will ever be. Ask for a different offer or invoice.',
    )
  return msats(amount)
}

function dateOf(seconds: number): Date {
  const date = new Date(seconds * 1_000)
  // A time beyond every calendar never comes.
  return Number.isNaN(date.getTime()) ? new Date(8.64e15) : date
}

function networksOf(chains: Uint8Array): Network[] {
  if (chains.length === 0 || chains.length % HASH_BYTES !== 0) throw damaged('a malformed chain')
  const found: Network[] = []
  for (let at = 0; at < chains.length; at += HASH_BYTES) {
    const network = CHAINS.get(hex.encode(chains.slice(at, at + HASH_BYTES)))
    if (network !== undefined) found.push(network)
  }
  return found
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw damaged('a text that is not UTF-8')
  }
}

function damaged(cause: string): InvalidInvoice {
  return new InvalidInvoice('This BOLT12 offer or invoice is damaged or incomplete. Copy it again, in full.', { cause })
}
