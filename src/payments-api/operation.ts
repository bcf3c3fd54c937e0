import type { z } from 'zod'
import type { RefusalCode } from './refusals.ts'
import { type Field, flag, type Shape, shape, text } from './response-fields.ts'

/**
 * One operation of the payments interface, as data. Everything about it is declared here: the service routes and
 * validates by it, and the client and the OpenAPI document are generated from it.
 */
export interface Operation {
  /** The interface's own name for it, in camel case. */
  readonly name: string
  readonly verb: 'GET' | 'POST' | 'PATCH'
  /** As the interface writes it, with parameters in braces. */
  readonly path: `/v${number}/${string}`
  /** The interface shows three operations on a second host. */
  readonly host: 'base' | 'alt'
  /** The heading in the interface. */
  readonly family: string
  /** The scope that an API key needs: to read, to ask for money, or to send it. */
  readonly scope: 'read' | 'receive' | 'send'
  /** Whether repeating it is harmless with any provider. */
  readonly idempotent: boolean
  /** Whether it is missing in the interface, so that another provider may lack it. */
  readonly additive: boolean
  readonly summary: string
  readonly description: string
  readonly params: z.ZodObject
  /** The parameters after the `?`. Default: none is read. */
  readonly query?: z.ZodObject
  /** The headers besides the API key, in lower case. Default: none is read. */
  readonly headers?: z.ZodObject
  readonly body: z.ZodObject | undefined
  readonly response: Envelope
  /** Whether it also answers as a table, to a request that accepts `text/csv`. */
  readonly csv?: true
  /** The codes of this operation's own refusals. Those of every operation are in refusals.ts. */
  readonly refusals: readonly RefusalCode[]
  /** The fields, in request or response, that give their reader money or access, and so must never be logged. */
  readonly secrets: readonly string[]
}

/** A whole response. `fields` names its parts, in the interface's terms. */
export interface Envelope {
  readonly fields: readonly ('success' | 'message' | 'data')[]
  readonly data: Field
  readonly wire: z.ZodObject
  readonly read: z.ZodObject
}

const success = { ...flag('True.'), read: flag('').read.nullish() }
const message = text('A sentence about the outcome.')

/** The envelope of most operations. */
export function successMessageAndData<Data extends Field>(data: Data) {
  return envelope(['success', 'message', 'data'], data, shape({ success, message, data }))
}

/** The envelope of Get Wallet and of the Static Charge operations. */
export function messageAndData<Data extends Field>(data: Data) {
  return envelope(['message', 'data'], data, shape({ message, data }))
}

/**
 * The envelope of Create Gamertag Charge, Decode Charge, Validate Lightning Address and both look-ups without a
 * message.
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
/** Zod types an object without fields as a record of `never`, which combines with nothing. */
type FieldsOf<Schema extends z.ZodObject> = string extends keyof z.output<Schema> ? NoFields : z.output<Schema>

/** A response's `data` as the client returns it: `Msats`, `Date | null`, `string | null`. */
export type DataOf<Op extends Operation> = z.output<Op['response']['data']['read']>
/** The whole response exactly as the service must write it: amounts and times are strings. */
export type WireOf<Op extends Operation> = z.output<Op['response']['wire']>
