import type { Ledger } from '../ledger/ledger.ts'
import type { BookClock } from '../lib/book-clock.ts'
import type { Clock } from '../lib/clock.ts'
import type { Entropy } from '../lib/entropy.ts'
import type { GuardedFetch } from '../lib/http/guarded-fetch.ts'
import type { LnurlOptions } from '../lib/lightning/lnurl.ts'
import type { Logger } from '../lib/logger.ts'
import type { PaymentsClient } from '../payments-api/payments-api.ts'
import type { Activity } from './activity.ts'
import type { Rates } from './amounts/rates.ts'
import type { AuditConsequences } from './audit/act-on-audit.ts'
import type { CardBook } from './cards/card-book.ts'
import type { TippingDatabase, Tx } from './database.ts'
import type { LimitsSource } from './limits/limits.ts'
import type { OnceOnly } from './operations/once-only.ts'
import type { OutgoingKind } from './outgoing/outgoing.ts'
import type { OutgoingPaymentsSwitch } from './outgoing-payments-switch.ts'
import type { PayoutRunner } from './payouts/payout-runner.ts'
import type { Poller } from './polling/poller.ts'
import type { PreferenceBook } from './preferences/preference-book.ts'
import type { Presence } from './rain/presence.ts'
import type { TippingSettings } from './settings.ts'

/** What every verb of tipping works with. Built once, by `createTipping`. */
export interface TippingContext {
  readonly database: TippingDatabase
  /** The one way to write. Cards that a change raised are announced when it is durable. */
  readonly commit: Ledger<Tx>['commit']
  readonly ledger: Ledger<Tx>
  readonly payments: PaymentsClient
  /**
   * Whether the provider is known to replay the answer to an Idempotency-Key, and with it to know the other additions
   * to the interface. Asked each time, since it may become known only later.
   */
  readonly replaysKeys: () => boolean
  /** Whether it still remembers the keys that it was sent since that is known, asked now. Throws PaymentsError. */
  readonly stillReplays: () => Promise<boolean>
  /** Resolves once the provider has said whether it replays. Throws PaymentsError when it could not be asked. */
  readonly askedForReplays: () => Promise<void>
  readonly clock: Clock
  readonly entropy: Entropy
  readonly logger: Logger
  readonly settings: TippingSettings
  readonly activity: Activity
  readonly cards: CardBook
  readonly once: OnceOnly
  readonly poller: Poller
  readonly payouts: PayoutRunner
  /** Everything that is sent to the provider and moves money, with what each kind of it needs. */
  readonly outgoingKinds: readonly OutgoingKind[]
  readonly outgoingSwitch: OutgoingPaymentsSwitch
  readonly consequences: AuditConsequences
  readonly clockWatch: BookClock
  /** The way to addresses that strangers name, and what LNURLs may be there. */
  readonly outgoing: { readonly fetch: GuardedFetch; readonly lnurl: LnurlOptions }
  readonly rates: Rates
  readonly limits: LimitsSource
  readonly preferences: PreferenceBook
  readonly presence: Presence
  /** Nothing is written or sent, only found out what would be refused. */
  readonly isDryRun?: true
}

/** The wall clock's time as a Date. */
export function now(context: Pick<TippingContext, 'clock'>): Date {
  return new Date(context.clock.now())
}
