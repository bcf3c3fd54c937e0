import { z } from 'zod'
import { type Msats, msats } from '../money/amount.ts'

/** An amount of msats as a JSON number. */
export const msatsNumber = z
  .int()
  .nonnegative()
  .transform((value): Msats => msats(value))

/** The last second of the year 9999, since 1970: what is later is no time in seconds. */
export const MAX_SECONDS = 253_402_300_799

/** 32 bytes in hex: hashes and preimages, of which nodes write the letters in either case. */
export const hex32 = z
  .string()
  .regex(/^[0-9a-f]{64}$/i)
  .transform((hex) => hex.toLowerCase())

/**
 * A preimage as a node tells it, not checked: the caller compares it with the payment hash. A value that is no text, or
 * an empty one, counts as left out.
 */
export const toldPreimage = z
  .string()
  .min(1)
  .transform((text) => text.toLowerCase())
  .optional()
  .catch(undefined)

/** A field that a payment can do without: what cannot be read counts as left out. */
export function orLeftOut<Schema extends z.ZodType>(schema: Schema) {
  return schema.optional().catch(undefined)
}
