import type { CardBook } from '../cards/card-book.ts'
import type { PollingContext } from '../polling/poller.ts'
import type { Connections } from './connections.ts'

/** The dependencies of payments from members' own wallets. */
export interface WalletContext extends PollingContext {
  readonly cards: CardBook
  readonly wallets: Wallets
}

/** Members' own wallets, and the payments from them. */
export interface Wallets {
  readonly connections: Connections
  readonly payments: WalletPaymentRunner
}

export interface WalletPaymentRunner {
  /**
   * Asks a connection's wallet to make these payments, one after the other. Does not wait until they have been made.
   */
  start(connection: string, ids: readonly string[]): void
  /** Whether this process is handling the payment with this id. */
  has(id: string): boolean
}
