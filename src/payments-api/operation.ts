import type { z } from 'zod'
import type { RefusalCode } from './refusals.ts'
import { type Field, flag, type Shape, shape, text } from './response-fields.ts'

/**
 * One operation of the payments interface, as data. This declaration is complete: the service routes and validates
 * requests according to it, and the client and the OpenAPI document are built from it.
 */
export interface Operation {
  /** The operation's name in the interface, in camel case. */
  readonly name: string
  readonly verb: 'GET' | 'POST' | 'PATCH'
  /** The path as the interface writes it, with parameters in braces. */
  readonly path: `/v${number}/${string}`
  /** The host: `alt` for the operations that the interface shows on a second host, `base` for all others. */
  readonly host: 'base' | 'alt'
  /** The heading under which the interface lists the operation. */
  readonly family: string
  /** The scope that an API key needs: for reading, for requesting money, or for sending money. */
  readonly scope: 'read' | 'receive' | 'send'
  /** Whether repeating the operation is harmless with any provider. */
  readonly idempotent: boolean
  /** Whether the operation is an addition to the common interface, which other providers may lack. */
  readonly additive: boolean
  readonly summary: string
  readonly description: string
  readonly params: z.ZodObject
  /** The parameters after the `?`. Default: none. */
  readonly query?: z.ZodObject
  /** The headers besides the API key, in lower case. Default: none. */
  readonly headers?: z.ZodObject
  readonly body: z.ZodObject | undefined
  readonly response: Envelope
  /** Whether the answer is a table if the request accepts `text/csv`. */
  readonly csv?: true
  /**
   * The codes of all refusals that this operation may return. The groups of codes that operations share are in
   * refusals.ts.
   */
  readonly refusals: readonly RefusalCode[]
  /**
   * The fields of the request and the response that would give a reader money or access, and so must never be logged.
   */
  readonly secrets: readonly string[]
}

/** A whole response. `fields` lists the names of its parts. */
export interface Envelope {
  readonly fields: readonly ('success' | 'message' | 'data')[]
  readonly data: Field
  readonly wire: z.ZodObject
  readonly read: z.ZodObject
}

const success = { ...flag('True.'), read: flag('').read.nullish() }
const message = text('A sentence about the outcome.')

/** Returns the envelope of most operations. */
export function successMessageAndData<Data extends Field>(data: Data) {
  return envelope(['success', 'message', 'data'], data, shape({ success, message, data }))
}

/** Returns the envelope of Get Wallet, of Fetch Offer Invoice and of the Static Charge operations. */
export function messageAndData<Data extends Field>(data: Data) {
  return envelope(['message', 'data'], data, shape({ message, data }))
}

/**
 * Returns the envelope, without a message, of the Gamertag Charge operations, Decode Charge, Validate Lightning
 * Address, Get ID by Gamertag and API Supported Regions.
 */
export function successAndData<Data extends Field>(data: Data) {
  return envelope(['success', 'data'], data, shape({ success, data }))
}

function envelope<Fields extends Record<string, Field>, Data extends Field>(
  fields: Envelope['fields'],
  data: Data,
  whole: Shape<Fields>,
) {
  return { fields, data, wire: whole.wire, read: whole.read }
}

/**
 * The arguments that a caller passes to the client, and that the service gets from `checkParams`, `checkQuery`,
 * `checkHeaders` and `checkBody`.
 */
export type ParamsOf<Op extends Operation> = FieldsOf<Op['params']>
export type QueryOf<Op extends Operation> = Op extends { readonly query: infer Query extends z.ZodObject }
  ? FieldsOf<Query>
  : NoFields
export type HeadersOf<Op extends Operation> = Op extends { readonly headers: infer Headers extends z.ZodObject }
  ? FieldsOf<Headers>
  : NoFields
export type BodyOf<Op extends Operation> = Op['body'] extends z.ZodObject ? FieldsOf<Op['body']> : NoFields

type NoFields = Record<never, never>
/**
 * The fields of a schema. Zod types an object without fields as a record of `never`, which cannot be combined with
 * other fields.
 */
type FieldsOf<Schema extends z.ZodObject> = string extends keyof z.output<Schema> ? NoFields : z.output<Schema>

/**
 * A response's `data` as the client returns it: amounts are `Msats`, times `Date | null`, and texts `string | null`.
 */
export type DataOf<Op extends Operation> = z.output<Op['response']['data']['read']>
/** The whole response exactly as the service must write it: amounts and times are strings. */
export type WireOf<Op extends Operation> = z.output<Op['response']['wire']>
