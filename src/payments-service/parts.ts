import type { Ledger } from '../ledger/ledger.ts'
import type { BookClock } from '../lib/book-clock.ts'
import type { Clock } from '../lib/clock.ts'
import type { Entropy } from '../lib/entropy.ts'
import type { GuardedFetch } from '../lib/http/guarded-fetch.ts'
import type { Logger } from '../lib/logger.ts'
import type { LightningBackend } from './backends/backend.ts'
import type { PaymentsDatabase, Tx } from './database.ts'
import type { Payouts } from './payments/payouts.ts'
import type { Regions } from './regions.ts'
import type { ServiceSettings } from './settings.ts'
import type { NameDirectory } from './users/gamertags.ts'
import type { WrongCodes } from './vouchers/wrong-codes.ts'

/** What the service is made of, handed to every operation, public route and worker. */
export interface ServiceParts {
  /** For reading. Whatever is written goes through the ledger. */
  readonly database: PaymentsDatabase
  /** The one way to write. A commit with callbacks in it wakes the outbox by itself. */
  readonly ledger: Ledger<Tx>
  readonly backend: LightningBackend
  readonly clock: Clock
  /** The book's own time, and whether the clock can be trusted: whatever expires goes by it. */
  readonly bookClock: BookClock
  readonly entropy: Entropy
  readonly logger: Logger
  readonly settings: ServiceSettings
  /** For Lightning Addresses and other servers that callers name; callbacks have their own. */
  readonly fetch: GuardedFetch
  /** Where the world reaches the service, without a slash at the end. */
  readonly publicUrl: string
  /** Gamertags and Lightning Address identifiers. */
  readonly names: NameDirectory
  /** Everything that leaves through the node. */
  readonly payouts: Payouts
  readonly wrongCodes: WrongCodes
  readonly regions: Regions
}

/** Something that runs beside the requests, from start to stop. */
export interface Worker {
  /** Resolves when the work that must come before any request is done. */
  readonly ready?: Promise<void>
  /** Finishes what runs and leaves the rest to the next start. */
  close(): Promise<void>
}
