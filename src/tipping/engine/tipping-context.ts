import type { LimitPerCaller } from '../../lib/concurrency-per-caller.ts'
import type { CardBook } from './cards/card-book.ts'
import type { ForeseenTip } from './foreseen-tip.ts'
import type { RoleConnections } from './linked-roles/role-connections.ts'
import type { OnceOnly } from './once-only/once-only.ts'
import type { OutgoingContext } from './outgoing/outgoing.ts'
import type { WalletContext } from './own-wallets/wallet-context.ts'
import type { PayoutRunner } from './payouts/payout-runner.ts'
import type { PreferenceBook } from './preferences/preference-book.ts'

/** The dependencies of every verb of tipping: the core, and the engine. `createTipping` builds them once. */
export interface TippingContext extends OutgoingContext, WalletContext {
  readonly cards: CardBook
  readonly once: OnceOnly
  readonly payouts: PayoutRunner
  readonly preferences: PreferenceBook
  readonly roleConnections: RoleConnections
  /** Whether an operator has said that this book is new (see `ensureOpened`). */
  readonly isSaidToBeNew: () => boolean
  /**
   * The limit on how many offers are requested at once for each member. It protects this process's connections, and is
   * not a rule of the book.
   */
  readonly offersAsked: LimitPerCaller
  /** Receives the tip that would be written; undefined outside a dry run. */
  readonly foresee?: ((tip: ForeseenTip) => void) | undefined
}
