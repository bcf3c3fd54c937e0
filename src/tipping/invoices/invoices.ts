import type { Msats } from '../../lib/money/amount.ts'
import type { Origin } from '../engine/cards/cards.ts'

/** Charges at the provider that pay a member. */
export interface Invoices {
  create(command: InvoiceCommand): Promise<InvoiceView>
  view(id: string): Promise<InvoiceView>
}

export interface InvoiceCommand {
  readonly member: string
  readonly amount: string
  readonly description?: string
  readonly expiresInMinutes?: number
  readonly origin: Origin
}

export interface InvoiceView {
  readonly id: string
  readonly card: string
  readonly member: string
  readonly gamertag: string
  readonly amount: Msats
  readonly description: string
  /**
   * The invoice's state. `paid`: the payment was read from the provider. `reported`: a callback reported the payment,
   * which could not be read from the provider.
   */
  readonly state: 'open' | 'paid' | 'reported' | 'expired'
  /** The BOLT11 invoice. */
  readonly request: string
  readonly expiresAt: Date
  readonly paidAt?: Date
}
