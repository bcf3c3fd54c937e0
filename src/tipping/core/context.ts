import type { Ledger } from '../../ledger/ledger.ts'
import type { BookClock } from '../../lib/book-clock.ts'
import type { Clock } from '../../lib/clock.ts'
import type { LongQuestions } from '../../lib/database/long-questions.ts'
import type { Entropy } from '../../lib/entropy.ts'
import type { GuardedFetch } from '../../lib/http/guarded-fetch.ts'
import type { LnurlOptions } from '../../lib/lightning/lnurl.ts'
import type { Logger } from '../../lib/logger.ts'
import type { PaymentsClient } from '../../payments-api/payments-api.ts'
import type { Activity } from './activity.ts'
import type { Beacons } from './beacon-source.ts'
import type { BookNetwork } from './book-network.ts'
import type { TippingDatabase, Tx } from './database.ts'
import type { LimitsSource } from './gift-limits.ts'
import type { TippingOwnership } from './ownership.ts'
import type { AskProviderNode } from './provider-node.ts'
import type { Rates } from './rates.ts'
import type { TippingSettings } from './settings.ts'

/** The book, for reading. Code that gets only this can neither write nor send. */
export interface ReadonlyBook {
  readonly database: TippingDatabase
  readonly ledger: Ledger<Tx>
  /** Runs queries that take longer as the book grows. */
  readonly longQuestions: LongQuestions
  readonly clock: Clock
  readonly clockWatch: BookClock
  readonly settings: TippingSettings
}

/** The book, for writing. Code that gets only this cannot send. */
export interface Book extends ReadonlyBook {
  /**
   * Commits a change, and is the only way to write. As soon as the change is durable, announces the cards that it
   * raised.
   */
  readonly commit: Ledger<Tx>['commit']
  /** The service that decides which of the book's bots owns a record or a job. */
  readonly ownership: TippingOwnership
  readonly entropy: Entropy
  readonly logger: Logger
}

/** The payments service. */
export interface Provider {
  readonly payments: PaymentsClient
  /**
   * Whether the provider is known to replay the answer to an Idempotency-Key, and therefore to support the other
   * additions to the interface. Must be called each time, because the answer may become known later.
   */
  readonly replaysKeys: () => boolean
  /** Asks the provider whether it still remembers the keys that may be sent again. Throws PaymentsError. */
  readonly stillReplays: () => Promise<boolean>
  /**
   * Resolves as soon as the provider has said whether it replays answers. Throws PaymentsError if the provider did not
   * answer.
   */
  readonly askedForReplays: () => Promise<void>
  /** The network of the book's sats. */
  readonly network: BookNetwork
  /** Returns the state of the provider's Lightning node, at most ten seconds old. Never throws. */
  readonly providerNode: AskProviderNode
  /**
   * The fetch for the provider's own codes, which may point to this machine, and the options that say which LNURLs may
   * do so.
   */
  readonly providersCodes: { readonly fetch: GuardedFetch; readonly lnurl: LnurlOptions }
}

/** Access to other people's servers, and to the prices and beacons that they supply. */
export interface Outside {
  /** The fetch for addresses that strangers supply, and the options that say which LNURLs are permitted. */
  readonly egress: { readonly fetch: GuardedFetch; readonly lnurl: LnurlOptions }
  readonly rates: Rates
  readonly beacons: Beacons
}

/** What all of tipping shares: the book, the provider, others' servers, and running work. */
export interface CoreContext extends Book, Provider, Outside {
  readonly activity: Activity
  readonly limits: LimitsSource
  /** Whether this is a dry run, which writes and sends nothing, and only finds out what would be refused. */
  readonly isDryRun?: true
}

/** Returns the wall clock's time as a Date. */
export function now(context: { readonly clock: Pick<Clock, 'now'> }): Date {
  return new Date(context.clock.now())
}
