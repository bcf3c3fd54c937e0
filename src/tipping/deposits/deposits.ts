import type { Msats } from '../../lib/money/amount.ts'
import type { Origin } from '../engine/cards/cards.ts'

/** Charges at the provider whose payments fill a member's balance here. */
export interface Deposits {
  open(command: DepositCommand): Promise<DepositView>
  view(id: string): Promise<DepositView>
  /** Returns the same with a payable invoice, if the deposit is open and the provider gives one. */
  toPay(id: string): Promise<DepositView>
}

export interface DepositCommand {
  readonly member: string
  /** As typed. */
  readonly amount: string
  /** Requests the deposit in the origin's channel, for anybody to pay. Default: only the member sees the deposit. */
  readonly asking?: { readonly note: string }
  readonly origin: Origin
}

export interface DepositView {
  readonly id: string
  readonly card: string
  readonly member: string
  readonly amount: Msats
  /** `closed`: it can no longer be paid. Late payments are credited anyway. */
  readonly state: 'open' | 'paid' | 'closed'
  /** An LNURL-pay code. */
  readonly request: string
  /** A BOLT11 invoice, for every wallet; undefined if none is valid for long enough. */
  readonly invoice?: string | undefined
  /** It was requested in a channel with its purpose, for anybody to pay. */
  readonly asking?: { readonly note: string } | undefined
  readonly paidAt?: Date
}
