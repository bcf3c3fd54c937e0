import { z } from 'zod'
import { msatsNumber as amount, hex32, MAX_SECONDS, orLeftOut, toldPreimage } from '../../lightning/wire-fields.ts'

/**
 * Makes a value optional in the three ways in which wallets omit unknown values: as an empty text, as null, or without
 * the field.
 */
const maybe = <Schema extends z.ZodType>(schema: Schema) =>
  z.union([z.literal('').transform(() => undefined), z.null().transform(() => undefined), schema.optional()])
/** A time in Unix seconds, up to the year 9999. A time in milliseconds is therefore invalid. */
const time = z.number().nonnegative().max(MAX_SECONDS)

/** A transaction. Only the fields on which money depends must be valid. */
const transaction = z.object({
  type: z.enum(['incoming', 'outgoing']),
  state: maybe(z.string()),
  invoice: maybe(z.string()),
  payment_hash: hex32,
  preimage: toldPreimage,
  amount,
  fees_paid: orLeftOut(amount),
  created_at: orLeftOut(time),
  expires_at: orLeftOut(time),
  settled_at: orLeftOut(time),
})

/** The methods of NIP-47 that Satchel uses, each with the required form of its answer. */
export const NWC_METHODS = {
  get_info: z.object({
    alias: maybe(z.string()),
    pubkey: maybe(z.string()),
    network: maybe(z.string()),
    block_height: maybe(z.int().nonnegative()),
    methods: z.array(z.string()),
  }),
  get_balance: z.object({ balance: amount }),
  /** Alby's extension: how much the connection may spend, and has spent. The answer is empty if there is no limit. */
  get_budget: z.object({ used_budget: orLeftOut(amount), total_budget: orLeftOut(amount), renews_at: orLeftOut(time) }),
  make_invoice: z.object({ invoice: z.string(), preimage: orLeftOut(hex32) }),
  lookup_invoice: transaction,
  pay_invoice: z.object({ preimage: toldPreimage, fees_paid: orLeftOut(amount) }),
  /** Each transaction is parsed separately (`nwcTransaction`). */
  list_transactions: z.object({ transactions: z.array(z.unknown()) }),
} as const

export type NwcMethod = keyof typeof NWC_METHODS
export type NwcAnswer<Method extends NwcMethod> = z.output<(typeof NWC_METHODS)[Method]>
export type NwcTransaction = z.output<typeof transaction>
export const nwcTransaction = transaction

/** The decrypted content of an answer. */
export const nwcResponse = z.object({
  error: maybe(z.object({ code: z.string(), message: z.string().default('') })),
  result: z.unknown().optional(),
})

/** The decrypted content of a notification. */
export const nwcNotification = z.object({
  notification_type: z.string(),
  notification: z.object({ payment_hash: hex32 }),
})

/**
 * Returns a transaction's state. The field `state` is optional in NIP-47. If it is missing, a transaction is settled if
 * it has a settlement time, or if it is outgoing and has a preimage.
 */
export function stateOf(found: NwcTransaction): 'settled' | 'failed' | 'expired' | 'pending' {
  const state = found.state?.toLowerCase()
  if (state === 'settled' || state === 'failed' || state === 'expired') return state
  if (state !== undefined) return 'pending'
  const isSettled = found.settled_at !== undefined || (found.type === 'outgoing' && found.preimage !== undefined)
  return isSettled ? 'settled' : 'pending'
}
