import type { Msats } from '../../lib/money/amount.ts'
import type { DecidableKind, PaymentOutcome } from '../engine/outgoing/decisions.ts'

export interface DecidePayment {
  readonly payment: string
  readonly outcome: PaymentOutcome
  readonly reason: string
  readonly operator: string
  /** The value of a redeemed code, as typed. Only for redeemed codes. */
  readonly amount?: string | undefined
}

/**
 * `proposed`: waits for another operator. `done`: two operators have decided, and it is booked. `overtaken`: the
 * provider reported the outcome meanwhile, so nothing was left to decide.
 */
export interface DecisionView {
  readonly id: string
  readonly kind: DecidableKind
  readonly payment: string
  readonly outcome: PaymentOutcome
  readonly state: 'proposed' | 'overtaken' | 'done'
  /** Undefined if a redeemed code brought nothing. */
  readonly amount: Msats | undefined
  readonly proposedBy: string
  readonly secondedBy: string | undefined
  /** When it takes effect without a second operator; undefined: never. */
  readonly dueAt?: Date | undefined
}

/** A single operator's proposal that waits. */
export type OpenProposal = Word &
  (
    | { readonly about: 'payment'; readonly decision: DecisionView }
    | { readonly about: 'booking'; readonly booking: BookingView }
    /** The end of this bot. `ends`: when balances begin to be paid out. */
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
 * `top-up`: paid into the provider's wallet for the operator. `take-out`: paid out of it by the operator. `suspense`:
 * sats with an unclear owner belong to the named member, or to the operator.
 */
export type BookingKind = 'top-up' | 'take-out' | 'suspense'

export interface BookingCommand {
  readonly what: BookingKind
  /** As typed. */
  readonly amount: string
  /** Only for `suspense`. */
  readonly member?: string | undefined
  readonly reason: string
  readonly operator: string
}

/** `proposed`: it waits for another operator. `done`: it is booked. */
export interface BookingView {
  readonly id: string
  readonly what: BookingKind
  readonly amount: Msats
  readonly member: string | undefined
  readonly state: 'proposed' | 'done'
  /** When it takes effect without a second operator; undefined: never. */
  readonly dueAt?: Date | undefined
}
