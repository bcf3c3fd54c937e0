import { createLedger } from '../ledger/ledger.ts'
import { BookClock } from '../lib/book-clock.ts'
import type { Clock } from '../lib/clock.ts'
import type { Entropy } from '../lib/entropy.ts'
import { createGuardedFetch, type GuardedFetch } from '../lib/http/guarded-fetch.ts'
import { createTokenBuckets } from '../lib/http/token-buckets.ts'
import type { Network } from '../lib/lightning/bolt11.ts'
import type { Logger } from '../lib/logger.ts'
import { type PaymentsClient, PaymentsError } from '../payments-api/payments-api.ts'
import { ADDRESSES } from './addresses/poll-address.ts'
import { auditAndStore } from './administration/create-administration.ts'
import { type ApiServices, createApi } from './api.ts'
import { AuditConsequences } from './audit/act-on-audit.ts'
import { Activity } from './core/activity.ts'
import { BookNetwork } from './core/book-network.ts'
import { CHART } from './core/chart-of-accounts.ts'
import { openTippingDatabase, type TippingClient, type TippingDatabase, type Tx } from './core/database.ts'
import { limitsOf } from './core/limits.ts'
import { createProviderNode } from './core/provider-node.ts'
import { ASK_EVERY_MS, RateSource } from './core/rates.ts'
import { DEFAULT_SETTINGS, type TippingSettings } from './core/settings.ts'
import { DEPOSITS } from './deposits/poll-deposit.ts'
import { pollDrop } from './drops/poll-drop.ts'
import { pollGiveaway } from './giveaways/poll-giveaway.ts'
import { pollInvoice } from './invoices/poll-invoice.ts'
import { CardBook } from './machines/cards/card-book.ts'
import { FORGET_PENDING_EVERY_MS, forgetPendingTips } from './machines/gifts/confirmation.ts'
import { ensureOpened } from './machines/incoming/opening.ts'
import { pollCharge } from './machines/incoming/read-charge.ts'
import { OnceOnly } from './machines/once-only/once-only.ts'
import { OutgoingPaymentsSwitch } from './machines/outgoing/outgoing-payments-switch.ts'
import { createPollAfterReconnect } from './machines/outgoing/poll-after-reconnect.ts'
import { pollOutgoing } from './machines/outgoing/poll-outgoing.ts'
import { type ReplayKeyStore, replayKeysOf } from './machines/outgoing/replays.ts'
import { pollUnknown, resumeOutgoing } from './machines/outgoing/resume-outgoing.ts'
import { PAYOUTS } from './machines/payouts/payout-kind.ts'
import { PayoutRunner } from './machines/payouts/payout-runner.ts'
import { Poller } from './machines/polling/poller.ts'
import { PreferenceBook } from './machines/preferences/preference-book.ts'
import type { TippingContext } from './machines/tipping-context.ts'
import { FUNDRAISERS } from './pools/poll-fundraiser.ts'
import { OUTGOING_KINDS } from './provider-kinds.ts'
import { Presence } from './rain/presence.ts'
import { timeOfBook } from './time-of-book.ts'
import type { Tipping } from './tipping.ts'
import { returnUnclaimed } from './tips/return-unclaimed.ts'
import { pollVoucher } from './vouchers/poll-voucher.ts'
import { REDEMPTIONS } from './vouchers/redemption-kind.ts'
import { pollForward } from './withdrawals/poll-forward.ts'
import { WITHDRAWALS } from './withdrawals/withdrawal-kind.ts'

/** Voucher codes that new accounts may try in ten minutes, all of them together. The service lets the bot try 300. */
const NEW_ACCOUNTS_CODES = 150

