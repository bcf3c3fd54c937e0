import { z } from 'zod'
import { chargeRecord, projectCharge } from './operations/charges.ts'
import { keysendFields, payment } from './operations/payments.ts'
import { payer, staticChargeFields } from './operations/static-charges.ts'
import { withdrawalRequest } from './operations/withdrawal-requests.ts'
import type { OperationName } from './operations.ts'
import { amount, open, optional, shape, text, time } from './response-fields.ts'

/**
 * The bodies that the service POSTs to a `callbackUrl`: the resource in the form of its GET (or creation response),
 * flat, without an envelope or an event name. The interface does not define these bodies; decisions.md, "Callbacks",
 * does.
 */
export const callbacks = {
  charge: chargeRecord,
  projectCharge,
  staticCharge: shape(
    {
      ...staticChargeFields,
      payment: optional(
        shape({
          id: text('The id of this payment.'),
          amount: amount('The paid amount, in msats.'),
          comment: text("The payer's comment (LUD-12); empty if there is none."),
          settledAt: time('When it settled.'),
          payer,
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
      metadata: open(z.record(z.string(), z.unknown()).describe('As sent in the request; empty if none was sent.')),
      tlvRecords: open(
        z
          .array(z.object({ type: z.int(), value: z.string() }))
          .describe('As sent in the request; empty if none were sent.'),
      ),
    },
    'KeysendCallback',
  ),
} as const

export type CallbackKind = keyof typeof callbacks

/** An occasion for callbacks, and the operations that subscribe to it. */
export interface CallbackOccasion {
  readonly summary: string
  readonly description: string
  readonly askedBy: readonly OperationName[]
  /** The operation that reads the resource. The resource's event stream requires the same scope as this operation. */
  readonly readBy: OperationName
}

export const callbackOccasions: Readonly<Record<CallbackKind, CallbackOccasion>> = {
  charge: {
    summary: 'Gamertag Charge update',
    description: 'The Gamertag Charge was paid, or expired.',
    askedBy: ['createGamertagCharge'],
    readBy: 'getGamertagCharge',
  },
  projectCharge: {
    summary: 'Charge update',
    description: 'The Charge was paid, or expired.',
    askedBy: ['createCharge'],
    readBy: 'getCharge',
  },
  staticCharge: {
    summary: 'Static Charge update',
    description: 'The Static Charge received a payment, which is in `payment`.',
    askedBy: ['createStaticCharge', 'updateStaticCharge'],
    readBy: 'getStaticCharge',
  },
  withdrawalRequest: {
    summary: 'Withdrawal Request update',
    description:
      'The Withdrawal Request was claimed, its payment completed, it expired, or it can be claimed again because the payment of a claim failed.',
    askedBy: ['createWithdrawalRequest'],
    readBy: 'retrieveWithdrawalRequest',
  },
  payment: {
    summary: 'Payment update',
    description: 'The payment of an invoice completed, or failed for certain.',
    askedBy: ['sendPayment', 'payLightningAddress'],
    readBy: 'retrievePayment',
  },
  keysend: {
    summary: 'Keysend update',
    description: 'The keysend payment completed, or failed for certain.',
    askedBy: ['sendKeysendPayment'],
    readBy: 'retrievePayment',
  },
}
/** The body exactly as the service writes it. */
export type CallbackWire<Kind extends CallbackKind> = z.output<(typeof callbacks)[Kind]['wire']>
/** The body as a receiver reads it: a hint, never proof (money.md, rule 5). */
export type CallbackHint<Kind extends CallbackKind> = z.output<(typeof callbacks)[Kind]['read']>

/** Reads a callback's body (parsed JSON) as leniently as a response; undefined for a body of any other form. */
export function readCallback<Kind extends CallbackKind>(kind: Kind, body: unknown): CallbackHint<Kind> | undefined {
  const result = callbacks[kind].read.safeParse(body)
  return result.success ? (result.data as CallbackHint<Kind>) : undefined
}
