import { z } from 'zod'
import { type PayParams, parseJson } from './lnurl-messages.ts'

/**
 * A payer's claims about themselves (LUD-18). These claims are unproven: anybody can write any name and any public key.
 */
export interface PayerData {
  readonly name?: string | undefined
  /** An address of the payer, such as `name@example.com`. */
  readonly identifier?: string | undefined
  /** The payer's public key, compressed, in hex. */
  readonly pubkey?: string | undefined
}

/** The fields that we ask payers for, all optional. */
export const PAYER_DATA_ASKED = {
  name: { mandatory: false },
  identifier: { mandatory: false },
  pubkey: { mandatory: false },
} as const

/**
 * The most characters of payer data. It is limited because an invoice commits to all of it, including fields that we do
 * not ask for.
 */
export const MAX_PAYER_DATA_LENGTH = 1_000

const line = (longest: number) =>
  z
    .string()
    .max(longest)
    .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text))
const payerData = z.object({
  name: line(64).nullish(),
  identifier: line(320).nullish(),
  pubkey: z
    .string()
    .regex(/^0[23][0-9a-f]{64}$/i)
    .nullish(),
})

/** Reads a wallet's `payerdata`, and omits unknown fields. Returns undefined if the text is invalid or too long. */
export function readPayerData(text: string): PayerData | undefined {
  if (text.length > MAX_PAYER_DATA_LENGTH) return undefined
  const read = payerData.safeParse(parseJson(text))
  if (!read.success) return undefined
  const { name, identifier, pubkey } = read.data
  return {
    ...(name?.trim() && { name: name.trim() }),
    ...(identifier?.trim() && { identifier: identifier.trim() }),
    ...(pubkey && { pubkey: pubkey.toLowerCase() }),
  }
}

const demand = z.looseObject({ mandatory: z.literal(true) })

/** Returns the fields that a receiver requires for an invoice, such as `name`; none if the answer cannot be read. */
export function mandatoryFields({ payerData: asked }: PayParams): string[] {
  if (typeof asked !== 'object' || asked === null) return []
  return Object.entries(asked).flatMap(([field, wanted]) => (demand.safeParse(wanted).success ? [field] : []))
}