export interface TippingOptions {
  /** An open database, closed by its opener; or its address (TIPPING_DATABASE_URL). */
  readonly database: TippingDatabase | string
  readonly payments: PaymentsClient
  /** Whether the provider is known to replay the answer to an Idempotency-Key (see `probeReplay`); asked each time. */
  readonly replaysKeys: () => boolean
  /** Whether it still remembers the keys it was sent since then, asked now. Throws PaymentsError. */
  readonly stillReplays: () => Promise<boolean>
  /**
   * Resolves once the provider has said whether it replays, asked now if need be: nothing is sent before that. Throws
   * PaymentsError when it could not be asked. Left out: it has been asked.
   */
  readonly askedForReplays?: () => Promise<void>
  /**
   * Is told where the book keeps replay keys, before anything is taken up, and learns with them whether the provider
   * still remembers what an earlier process sent. Left out: `stillReplays` knows.
   */
  readonly takeUpReplayKeys?: (store: ReplayKeyStore) => Promise<void>
  readonly clock: Clock
  readonly entropy: Entropy
  readonly logger: Logger
  readonly settings?: Partial<TippingSettings>
  /** Lightning Addresses and prices may be looked up on this very machine. For development. */
  readonly outgoingAllowLoopback?: boolean
  /** The provider is on this very machine, and so are the codes that it gives. */
  readonly providerIsLocal?: boolean
  /** Another way out to them than the Internet. It stays its maker's to close. */
  readonly outgoing?: GuardedFetch
  /** The network that the provider says its sats are of; undefined where it says nothing, or could not be asked. */
  readonly network?: Network | undefined
  /** A source of prices in other money (RATES_URL); without it, sats are all there is. */
  readonly ratesUrl?: string | undefined
}

/**
 * Opens the members' book and takes up whatever an earlier process left: payouts that were never sent stay in their
 * balances, those that may have been are looked into, what is open is watched. Throws DatabaseProblem, and OtherNetwork
 * where the provider moves another network's sats than the book counts.
 */
export async function createTipping(options: TippingOptions): Promise<Tipping> {
  const own = typeof options.database === 'string'
  const database = typeof options.database === 'string' ? await openTippingDatabase(options.database) : options.database
  const fetch =
    options.outgoing ??
    createGuardedFetch({ allowLoopback: options.outgoingAllowLoopback ?? false, clock: options.clock })
  const local = options.providerIsLocal ?? false
  const providerFetch = local ? createGuardedFetch({ allowLoopback: true, clock: options.clock }) : fetch
  const rates = new RateSource({
    url: options.ratesUrl,
    currency: options.settings?.currency ?? DEFAULT_SETTINGS.currency,
    fetch,
    clock: options.clock,
    logger: options.logger,
  })
  const context = assemble(options, { database, fetch, providerFetch, rates })
  const services = { presence: new Presence(context), consequences: new AuditConsequences() }
  await context.network.load(context, options.network)
  await context.outgoingSwitch.load(context)
  await context.clockWatch.load(timeOfBook(context))
  await context.preferences.load()
  await options.takeUpReplayKeys?.(replayKeysOf(context))
  await takeUp(context)
  services.presence.start()
  const { activity, settings } = context
  if (rates.configured) {
    activity.every('ask for prices', ASK_EVERY_MS, () => rates.refresh())
    void activity.run('ask for prices', () => rates.refresh())
  }
  activity.every('keep the time', settings.sweepEveryMs, () => context.clockWatch.keep())
  activity.every('read pauses', settings.sweepEveryMs, () => context.outgoingSwitch.load(context))
  activity.every('mend polls', settings.sweepEveryMs, () => context.poller.mend())
  activity.every('poll after reconnect', settings.sweepEveryMs, createPollAfterReconnect(context))
  activity.every('return unclaimed tips', settings.sweepEveryMs, () => returnUnclaimed(context))
  activity.every('forget pending tips', FORGET_PENDING_EVERY_MS, () => forgetPendingTips(context))
  activity.every('audit', settings.auditEveryMs, () => audit(context, services))
  void activity.run('audit', () => audit(context, services))
  void context.poller.wake()
  return createApi(context, services, async () => {
    context.poller.close()
    await activity.close(settings.closeTimeoutMs)
    if (options.outgoing === undefined) await fetch.close()
    if (local) await providerFetch.close()
    await context.ledger.close()
    if (own) await database.close()
  })
}

