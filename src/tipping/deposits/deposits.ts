import type { Msats } from '../../lib/money/amount.ts'
import type { Origin } from '../engine/cards/cards.ts'

/** Deposits: charges at the provider whose payments are credited to a member's balance here. */
export interface Deposits {
  open(command: DepositCommand): Promise<DepositView>
  view(id: string): Promise<DepositView>
  /** Returns a deposit, with a payable invoice if the deposit is open and the provider returns one. */
  toPay(id: string): Promise<DepositView>
}

export interface DepositCommand {
  readonly member: string
  /** The amount, as typed. */
  readonly amount: string
  /**
   * The purpose for which the deposit is requested in the origin's channel, for anybody to pay. Default: only the
   * member sees the deposit.
   */
  readonly asking?: { readonly note: string }
  readonly origin: Origin
}

export interface DepositView {
  readonly id: string
  readonly card: string
  readonly member: string
  readonly amount: Msats
  /** The deposit's state. `closed`: its code is no longer payable, but late payments are credited anyway. */
  readonly state: 'open' | 'paid' | 'closed'
  /** An LNURL-pay code. */
  readonly request: string
  /** A BOLT11 invoice, for every wallet; undefined if no invoice is valid for long enough. */
  readonly invoice?: string | undefined
  /**
   * The purpose for which the deposit was requested in a channel, for anybody to pay; undefined if only the member sees
   * it.
   */
  readonly asking?: { readonly note: string } | undefined
  readonly paidAt?: Date
}
