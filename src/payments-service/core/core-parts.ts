import type { Ledger } from '../../ledger/ledger.ts'
import type { BookClock } from '../../lib/book-clock.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Entropy } from '../../lib/entropy.ts'
import type { GuardedFetch } from '../../lib/http/guarded-fetch.ts'
import type { Logger } from '../../lib/logger.ts'
import type { PaymentsDatabase, Tx } from './database.ts'
import type { TellOperators } from './operator-alerts.ts'
import type { ServiceOwnership } from './ownership.ts'
import type { Regions } from './regions.ts'
import type { ServiceSettings } from './settings.ts'

/** Shared parts of the service: the book, the time, and the operator's choices. */
export interface CoreParts {
  /** For reading. Whatever is written goes through the ledger. */
  readonly database: PaymentsDatabase
  /** The one way to write. A commit with callbacks in it wakes the outbox by itself. */
  readonly ledger: Ledger<Tx>
  /** Whose is what, among the processes that work on the book. */
  readonly ownership: ServiceOwnership
  /** Tells operators what they must know. */
  readonly tell: TellOperators
  readonly clock: Clock
  /** The book's own time, and whether the clock can be trusted; every expiry uses it. */
  readonly bookClock: BookClock
  readonly entropy: Entropy
  readonly logger: Logger
  readonly settings: ServiceSettings
  /** For Lightning Addresses and other servers that callers name; callbacks have another. */
  readonly fetch: GuardedFetch
  /** Where the world reaches the service, without a slash at the end. */
  readonly publicUrl: string
  readonly regions: Regions
}
