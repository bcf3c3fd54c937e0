import { z } from 'zod'
import { chargeRecord } from './operations/charges.ts'
import { keysendFields, payment } from './operations/payments.ts'
import { staticChargeFields } from './operations/static-charges.ts'
import { withdrawalRequest } from './operations/withdrawal-requests.ts'
import { amount, open, optional, shape, text, time } from './response-fields.ts'

/**
 * The bodies that the service POSTs to a `callbackUrl`: the resource as its GET (or creation response) shows it, flat,
 * without an envelope and without an event name. The interface leaves them open; decisions.md, "Callbacks", closes it.
 */
export const callbacks = {
  charge: chargeRecord,
  staticCharge: shape(
    {
      ...staticChargeFields,
      payment: optional(
        shape({
          id: text('The id of this payment.'),
          amount: amount('What was paid, in msats.'),
          comment: text("The payer's comment (LUD-12); empty when there is none."),
          settledAt: time('When it settled.'),
        }),
      ),
    },
    'StaticChargeCallback',
  ),
  withdrawalRequest,
  payment,
  keysend: shape(
    {
      ...keysendFields,
      metadata: open(z.record(z.string(), z.unknown()).describe('As supplied in the request; empty when none was.')),
      tlvRecords: open(
        z
          .array(z.object({ type: z.int(), value: z.string() }))
          .describe('As supplied in the request; empty when none were.'),
      ),
    },
    'KeysendCallback',
  ),
} as const

export type CallbackKind = keyof typeof callbacks
/** The body exactly as the service writes it. */
export type CallbackWire<Kind extends CallbackKind> = z.output<(typeof callbacks)[Kind]['wire']>
/** The body as a receiver takes it: a hint, never proof (money.md, rule 5). */
export type CallbackHint<Kind extends CallbackKind> = z.output<(typeof callbacks)[Kind]['read']>

/** Reads a callback's body (parsed JSON) as leniently as a response; undefined when it is something else. */
export function readCallback<Kind extends CallbackKind>(kind: Kind, body: unknown): CallbackHint<Kind> | undefined {
  const result = callbacks[kind].read.safeParse(body)
  return result.success ? (result.data as CallbackHint<Kind>) : undefined
}
