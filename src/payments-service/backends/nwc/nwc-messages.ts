import { z } from 'zod'
import { type Msats, msats } from '../../../lib/money/amount.ts'

const amount = z
  .int()
  .nonnegative()
  .transform((value): Msats => msats(value))
const hash = z.string().regex(/^[0-9a-f]{64}$/)
/** Wallets leave out what they do not know in three ways. */
const maybe = <Schema extends z.ZodType>(schema: Schema) =>
  z.union([z.literal('').transform(() => undefined), z.null().transform(() => undefined), schema.optional()])
/** Seconds since 1970. */
const time = z.number().nonnegative()

const transaction = z.object({
  type: z.enum(['incoming', 'outgoing']),
  state: maybe(z.string()),
  invoice: maybe(z.string()),
  payment_hash: hash,
  preimage: maybe(hash),
  amount,
  fees_paid: maybe(amount),
  created_at: time,
  expires_at: maybe(time),
  settled_at: maybe(time),
})

/** The methods of NIP-47 that the backend uses, and what each must answer. */
export const NWC_METHODS = {
  get_info: z.object({
    alias: maybe(z.string()),
    pubkey: maybe(z.string()),
    network: maybe(z.string()),
    block_height: maybe(z.int().nonnegative()),
    methods: z.array(z.string()),
  }),
  get_balance: z.object({ balance: amount }),
  make_invoice: z.object({ invoice: z.string(), preimage: maybe(hash) }),
  lookup_invoice: transaction,
  pay_invoice: z.object({ preimage: hash, fees_paid: maybe(amount) }),
  list_transactions: z.object({ transactions: z.array(transaction) }),
} as const

export type NwcMethod = keyof typeof NWC_METHODS
export type NwcAnswer<Method extends NwcMethod> = z.output<(typeof NWC_METHODS)[Method]>
export type NwcTransaction = z.output<typeof transaction>

/** What the decrypted content of an answer holds. */
export const nwcResponse = z.object({
  error: maybe(z.object({ code: z.string(), message: z.string().default('') })),
  result: z.unknown().optional(),
})

/** What the decrypted content of a notification holds. */
export const nwcNotification = z.object({
  notification_type: z.string(),
  notification: z.object({ payment_hash: hash }),
})

/** `state` is optional in NIP-47: without it, a time of settlement or a preimage of an outgoing payment says "settled". */
export function stateOf(found: NwcTransaction): 'settled' | 'failed' | 'expired' | 'pending' {
  if (found.state === 'settled') return 'settled'
  if (found.state === 'failed' || found.state === 'expired') return found.state
  if (found.state !== undefined) return 'pending'
  const isSettled = found.settled_at !== undefined || (found.type === 'outgoing' && found.preimage !== undefined)
  return isSettled ? 'settled' : 'pending'
}
