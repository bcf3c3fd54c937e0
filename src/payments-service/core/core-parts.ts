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

/** The service's shared parts: the book, the time, and the operator's choices. */
export interface CoreParts {
  /** The database, for reading. All writes go through the ledger. */
  readonly database: PaymentsDatabase
  /** The ledger, which is the only way to write. A commit that contains callbacks wakes the outbox. */
  readonly ledger: Ledger<Tx>
  /** The part that decides which of the book's processes owns a record or a job. */
  readonly ownership: ServiceOwnership
  /** Alerts operators. */
  readonly tell: TellOperators
  readonly clock: Clock
  /** The book's own time, and whether the clock can be trusted. Every expiry uses this time. */
  readonly bookClock: BookClock
  readonly entropy: Entropy
  readonly logger: Logger
  readonly settings: ServiceSettings
  /** The fetch for Lightning Addresses and other servers that callers specify. Callbacks use another fetch. */
  readonly fetch: GuardedFetch
  /** The service's public address, without a trailing slash. */
  readonly publicUrl: string
  readonly regions: Regions
  /** Returns the project of the bot beside the service; undefined without such a bot. */
  readonly ownProject: () => string | undefined
}
