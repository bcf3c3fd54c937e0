import { createHash } from 'node:crypto'
import { z } from 'zod'

/** The JSON that wallets and services exchange over LNURL. The amounts are JSON numbers in millisatoshis. */

const httpUrl = z.url({ protocol: /^https?$/ })
const amount = z.int().min(1)
/** The smallest amount of a pay code, in msats; 0 counts as 1. */
const smallest = z
  .int()
  .min(0)
  .transform((least) => Math.max(least, 1))
/** A whole number, or `Infinity`, which is how JSON reads 1e400. */
const integer = z.custom<number>((value) => value === Number.POSITIVE_INFINITY || Number.isInteger(value))
/**
 * The largest amount of a pay code, in msats. A receiver without a maximum sends a number beyond all bitcoin, or beyond
 * what a JSON number expresses exactly.
 */
const largest = integer.transform((most) => Math.min(most, Number.MAX_SAFE_INTEGER)).pipe(amount)
/** A number of characters. It is optional, so a fault in it prevents no payment. */
const characters = z.coerce.number().pipe(z.int().min(0))

/** A pay code's first answer (LUD-06), with the comment's length of LUD-12. Unknown fields are retained. */
export const payParams = z
  .looseObject({
    tag: z.literal('payRequest'),
    callback: httpUrl,
    minSendable: smallest,
    maxSendable: largest,
    /** The metadata as JSON text, because the invoice commits to the exact bytes of this text. */
    metadata: z.string(),
    /** The most characters in a comment. A missing value, or one that is not a number, means none. */
    commentAllowed: characters.optional().catch(undefined),
  })
  .refine((params) => params.minSendable <= params.maxSendable, 'minSendable is more than maxSendable')
export type PayParams = z.infer<typeof payParams>

/**
 * A pay code's second answer: the invoice (LUD-06) and what to show afterwards (LUD-09), which `readSuccessAction`
 * reads.
 */
export const payAnswer = z.looseObject({
  pr: z.string(),
  successAction: z.unknown().optional(),
  /** The URL that reports whether the invoice was paid (LUD-21). */
  verify: z.string().optional().catch(undefined),
})

export interface PayAnswer {
  readonly pr: string
  readonly routes: readonly unknown[]
  readonly disposable: boolean
  /** The URL that reports whether the invoice was paid (LUD-21). */
  readonly verify: string
  readonly successAction?: unknown
}

/** A withdraw code's answer (LUD-03). */
export const withdrawParams = z
  .looseObject({
    tag: z.literal('withdrawRequest'),
    callback: httpUrl,
    k1: z.string().min(1),
    defaultDescription: z.string(),
    minWithdrawable: z.int().min(0),
    maxWithdrawable: amount,
  })
  .refine((params) => params.minWithdrawable <= params.maxWithdrawable, 'minWithdrawable is more than maxWithdrawable')
export type WithdrawParams = z.infer<typeof withdrawParams>

/** The answer that reports an error, at any step. `reason` is a sentence for the wallet's owner. */
export const lnurlError = z.looseObject({ status: z.string().regex(/^error$/i), reason: z.string().default('') })

/** The answer to an accepted claim (LUD-03). */
export const lnurlOk = z.looseObject({ status: z.string().regex(/^ok$/i) })

/** Builds an error answer. */
export function errorAnswer(reason: string): { status: 'ERROR'; reason: string } {
  return { status: 'ERROR', reason }
}

export interface Metadata {
  readonly description: string
  /** The Lightning Address that was paid, if there is one (LUD-16). */
  readonly identifier?: string | undefined
}

/**
 * Builds a pay code's metadata text (LUD-06, LUD-16). The same input always results in the same bytes, and so in the
 * same hash.
 */
export function buildMetadata({ description, identifier }: Metadata): string {
  const entries = [['text/plain', description]]
  if (identifier !== undefined) entries.push(['text/identifier', identifier])
  return JSON.stringify(entries)
}

const metadataEntries = z.array(z.tuple([z.string()], z.unknown()))

/** Reads a metadata text; undefined if it breaks LUD-06 (no JSON, no description, or two descriptions). */
export function readMetadata(text: string): Metadata | undefined {
  const entries = metadataEntries.safeParse(parseJson(text))
  if (!entries.success) return undefined
  const texts = (kind: string) =>
    entries.data.flatMap(([type, value]) => (type === kind && typeof value === 'string' ? [value] : []))
  const [description, second] = texts('text/plain')
  if (description === undefined || second !== undefined) return undefined
  return { description, identifier: texts('text/identifier')[0] ?? texts('text/email')[0] }
}

/** Returns the hash of a metadata text to which a pay code's invoice commits: SHA-256 in hex (LUD-06). */
export function descriptionHash(metadata: string): string {
  return createHash('sha256').update(metadata, 'utf8').digest('hex')
}

const FAST_FIELDS = ['k1', 'minWithdrawable', 'maxWithdrawable', 'defaultDescription', 'callback'] as const

/** Returns a withdraw code's URL with the parameters in it, so that a wallet can skip the first request (LUD-08). */
export function fastWithdrawUrl(url: string | URL, params: WithdrawParams): URL {
  const fast = new URL(url)
  fast.searchParams.set('tag', params.tag)
  for (const field of FAST_FIELDS) fast.searchParams.set(field, String(params[field]))
  // A form writes a space as "+", which not every wallet reads.
  fast.search = fast.search.replaceAll('+', '%20')
  return fast
}

/**
 * Reads the parameters in a fast withdraw URL (LUD-08); undefined if one is missing or wrong, so that a request is
 * needed.
 */
export function readFastWithdraw(url: URL): WithdrawParams | undefined {
  const given = Object.fromEntries(url.searchParams)
  const number = (text: string | undefined) => (text !== undefined && /^\d{1,16}$/.test(text) ? Number(text) : text)
  const read = withdrawParams.safeParse({
    tag: given.tag,
    ...Object.fromEntries(FAST_FIELDS.map((field) => [field, given[field]])),
    minWithdrawable: number(given.minWithdrawable),
    maxWithdrawable: number(given.maxWithdrawable),
  })
  return read.success ? read.data : undefined
}

/** Parses JSON; undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
