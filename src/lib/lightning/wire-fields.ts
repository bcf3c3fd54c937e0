import { z } from 'zod'
import { type Msats, msats } from '../money/amount.ts'

/** An amount in msats as a JSON number. */
export const msatsNumber = z
  .int()
  .nonnegative()
  .transform((value): Msats => msats(value))

/** The last second of the year 9999, counted from 1970. A later number is not a time in seconds. */
export const MAX_SECONDS = 253_402_300_799

/** A hash or preimage: 32 bytes in hex, for which nodes use either case. */
export const hex32 = z
  .string()
  .regex(/^[0-9a-f]{64}$/i)
  .transform((hex) => hex.toLowerCase())

/**
 * A node's preimage, unchecked: the caller must compare it with the payment hash. A value that is not a text, or is
 * empty, counts as missing.
 */
export const toldPreimage = z
  .string()
  .min(1)
  .transform((text) => text.toLowerCase())
  .optional()
  .catch(undefined)

/** Returns the schema of a field that a payment does not need: an unreadable value counts as missing. */
export function orLeftOut<Schema extends z.ZodType>(schema: Schema) {
  return schema.optional().catch(undefined)
}
