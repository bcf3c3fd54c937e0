import { bech32, hex } from '@scure/base'
import { createUnsignedRequest, parsePaymentRequest } from 'invoices'
import { pointFromScalar, signRecoverable } from 'tiny-secp256k1'
import { MAX_MSATS, type Msats, msats } from '../money/amount.ts'
import { readPasted } from '../pasted-text.ts'

/** The bitcoin networks that an invoice's prefix can name: `lnbc`, `lntb`, `lntbs`, `lnbcrt`, `lnsb`. */
export type Network = 'bitcoin' | 'testnet' | 'signet' | 'regtest' | 'simnet'

const NETWORKS: readonly string[] = ['bitcoin', 'testnet', 'signet', 'regtest', 'simnet'] satisfies Network[]

/** A BOLT11 invoice, parsed and verified. All hashes and keys are lower-case hex. */
export interface Invoice {
  /** The invoice itself, in lower case, without scheme or surrounding space. */
  readonly text: string
  readonly network: Network
  /** The requested amount; undefined if the payer decides. */
  readonly amount: Msats | undefined
  /** The description, which may be empty. Exactly one of `description` and `descriptionHash` is present. */
  readonly description: string | undefined
  readonly descriptionHash: string | undefined
  readonly paymentHash: string
  readonly paymentSecret: string
  /** The paid node's public key, recovered from the signature if the invoice does not contain it. */
  readonly payee: string
  /** R and S of the signature, 64 bytes. */
  readonly signature: string
  readonly createdAt: Date
  readonly expiresAt: Date
  /** The fewest blocks that the last hop must leave until its expiry. */
  readonly cltvExpiry: number
  /** The feature bits that are set, in ascending order. */
  readonly features: readonly number[]
  /** Payment metadata (`m` field) to pass on to the payee. */
  readonly metadata: string | undefined
}

/**
 * The error for a text that nobody should pay as an invoice. `message` is a sentence for a person; `cause` explains the
 * fault to a developer.
 */
export class InvalidInvoice extends Error {
  override readonly name = 'InvalidInvoice'
}

/** The error for an invoice that hides its receiver behind blinded paths and therefore cannot be paid from here. */
export class BlindedInvoice extends InvalidInvoice {}

/** The fields of a new invoice. Hashes, secrets and the private key are hex; the amount is exact. */
export interface InvoiceDraft {
  readonly network: Network
  readonly amount?: Msats | undefined
  /** The description, at most 639 bytes of UTF-8. */
  readonly description?: string | undefined
  /** The SHA-256 of a text that the payer already has (LUD-06). It is given instead of `description`. */
  readonly descriptionHash?: string | undefined
  readonly paymentHash: string
  readonly paymentSecret: string
  readonly createdAt: Date
  readonly expiresInSeconds: number
  readonly privateKey: string
  /** The feature bits. Default: variable-length onion and payment secret, both required. */
  readonly features?: readonly number[]
  readonly cltvExpiry?: number
  readonly metadata?: string
}

/** The length of the longest text that fits in a QR code, and so of the longest invoice. */
const MAX_LENGTH = 7089
const SIGNATURE_WORDS = 104
const TIMESTAMP_WORDS = 7

/**
 * The type numbers of tagged fields (BOLT11, "Tagged Fields"), and below them the required lengths of some fields, in
 * 5-bit words.
 */
const FIELD = { p: 1, feature: 5, x: 6, d: 13, s: 16, n: 19, h: 23, c: 24, m: 27 }
const FIXED_LENGTH = new Map([
  [FIELD.p, 52],
  [FIELD.s, 52],
  [FIELD.h, 52],
  [FIELD.n, 53],
])
const ONCE = new Set(Object.values(FIELD))

/**
 * The type number of a field with a path to a hidden receiver, and the feature bit of an invoice without any other path
 * (bLIP 39).
 */
const BLINDED_PATH = 20
const BLINDED_FEATURE = 262
const BLINDED =
  'This invoice hides its receiver behind blinded paths, which cannot be paid from here. Make one without them, or use a Lightning Address.'

/** Even bits that BOLT9 defines for invoices, or assumes everywhere. Any other even bit forbids a payment. */
const KNOWN_REQUIRED = new Set([0, 8, 12, 14, 16, 24, 36, 44, 48])
const DEFAULT_FEATURES = [8, 14]
const DEFAULT_EXPIRY_SECONDS = 3600

interface Field {
  readonly type: number
  readonly words: readonly number[]
}

