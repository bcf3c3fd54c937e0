import { createHash } from 'node:crypto'
import { z } from 'zod'

/** The JSON that wallets and services exchange over LNURL. Amounts are JSON numbers of millisatoshis there. */

const httpUrl = z.url({ protocol: /^https?$/ })
const amount = z.int().min(1)
/** The smallest remainder counts as one msat. */
const smallest = z
  .int()
  .min(0)
  .transform((least) => Math.max(least, 1))
/** `Infinity` is what JSON gives for 1e400. */
const integer = z.custom<number>((value) => value === Number.POSITIVE_INFINITY || Number.isInteger(value))
/** "No maximum" is written as a number beyond what there is, or beyond what a number of JSON holds exactly. */
const largest = integer.transform((most) => Math.min(most, Number.MAX_SAFE_INTEGER)).pipe(amount)
/** Everything else in an answer is decoration: a fault in it costs no payment. */
const characters = z.coerce.number().pipe(z.int().min(0))

/** A pay code's first answer (LUD-06), with the comment of LUD-12. Unknown fields are kept. */
export const payParams = z
  .looseObject({
    tag: z.literal('payRequest'),
    callback: httpUrl,
    minSendable: smallest,
    maxSendable: largest,
    /** A JSON text: the invoice commits to its exact bytes. */
    metadata: z.string(),
    /** Longest comment in characters; absent means none, and so does what is not a number. */
    commentAllowed: characters.optional().catch(undefined),
  })
  .refine((params) => params.minSendable <= params.maxSendable, 'minSendable is more than maxSendable')
export type PayParams = z.infer<typeof payParams>

/** The second answer of a pay code: the invoice (LUD-06) and what to show afterwards (LUD-09), which `readSuccessAction` reads. */
export const payAnswer = z.looseObject({
  pr: z.string(),
  successAction: z.unknown().optional(),
  /** LUD-21: where to ask whether it was paid. */
  verify: z.string().optional().catch(undefined),
})

export interface PayAnswer {
  readonly pr: string
  readonly routes: readonly unknown[]
  readonly disposable: boolean
  /** LUD-21: where to ask whether it was paid. */
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

/** The answer when something is wrong, at every step. `reason` is a sentence for the person with the wallet. */
export const lnurlError = z.looseObject({ status: z.string().regex(/^error$/i), reason: z.string().default('') })

/** The answer to a claim that was accepted (LUD-03). */
export const lnurlOk = z.looseObject({ status: z.string().regex(/^ok$/i) })

/** An error on the wire. */
export function errorAnswer(reason: string): { status: 'ERROR'; reason: string } {
  return { status: 'ERROR', reason }
}

export interface Metadata {
  readonly description: string
  /** The Lightning Address that was paid, where one was (LUD-16). */
  readonly identifier?: string | undefined
}

/** The metadata text of a pay code (LUD-06, LUD-16). The same input gives the same bytes, so its hash stays the same. */
export function buildMetadata({ description, identifier }: Metadata): string {
  const entries = [['text/plain', description]]
  if (identifier !== undefined) entries.push(['text/identifier', identifier])
  return JSON.stringify(entries)
}

const metadataEntries = z.array(z.tuple([z.string()], z.unknown()))

/** Reads a metadata text; undefined when it breaks LUD-06 (no JSON, no description, or two of them). */
export function readMetadata(text: string): Metadata | undefined {
  const entries = metadataEntries.safeParse(parseJson(text))
  if (!entries.success) return undefined
  const texts = (kind: string) =>
    entries.data.flatMap(([type, value]) => (type === kind && typeof value === 'string' ? [value] : []))
  const [description, second] = texts('text/plain')
  if (description === undefined || second !== undefined) return undefined
  return { description, identifier: texts('text/identifier')[0] ?? texts('text/email')[0] }
}

/** The metadata that a pay code's invoice commits to: SHA-256 of the metadata text, hex (LUD-06). */
export function descriptionHash(metadata: string): string {
  return createHash('sha256').update(metadata, 'utf8').digest('hex')
}

const FAST_FIELDS = ['k1', 'minWithdrawable', 'maxWithdrawable', 'defaultDescription', 'callback'] as const

/** The URL of a withdraw code with its parameters inside, so that a wallet can skip the first request (LUD-08). */
export function fastWithdrawUrl(url: string | URL, params: WithdrawParams): URL {
  const fast = new URL(url)
  fast.searchParams.set('tag', params.tag)
  for (const field of FAST_FIELDS) fast.searchParams.set(field, String(params[field]))
  // A space as "+" is a form's way: not every wallet reads it back.
  fast.search = fast.search.replaceAll('+', '%20')
  return fast
}

/** The parameters inside a fast withdraw URL (LUD-08); undefined if one is missing: then it must be asked. */
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

/** JSON as a value; undefined for anything that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
