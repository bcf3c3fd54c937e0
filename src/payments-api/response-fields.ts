import { z } from 'zod'
import { type Msats, msats, parseWireMsats } from '../lib/money/amount.ts'

/**
 * A field of responses and callbacks. Each field has two readings:
 *
 * - `wire` is exactly what the interface promises. The service's answers are typed, documented and tested according to
 *   it.
 * - `read` is how a client reads the field from any provider. Unknown fields are ignored; null, empty and absent all
 *   count as null; a state of any name is accepted. Fields on which money or its return depends are strict: a missing
 *   or malformed amount, id or state is an error.
 */
export interface Field<Wire extends z.ZodType = z.ZodType, Read extends z.ZodType = z.ZodType> {
  readonly wire: Wire
  readonly read: Read
}

/** Several fields together. A shape is itself a field, so shapes can be nested. */
export interface Shape<Fields extends Record<string, Field>> extends Field {
  readonly fields: Fields
  readonly wire: z.ZodObject<{ [Name in keyof Fields]: Fields[Name]['wire'] }, z.core.$strict>
  readonly read: z.ZodObject<{ [Name in keyof Fields]: Fields[Name]['read'] }, z.core.$strip>
}

/** Combines fields into a shape. `title` is the shape's name in the OpenAPI document. */
export function shape<const Fields extends Record<string, Field>>(fields: Fields, title?: string): Shape<Fields> {
  const entries = Object.entries(fields)
  const wire = z.strictObject(Object.fromEntries(entries.map(([name, field]) => [name, field.wire])))
  const read = z.object(Object.fromEntries(entries.map(([name, field]) => [name, field.read])))
  // Object.fromEntries loses which name has which field, so the result's type is declared here.
  return { fields, wire: title === undefined ? wire : wire.meta({ title }), read } as unknown as Shape<Fields>
}

const wireAmount = z.string().regex(/^(0|[1-9][0-9]{0,18})$/)
const nothing = z.null()

const readAmount = z.unknown().transform((value, context): Msats => {
  const amount = parseWireMsats(value)
  if (amount !== undefined) return amount
  context.addIssue({ code: 'custom', message: 'is not an amount: a string of decimal digits' })
  return z.NEVER
})

const readNullableAmount = z.unknown().transform((value, context): Msats | null => {
  if (value === null || value === undefined || value === '') return null
  const amount = parseWireMsats(value)
  if (amount !== undefined) return amount
  context.addIssue({ code: 'custom', message: 'is neither null nor an amount: a string of decimal digits' })
  return z.NEVER
})

/** An amount in msats. A client refuses an answer without it. */
export const amount = (description: string) => ({ wire: wireAmount.describe(description), read: readAmount })

/** An amount in msats, or null. A malformed amount is still an error. */
export const nullableAmount = (description: string) => ({
  wire: z.union([wireAmount, nothing]).describe(description),
  read: readNullableAmount,
})

/** The unit, which is always `msats`. If a provider omits the unit, `msats` is assumed; any other unit is an error. */
export const unit = {
  wire: z.literal('msats').describe('Always `msats`: millisatoshis.'),
  read: z
    .literal('msats')
    .nullish()
    .transform(() => 'msats' as const),
}

/** A text on which nothing depends. If there is none, it is an empty string on the wire, and null for the client. */
export const text = (description: string) => ({ wire: z.string().describe(description), read: readText })

export const nullableText = (description: string) => ({
  wire: z.union([z.string(), nothing]).describe(description),
  read: readText,
})

/** A text without which the answer is useless: an id to use later, a code, an invoice to show. */
export const requiredText = (description: string) => ({
  wire: z.string().describe(description),
  read: z.string({ error: 'is missing' }).min(1, { error: 'is empty' }),
})

const readText = z
  .string()
  .nullish()
  .catch(null)
  .transform((value) => value || null)

const timestamp = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

const readTime = readText.transform((value): Date | null => {
  const time = value === null ? Number.NaN : Date.parse(value)
  return Number.isNaN(time) ? null : new Date(time)
})

/** A time: ISO 8601 in UTC with millisecond precision on the wire, a Date or null for the client. */
export const time = (description: string) => ({
  wire: timestamp.describe(description).meta({ format: 'date-time' }),
  read: readTime,
})

export const nullableTime = (description: string) => ({
  wire: z.union([timestamp.meta({ format: 'date-time' }), nothing]).describe(description),
  read: readTime,
})

/** A whole number on which money depends. A client refuses an answer without it. */
export const count = (description: string) => ({
  wire: z.int().min(0).describe(description),
  read: z.int({ error: 'is not a whole number' }).min(0, { error: 'is negative' }),
})

export const optionalCount = (description: string) => ({
  wire: z.int().min(0).describe(description),
  read: z
    .int()
    .min(0)
    .nullish()
    .catch(null)
    .transform((value) => value ?? null),
})

/**
 * An amount that a Lightning Address announces, in msats, as a JSON number (LUD-06). An impossible amount is null for
 * the client.
 */
export const announcedAmount = (description: string) => ({
  wire: z.int().min(0).describe(description),
  read: z.unknown().transform((value): Msats | null => {
    return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) < 2.1e18 ? msats(Number(value)) : null
  }),
})

export const flag = (description: string) => ({
  wire: z.boolean().describe(description),
  read: z.boolean({ error: 'is neither true nor false' }),
})

export const optionalFlag = (description: string) => ({
  wire: z.boolean().describe(description),
  read: z
    .boolean()
    .nullish()
    .catch(null)
    .transform((value) => value ?? null),
})

/** One of the named states. A client accepts any name, and treats an unknown one as not final. */
export const state = <const Names extends readonly [string, ...string[]]>(...names: Names) => ({
  wire: z.enum(names),
  read: z.string({ error: 'is missing' }).min(1, { error: 'is empty' }),
})

/** A field or shape that may be omitted. The client gets null for a missing or unreadable one. */
export const optional = <Wire extends z.ZodType, Read extends z.ZodType>(field: Field<Wire, Read>) => ({
  wire: field.wire.optional(),
  read: field.read
    .nullish()
    .catch(null)
    .transform((value) => value ?? null),
})

/** A list of fields or shapes. A client refuses a list with an unreadable item. */
export const list = <Wire extends z.ZodType, Read extends z.ZodType>(
  field: Field<Wire, Read>,
  description: string,
) => ({
  wire: z.array(field.wire).describe(description),
  read: z.array(field.read, { error: 'is not a list' }),
})

/** JSON that is passed through unchanged. */
export const open = <Wire extends z.ZodType>(wire: Wire) => ({
  wire,
  read: wire
    .nullish()
    .catch(null)
    .transform((value) => value ?? null),
})