interface Resources {
  readonly database: TippingDatabase
  readonly fetch: GuardedFetch
  readonly providerFetch: GuardedFetch
  readonly rates: RateSource
}

function assemble(options: TippingOptions, { database, fetch, providerFetch, rates }: Resources): TippingContext {
  const { payments, replaysKeys, stillReplays, clock, entropy, logger } = options
  const allowLoopbackHttp = options.outgoingAllowLoopback ?? false
  const settings = { ...DEFAULT_SETTINGS, ...options.settings }
  const ledger = createLedger<Tx, TippingClient>({ database, chart: CHART, clock })
  const activity = new Activity(clock, logger)
  const commit: TippingContext['commit'] = async (change) => {
    const value = await ledger.commit(change)
    cards.announce()
    return value
  }
  const cards: CardBook = new CardBook({ database, commit, clock, logger })
  const poller = new Poller(
    { database, commit, clock, logger, activity },
    {
      payout: (job) => pollOutgoing(context, PAYOUTS, job),
      address: (job) => pollCharge(context, ADDRESSES, job),
      forward: (job) => pollForward(context, job),
      deposit: (job) => pollCharge(context, DEPOSITS, job),
      fundraiser: (job) => pollCharge(context, FUNDRAISERS, job),
      invoice: (job) => pollInvoice(context, job),
      withdrawal: (job) => pollOutgoing(context, WITHDRAWALS, job),
      voucher: (job) => pollVoucher(context, job),
      redemption: (job) => pollOutgoing(context, REDEMPTIONS, job),
      drop: (job) => pollDrop(context, job),
      giveaway: (job) => pollGiveaway(context, job.id),
    },
  )
  const preferences = new PreferenceBook({ database, commit, clock, settings })
  const context: TippingContext = {
    database,
    commit,
    ledger,
    payments,
    replaysKeys,
    stillReplays,
    askedForReplays: options.askedForReplays ?? (async () => {}),
    clock,
    entropy,
    logger,
    settings,
    activity,
    cards,
    once: new OnceOnly(database),
    poller,
    payouts: new PayoutRunner(() => context),
    outgoingKinds: OUTGOING_KINDS,
    outgoingSwitch: new OutgoingPaymentsSwitch(),
    network: new BookNetwork(),
    providerNode: createProviderNode({ payments, clock }),
    clockWatch: new BookClock(clock),
    egress: { fetch, lnurl: { allowLoopbackHttp } },
    providersCodes: {
      fetch: providerFetch,
      lnurl: { allowLoopbackHttp: allowLoopbackHttp || (options.providerIsLocal ?? false) },
    },
    rates,
    limits: {
      limitsFor: async (guild) => limitsOf(settings.limits, preferences.ofServer(guild)),
    },
    preferences,
    newAccountsCodes: createTokenBuckets(clock, NEW_ACCOUNTS_CODES / 600, NEW_ACCOUNTS_CODES),
  }
  return context
}

/** What an earlier process began and did not finish. Charges that nobody was ever shown are given up. */
async function takeUp(context: TippingContext): Promise<void> {
  await resumeOutgoing(context)
  await pollUnknown(context)
  await context.commit({
    write: async (tx) => {
      await tx.deposit.updateMany({ where: { state: 'creating' }, data: { state: 'failed' } })
      await tx.fundraiser.updateMany({ where: { state: 'creating' }, data: { state: 'failed' } })
      await tx.invoice.updateMany({ where: { state: 'creating' }, data: { state: 'failed' } })
    },
  })
}

/** Begins the book if that is still to be done; if the provider cannot be asked, the next audit tries again. */
async function audit(context: TippingContext, { consequences }: ApiServices): Promise<void> {
  try {
    await ensureOpened(context)
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error
    context.logger.warn({ reason: error.message }, 'the provider cannot be asked for its wallet yet')
    return
  }
  await auditAndStore(context, consequences)
}