/**
 * Reads an invoice of any bitcoin network, in upper or lower case, with or without `lightning:` and surrounding space.
 * Also reads expired invoices, so the caller must check `isExpired`. Throws InvalidInvoice for everything that BOLT11
 * tells a reader to refuse, and for invoices that two readers could understand differently (a repeated field, a
 * truncated field).
 */
export function decodeInvoice(input: string): Invoice {
  const request = strip(input)
  const parsed = parse(request)
  const { prefix, words } = bech32.decode(request as `${string}1${string}`, MAX_LENGTH)
  const fields = taggedFields(words)
  const { network, id, payment } = parsed
  if (!NETWORKS.includes(network))
    throw new InvalidInvoice(`This invoice is for ${network}, not for bitcoin. Ask for another invoice.`)
  if (needsBlindedPath(fields, parsed)) throw new BlindedInvoice(BLINDED)
  if (id === undefined)
    throw new InvalidInvoice('This invoice has no payment hash, so it cannot be paid. Ask for another invoice.')
  if (payment === undefined) {
    throw new InvalidInvoice('This invoice has no payment secret. Ask for an invoice from an up-to-date wallet.')
  }
  const features = parsed.features.map((feature) => feature.bit)
  refuseUnknownFeatures(features)
  const descriptionHash = parsed.description_hash
  return {
    text: request.toLowerCase(),
    network: network as Network,
    amount: amountOf(prefix, parsed.mtokens),
    description: descriptionHash === undefined ? (parsed.description ?? '') : undefined,
    descriptionHash,
    paymentHash: id,
    paymentSecret: payment,
    payee: parsed.destination,
    signature: hex.encode(bytes(words.slice(-SIGNATURE_WORDS)).subarray(0, 64)),
    ...datesOf(words, fields),
    cltvExpiry: parsed.cltv_delta,
    features,
    metadata: parsed.metadata,
  }
}

/** Whether the invoice can no longer be paid at `now` (milliseconds since 1970). */
export function isExpired(invoice: Pick<Invoice, 'expiresAt'>, now: number): boolean {
  return now >= invoice.expiresAt.getTime()
}

/**
 * Creates and signs an invoice (RFC 6979: the same draft always results in the same invoice). Throws an Error for an
 * invalid draft, such as one with neither or both of `description` and `descriptionHash`, a description over 639 bytes,
 * an amount of zero or an invalid key.
 */
export function encodeInvoice(draft: InvoiceDraft): string {
  if ((draft.description === undefined) === (draft.descriptionHash === undefined)) {
    throw new TypeError('an invoice must have either a description or a description hash')
  }
  if (draft.amount === 0n) throw new RangeError('an invoice cannot ask for an amount of 0 msats; leave the amount out')
  if (!(draft.expiresInSeconds >= 0)) {
    throw new RangeError(`an invoice cannot expire ${draft.expiresInSeconds} s after it was made; give 0 or more`)
  }
  const createdAt = Math.floor(draft.createdAt.getTime() / 1000)
  // The field is a whole number above zero. For other values the library would search for the end of its digits
  // forever.
  if (!(createdAt > 0))
    throw new RangeError(`an invoice cannot be made at ${draft.createdAt.getTime()} ms; give a time after 1970`)
  const { hash, hrp, tags } = createUnsignedRequest({
    network: draft.network,
    id: draft.paymentHash,
    payment: draft.paymentSecret,
    description: draft.description,
    description_hash: draft.descriptionHash,
    mtokens: (draft.amount ?? 0n).toString(),
    created_at: new Date(createdAt * 1000).toISOString(),
    expires_at: new Date((createdAt + draft.expiresInSeconds) * 1000).toISOString(),
    cltv_delta: draft.cltvExpiry,
    features: (draft.features ?? DEFAULT_FEATURES).map((bit) => ({ bit })),
    metadata: draft.metadata,
  })
  // The curve runs as WebAssembly: with bigints, a signature and the search for its recovery id took ten times as long.
  const { signature, recoveryId } = signRecoverable(hex.decode(hash), hex.decode(draft.privateKey))
  const signed = bech32.toWords(Uint8Array.of(...signature, recoveryId))
  return bech32.encode(hrp, [...tags, ...signed], false)
}

/** Returns the node id (compressed public key, hex) of a private key (32 bytes, hex). */
export function publicKey(privateKey: string): string {
  const point = pointFromScalar(hex.decode(privateKey), true)
  if (point === null) throw new RangeError('this is not a valid private key')
  return hex.encode(point)
}

