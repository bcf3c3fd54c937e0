import type { Msats } from '../../lib/money/amount.ts'
import type { DecidableKind, PaymentOutcome } from '../engine/outgoing/decisions.ts'

export interface DecidePayment {
  readonly payment: string
  readonly outcome: PaymentOutcome
  readonly reason: string
  readonly operator: string
  /** Value of a redeemed code, as typed; only for that. */
  readonly amount?: string | undefined
}

/**
 * `proposed`: waits for another operator. `done`: two have decided, and the books say so. `overtaken`: the provider told
 * the end meanwhile, so nothing was left to decide.
 */
export interface DecisionView {
  readonly id: string
  readonly kind: DecidableKind
  readonly payment: string
  readonly outcome: PaymentOutcome
  readonly state: 'proposed' | 'overtaken' | 'done'
  /** Undefined where nothing came with a redeemed code. */
  readonly amount: Msats | undefined
  readonly proposedBy: string
  readonly secondedBy: string | undefined
  /** When it takes effect without a second operator; undefined: it never does. */
  readonly dueAt?: Date | undefined
}

/** One operator's proposal that waits. */
export type OpenProposal = Word &
  (
    | { readonly about: 'payment'; readonly decision: DecisionView }
    | { readonly about: 'booking'; readonly booking: BookingView }
    /** The end of this bot. `ends`: balances are paid out from then on. */
    | { readonly about: 'wind-down'; readonly id: string; readonly ends: Date; readonly dueAt: Date | undefined }
  )

/** Its author, reason and time. */
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
 * `top-up`: paid into the provider's wallet for the operator. `take-out`: paid out of it by the operator. `suspense`: sats
 * whose owner was unclear are the named member's, or the operator's.
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

/** `proposed`: waits for another operator. `done`: it is in the books. */
export interface BookingView {
  readonly id: string
  readonly what: BookingKind
  readonly amount: Msats
  readonly member: string | undefined
  readonly state: 'proposed' | 'done'
  /** When it takes effect without a second operator; undefined: it never does. */
  readonly dueAt?: Date | undefined
}
