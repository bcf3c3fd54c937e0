import type { CardBook } from '../cards/card-book.ts'
import type { PollingContext } from '../polling/poller.ts'
import type { Connections } from './connections.ts'

/** Dependencies of payments from members' own wallets. */
export interface WalletContext extends PollingContext {
  readonly cards: CardBook
  readonly wallets: Wallets
}

/** Members' own wallets, and their payments. */
export interface Wallets {
  readonly connections: Connections
  readonly payments: WalletPaymentRunner
}

export interface WalletPaymentRunner {
  /** Asks the wallet of a connection for these payments, one after the other. Nobody waits for it. */
  start(connection: string, ids: readonly string[]): void
  /** Whether this process has a payment in its hands. */
  has(id: string): boolean
}
