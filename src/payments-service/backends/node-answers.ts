import { z } from 'zod'
import { hex32 } from '../../lib/lightning/wire-fields.ts'
import { MAX_MSATS, type Msats, msats, sats } from '../../lib/money/amount.ts'
import type { OddRecord } from './backend.ts'

export { hex32, MAX_SECONDS, msatsNumber, orLeftOut, toldPreimage } from '../../lib/lightning/wire-fields.ts'

/** An amount of whole sats as a JSON number, at most all bitcoin. */
export const satsNumber = z
  .int()
  .nonnegative()
  .max(Number(MAX_MSATS / 1_000n))
  .transform((value): Msats => sats(value))

/** An amount of msats as a string of digits, at most all bitcoin. */
export const msatsText = z
  .string()
  .regex(/^\d{1,19}$/, { abort: true })
  .refine((digits) => BigInt(digits) <= MAX_MSATS, 'more than all bitcoin')
  .transform((digits): Msats => msats(BigInt(digits)))

/** A compressed public key in hex, in either case. */
export const nodeKey = z
  .string()
  .regex(/^0[23][0-9a-f]{64}$/i)
  .transform((hex) => hex.toLowerCase())

/** A row of a list: read as documented, or odd. */
export type Row<Read> = { readonly read: Read } | OddRecord

/**
 * Parses one row separately, so that a bad row does not affect the others. `what` is the call that returned the row.
 */
export function readRow<Schema extends z.ZodType>(what: string, row: unknown, schema: Schema): Row<z.output<Schema>> {
  const answer = schema.safeParse(row)
  return answer.success ? { read: answer.data } : { odd: `${what}: ${wrongFields(answer.error)}`, ...namedBy(row) }
}

export function isOdd<Other extends object>(one: Other | OddRecord): one is OddRecord {
  return 'odd' in one
}

export function isReadable<Other extends object>(one: Other | OddRecord): one is Exclude<Other, OddRecord> {
  return !isOdd(one)
}

/** Returns where an answer differs from its documentation, without its content, which may include a preimage. */
export function wrongFields({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => `${path.join('.') || 'the whole'}: ${message}`).join('; ')
}

/** Returns a row's payment hash, under any of the names and in any of the encodings that the nodes use. */
function namedBy(row: unknown): Pick<OddRecord, 'paymentHash'> {
  if (typeof row !== 'object' || row === null) return {}
  const { payment_hash, paymentHash, r_hash } = row as Readonly<Record<string, unknown>>
  const hash = hex32.safeParse(payment_hash ?? paymentHash ?? (typeof r_hash === 'string' ? hexOf(r_hash) : undefined))
  return hash.success ? { paymentHash: hash.data } : {}
}

/** Converts bytes from base64, in which lnd writes them, to hex. */
function hexOf(base64: string): string {
  return Buffer.from(base64, 'base64').toString('hex')
}
