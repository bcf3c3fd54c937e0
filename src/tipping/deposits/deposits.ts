import type { Msats } from '../../lib/money/amount.ts'
import type { Origin } from '../engine/cards/cards.ts'

/** Charges at the provider that fill a member's balance here when they are paid. */
export interface Deposits {
  open(command: DepositCommand): Promise<DepositView>
  view(id: string): Promise<DepositView>
  /** The same, with an invoice that can be paid now, where the deposit is open and the provider gives one. */
  toPay(id: string): Promise<DepositView>
}

export interface DepositCommand {
  readonly member: string
  /** As typed. */
  readonly amount: string
  /** Asks for it in the origin's channel, for anybody to pay, with its purpose. Left out: shown to its member alone. */
  readonly asking?: { readonly note: string }
  readonly origin: Origin
}

export interface DepositView {
  readonly id: string
  readonly card: string
  readonly member: string
  readonly amount: Msats
  /** `closed`: can no longer be paid. Late payments are credited anyway. */
  readonly state: 'open' | 'paid' | 'closed'
  /** An LNURL-pay code. */
  readonly request: string
  /** BOLT11, for every wallet; undefined if none lives long enough. */
  readonly invoice?: string | undefined
  /** It was requested in a channel, for anybody to pay, with its purpose. */
  readonly asking?: { readonly note: string } | undefined
  readonly paidAt?: Date
}