function strip(input: string): string {
  const request = readPasted(input)
    .replace(/^lightning:(\/\/)?/i, '')
    .trim()
  if (!/^ln(bc|tb|sb|ltc)/i.test(request)) {
    throw new InvalidInvoice('This is not a Lightning invoice. An invoice starts with "lnbc".')
  }
  if (request.length > MAX_LENGTH)
    throw new InvalidInvoice('This is too long to be a Lightning invoice. Copy only the invoice.')
  return request
}

function parse(request: string) {
  try {
    return parsePaymentRequest({ request })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : ''
    if (/Blinded/.test(reason)) throw new BlindedInvoice(BLINDED, { cause })
    const sentence = /HrpAsMtokens|Multiplier/.test(reason)
      ? 'The amount of this invoice cannot be read. Ask for another invoice.'
      : 'This Lightning invoice is damaged or incomplete. Copy it again, in full.'
    throw new InvalidInvoice(sentence, { cause })
  }
}

/**
 * Returns the fields between the time and the signature. Skips fields of an unexpected length, as a reader must
 * (BOLT11, valid examples).
 */
function taggedFields(words: readonly number[]): Field[] {
  const data = words.slice(TIMESTAMP_WORDS, -SIGNATURE_WORDS)
  const fields: Field[] = []
  for (let at = 0; at < data.length; ) {
    const [type, high, low] = data.slice(at, at + 3)
    if (type === undefined || high === undefined || low === undefined) throw damaged('field without length')
    const length = high * 32 + low
    const content = data.slice(at + 3, at + 3 + length)
    if (content.length < length) throw damaged(`field ${type} is cut short`)
    at += 3 + length
    if ((FIXED_LENGTH.get(type) ?? length) === length) fields.push({ type, words: content })
  }
  for (const { type, words: content } of fields) {
    const numeric = type === FIELD.x || type === FIELD.c || type === FIELD.feature
    if (numeric && content[0] === 0) throw damaged(`field ${type} starts with zeros`)
    if (ONCE.has(type) && fields.filter((field) => field.type === type).length > 1) throw damaged(`two fields ${type}`)
  }
  return fields
}

function damaged(cause: string): InvalidInvoice {
  return new InvalidInvoice('This Lightning invoice is malformed. Ask for another invoice.', { cause })
}

function needsBlindedPath(
  fields: readonly Field[],
  { features, payment }: { readonly features: readonly { readonly bit: number }[]; readonly payment?: string },
): boolean {
  const hasPath = fields.some((field) => field.type === BLINDED_PATH)
  return features.some(({ bit }) => bit === BLINDED_FEATURE) || (hasPath && payment === undefined)
}

function refuseUnknownFeatures(features: readonly number[]): void {
  const unknown = features.filter((bit) => bit % 2 === 0 && !KNOWN_REQUIRED.has(bit))
  if (unknown.length === 0) return
  throw new InvalidInvoice(
    `This invoice needs a feature that is not supported here (bit ${unknown.join(', ')}). Ask for another invoice.`,
  )
}

/**
 * Returns the amount in the prefix; undefined if there is none. For a missing amount, the library would return zero.
 */
function amountOf(prefix: string, mtokens: string): Msats | undefined {
  if (!/\d/.test(prefix)) return undefined
  const amount = BigInt(mtokens)
  if (amount === 0n) throw new InvalidInvoice('This invoice asks for an amount of zero. Ask for another invoice.')
  if (amount > MAX_MSATS)
    throw new InvalidInvoice('This invoice asks for more bitcoin than there will ever be. Ask for another invoice.')
  return msats(amount)
}

function datesOf(words: readonly number[], fields: readonly Field[]): { createdAt: Date; expiresAt: Date } {
  const created = number(words.slice(0, TIMESTAMP_WORDS))
  const expiry = fields.find((field) => field.type === FIELD.x)
  const seconds = expiry === undefined ? DEFAULT_EXPIRY_SECONDS : number(expiry.words)
  const expiresAt = new Date((created + seconds) * 1000)
  if (Number.isNaN(expiresAt.getTime())) throw damaged(`expiry of ${seconds} seconds`)
  return { createdAt: new Date(created * 1000), expiresAt }
}

function number(words: readonly number[]): number {
  return words.reduce((value, word) => value * 32 + word, 0)
}

function bytes(words: number[]): Uint8Array {
  return bech32.fromWords(words)
}
