import { z } from 'zod'
import { msatsText as amount, hex32, nodeKey, toldPreimage } from '../node-answers.ts'
import { NETWORK } from './invoicing.ts'

/**
 * The messages between a service and a sandbox in a separate process: JSON, amounts in msats as strings of digits,
 * times as ISO 8601, hashes and keys in hex. Undefined values are omitted.
 */

const time = z.iso.datetime().transform((text) => new Date(text))
/** The time limit of a payment, in milliseconds: at most a year. */
const timeoutMs = z.int().min(0).max(31_536_000_000)
const invoice = z.string().min(1).max(10_000)
const evidence = z.string()

export const helloBody = z.strictObject({ serves: z.array(z.url({ protocol: /^https?$/ })).max(16) })

export const invoiceBody = z.strictObject({
  amount: amount.optional(),
  description: z.strictObject({ text: z.string().max(2_000), hash: hex32.optional() }),
  expiresInSeconds: z.int().min(1).max(31_536_000),
})

export const payBody = z.strictObject({
  invoice,
  paymentHash: hex32,
  amount: amount.optional(),
  maxFee: amount,
  timeoutMs,
})

export const keysendBody = z.strictObject({
  pubkey: nodeKey,
  amount,
  maxFee: amount,
  preimage: hex32,
  paymentHash: hex32,
  tlvRecords: z.array(z.strictObject({ type: z.int().nonnegative(), value: z.string().regex(/^([0-9a-f]{2})*$/i) })),
  timeoutMs,
})

export const hashParams = z.object({ paymentHash: hex32 })
export const settlementsQuery = z.strictObject({
  after: z
    .string()
    .regex(/^\d{1,18}$/)
    .optional(),
})

export const helloAnswer = z.object({ pubkey: nodeKey, alias: z.string(), network: z.literal(NETWORK) })

export const balancesAnswer = z.object({
  settled: amount,
  inFlight: amount,
  spendable: amount,
  receivable: amount,
})

export const createdInvoice = z.object({
  invoice,
  paymentHash: hex32,
  expiresAt: time,
  preimage: hex32.optional(),
})

export const invoiceStatus = z.discriminatedUnion('state', [
  z.object({ state: z.enum(['open', 'closed']) }),
  z.object({ state: z.literal('settled'), received: amount, preimage: toldPreimage, settledAt: time }),
])

export const canceledAnswer = z.object({ end: z.enum(['canceled', 'settled', 'unknown']) })

const outcomes = [
  z.object({ state: z.literal('paid'), preimage: hex32, fee: amount }),
  z.object({
    state: z.literal('failed'),
    code: z.enum([
      'no_route',
      'timed_out',
      'no_liquidity',
      'invoice_expired',
      'refused_by_payee',
      'refused_by_node',
      'other',
    ]),
    reason: z.string(),
    evidence,
  }),
  z.object({ state: z.enum(['pending', 'unknown']), evidence }),
] as const
export const paymentOutcome = z.discriminatedUnion('state', outcomes)
export const paymentLookUp = z.discriminatedUnion('state', [...outcomes, z.object({ state: z.literal('absent') })])

export const settlementLine = z.object({
  cursor: z.string().regex(/^\d{1,18}$/),
  paymentHash: hex32,
  received: amount,
  preimage: toldPreimage,
  settledAt: time,
  keysend: z.boolean(),
})

/** Converts a value to its form on the wire. */
export function toWire(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? each.toString() : each))
}
