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

/** The book as it is read. What takes no more than this writes nothing, and sends nothing. */
export interface ReadonlyBook {
  readonly database: TippingDatabase
  readonly ledger: Ledger<Tx>
  /** For what takes longer, the more there is in the book. */
  readonly longQuestions: LongQuestions
  readonly clock: Clock
  readonly clockWatch: BookClock
  readonly settings: TippingSettings
}

/** The book, to write in. What takes no more than this sends nothing. */
export interface Book extends ReadonlyBook {
  /** The one way to write. Cards that a change raised are announced when it is durable. */
  readonly commit: Ledger<Tx>['commit']
  /** Whose is what, among the bots that work on the book. */
  readonly ownership: TippingOwnership
  readonly entropy: Entropy
  readonly logger: Logger
}

/** The payments service. */
export interface Provider {
  readonly payments: PaymentsClient
  /**
   * Whether the provider is known to replay the answer to an Idempotency-Key, and with it to know the other additions
   * to the interface. Asked each time, since it may become known only later.
   */
  readonly replaysKeys: () => boolean
  /** Whether it still remembers the keys that it was sent since that is known, asked now. Throws PaymentsError. */
  readonly stillReplays: () => Promise<boolean>
  /** Resolves once the provider has said whether it replays. Throws PaymentsError if the provider did not answer. */
  readonly askedForReplays: () => Promise<void>
  /** The network whose sats the book counts. */
  readonly network: BookNetwork
  /** State of the provider's Lightning node; at most ten seconds old. Never throws. */
  readonly providerNode: AskProviderNode
  /** The way to the codes that the provider itself gives, which may be on this very machine, and what LNURLs may be there. */
  readonly providersCodes: { readonly fetch: GuardedFetch; readonly lnurl: LnurlOptions }
}

/** Servers of others. */
export interface Outside {
  /** The way to addresses that strangers name, and what LNURLs may be there. */
  readonly egress: { readonly fetch: GuardedFetch; readonly lnurl: LnurlOptions }
  readonly rates: Rates
  readonly beacons: Beacons
}

/** Shared parts of tipping: the book, the provider, others' servers, and what is under way. */
export interface CoreContext extends Book, Provider, Outside {
  readonly activity: Activity
  readonly limits: LimitsSource
  /** Nothing is written or sent, only found out what would be refused. */
  readonly isDryRun?: true
}

/** The wall clock's time as a Date. */
export function now(context: { readonly clock: Pick<Clock, 'now'> }): Date {
  return new Date(context.clock.now())
}
