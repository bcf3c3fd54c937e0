import type { Msats } from '../../lib/money/amount.ts'
import type { DecidableKind, PaymentOutcome } from '../engine/outgoing/decisions.ts'

export interface DecidePayment {
  readonly payment: string
  readonly outcome: PaymentOutcome
  readonly reason: string
  readonly operator: string
  /** The value of a redeemed code, as typed; undefined for every other payment. */
  readonly amount?: string | undefined
}

/**
 * A decision about a payment's outcome. `proposed`: the decision waits for another operator, or for the end of its
 * delay. `done`: the decision is booked. `overtaken`: the provider reported the outcome meanwhile, so nothing was left
 * to decide.
 */
export interface DecisionView {
  readonly id: string
  readonly kind: DecidableKind
  readonly payment: string
  readonly outcome: PaymentOutcome
  readonly state: 'proposed' | 'overtaken' | 'done'
  /** The payment's amount; undefined if a redeemed code brought nothing. */
  readonly amount: Msats | undefined
  readonly proposedBy: string
  readonly secondedBy: string | undefined
  /** When the decision takes effect without a second operator; undefined if it never does. */
  readonly dueAt?: Date | undefined
}

/** A single operator's proposal, which waits for a second operator or for the end of its delay. */
export type OpenProposal = Word &
  (
    | { readonly about: 'payment'; readonly decision: DecisionView }
    | { readonly about: 'booking'; readonly booking: BookingView }
    /** The end of this bot. `ends`: when the bot begins to pay out balances. */
    | { readonly about: 'wind-down'; readonly id: string; readonly ends: Date; readonly dueAt: Date | undefined }
  )

/** A proposal's author, reason and time. */
interface Word {
  readonly by: string
  readonly reason: string
  readonly at: Date
}

export interface CancelProposal {
  readonly proposal: string
  readonly operator: string
}

/**
 * The kinds of booking. `top-up`: sats were paid into the provider's wallet for the operator. `take-out`: the operator
 * paid sats out of the provider's wallet. `suspense`: sats whose owner was unclear belong to the named member, or to
 * the operator if no member is named.
 */
export type BookingKind = 'top-up' | 'take-out' | 'suspense'

export interface BookingCommand {
  readonly what: BookingKind
  /** The amount, as typed. */
  readonly amount: string
  /** The member to whom the sats belong (only for `suspense`); undefined if they belong to the operator. */
  readonly member?: string | undefined
  readonly reason: string
  readonly operator: string
}

/**
 * A booking as operators see it. `proposed`: the booking waits for another operator, or for the end of its delay.
 * `done`: the booking is made.
 */
export interface BookingView {
  readonly id: string
  readonly what: BookingKind
  readonly amount: Msats
  readonly member: string | undefined
  readonly state: 'proposed' | 'done'
  /** When the booking takes effect without a second operator; undefined if it never does. */
  readonly dueAt?: Date | undefined
}
