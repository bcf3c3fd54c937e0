import { createLedger } from '../ledger/ledger.ts'
import { BookClock } from '../lib/book-clock.ts'
import type { Clock } from '../lib/clock.ts'
import { limitPerCaller } from '../lib/concurrency-per-caller.ts'
import { askLongQuestions } from '../lib/database/long-questions.ts'
import type { Entropy } from '../lib/entropy.ts'
import { fetchNearby, type Nearby } from '../lib/http/fetch-nearby.ts'
import { createGuardedFetch, type GuardedFetch } from '../lib/http/guarded-fetch.ts'
import type { Network } from '../lib/lightning/bolt11.ts'
import type { Logger } from '../lib/logger.ts'
import type { LastOwner, OwnershipTimes } from '../lib/ownership/ownership.ts'
import { type BeaconChain, QUICKNET } from '../lib/proofs/beacon.ts'
import { type PaymentsClient, PaymentsError } from '../payments-api/payments-api.ts'
import { ADDRESSES } from './addresses/poll-address.ts'
import { takeUpDue } from './adjustments/proposals.ts'
import { auditAndStore } from './administration/create-administration.ts'
import { pollAnnouncement } from './announcements/announce.ts'
import { type ApiServices, createApi } from './api.ts'
import { pollAsk } from './asks/close-ask.ts'
import { AuditConsequences } from './audit/act-on-audit.ts'
import { proverBeside, proverHere } from './audit/open-prover.ts'
import { Activity } from './core/activity.ts'
import { ASK_BEACON_EVERY_MS, BeaconSource } from './core/beacon-source.ts'
import { BookNetwork } from './core/book-network.ts'
import { CHART } from './core/chart-of-accounts.ts'
import { openTippingDatabase, type TippingClient, type TippingDatabase, type Tx } from './core/database.ts'
import { limitsOf } from './core/gift-limits.ts'
import { createTippingOwnership } from './core/ownership.ts'
import { createProviderNode } from './core/provider-node.ts'
import { ASK_EVERY_MS, RateSource } from './core/rates.ts'
import { DEFAULT_SETTINGS, type TippingSettings } from './core/settings.ts'
import { pollDrop } from './drops/poll-drop.ts'
import { CardBook } from './engine/cards/card-book.ts'
import { FORGET_PENDING_EVERY_MS, forgetPendingTips } from './engine/gifts/confirmation.ts'
import { ensureOpened } from './engine/incoming/opening-balance.ts'
import { pollCharge } from './engine/incoming/read-charge.ts'
import { RoleConnections } from './engine/linked-roles/role-connections.ts'
import { OnceOnly } from './engine/once-only/once-only.ts'
import { OutgoingPaymentsSwitch } from './engine/outgoing/outgoing-payments-switch.ts'
import { createPollAfterReconnect } from './engine/outgoing/poll-after-reconnect.ts'
import { pollOutgoing } from './engine/outgoing/poll-outgoing.ts'
import { type ReplayKeyStore, replayKeysOf } from './engine/outgoing/replays.ts'
import { pollUnknown, takeOverOutgoing } from './engine/outgoing/take-over.ts'
import { Connections, type WalletsOptions } from './engine/own-wallets/connections.ts'
import { isAllowedRelay, openOverRelays } from './engine/own-wallets/member-wallet.ts'
import { pollWalletPayment, WalletPayments } from './engine/own-wallets/wallet-payments.ts'
import { PAYOUTS } from './engine/payouts/payout-kind.ts'
import { PayoutRunner } from './engine/payouts/payout-runner.ts'
import { type Poll, Poller, type PollKind } from './engine/polling/poller.ts'
import { PreferenceBook } from './engine/preferences/preference-book.ts'
import { notePrice } from './engine/prices/noted-prices.ts'
import type { TippingContext } from './engine/tipping-context.ts'
import { createExports } from './exports/exports.ts'
import { pollGiveaway } from './giveaways/poll-giveaway.ts'
import { postRecaps } from './insights/recaps.ts'
import { DEPOSITS_WITH_TIPS } from './invoiced-tips/deposits-with-tips.ts'
import { pollInvoice } from './invoices/poll-invoice.ts'
import { mustHoldNothing } from './must-hold-nothing.ts'
import { sweepPasses } from './own-wallets/wallet-passes.ts'
import { FUNDRAISERS } from './pools/poll-fundraiser.ts'
import { OUTGOING_KINDS } from './provider-kinds.ts'
import { Presence } from './rain/presence.ts'
import { pollList } from './rewards/poll-list.ts'
import { RuleBook } from './rules/rule-book.ts'
import { timeOfBook } from './time-of-book.ts'
import type { Tipping } from './tipping.ts'
import { pollPromise } from './tips/keep-promise.ts'
import { returnUnclaimed } from './tips/return-unclaimed.ts'
import { pollBatch } from './vouchers/poll-batch.ts'
import { pollVoucher } from './vouchers/poll-voucher.ts'
import { REDEMPTIONS } from './vouchers/redemption-kind.ts'
import { driveWindDown } from './wind-down/run-rounds.ts'
import { MAX_OFFERS_ASKED } from './withdrawals/fetch-offer-invoice.ts'
import { pollForward } from './withdrawals/poll-forward.ts'
import { WITHDRAWALS } from './withdrawals/withdrawal-kind.ts'

export interface TippingOptions {
  /** An open database, which the code that opened it must close, or a database's address (TIPPING_DATABASE_URL). */
  readonly database: TippingDatabase | string
  /**
   * Whether no other bot uses this database, for example because this process holds its lock. If so, all work of an
   * earlier bot is taken over immediately. Default: other bots may use it.
   */
  readonly alone?: boolean
  /** The times after which a process counts as gone, if other bots may use this database. */
  readonly ownershipTimes?: OwnershipTimes
  /** Checks the book before anything else in it is used, and throws if it is not the intended book. */
  readonly checkBook?: ((database: TippingDatabase) => Promise<void>) | undefined
  /** Called, perhaps more than once, after the book has begun and the wallet's first sats are booked. */
  readonly onBegun?: ((database: TippingDatabase) => Promise<void>) | undefined
  /**
   * Whether an operator has said that this book is new. If not, the wallet's first sats may belong to a lost book: they
   * raise an alert, and nothing leaves until an operator says that the book is new. Default: the book is new.
   */
  readonly isSaidToBeNew?: () => boolean
  /** The previous process on this database, if it is known to be dead. */
  readonly lastOwner?: LastOwner | undefined
  readonly payments: PaymentsClient
  /** Whether the provider is known to replay the answer to an Idempotency-Key (see `probeReplay`). */
  readonly replaysKeys: () => boolean
  /** Asks the provider whether it still remembers the keys that may be sent again. Throws PaymentsError. */
  readonly stillReplays: () => Promise<boolean>
  /**
   * Resolves as soon as the provider has said whether it replays answers; asks the provider if necessary. No operation
   * is sent before that. Throws PaymentsError if the provider did not answer. Default: the provider has been asked.
   */
  readonly askedForReplays?: () => Promise<void>
  /**
   * Receives the book's replay keys before any operation is taken up, and uses them to learn whether the provider still
   * remembers what an earlier process sent. Default: `stillReplays` is enough.
   */
  readonly takeUpReplayKeys?: (store: ReplayKeyStore) => Promise<void>
  readonly clock: Clock
  /**
   * Whether to compare the clock with the database server's, if there is one. Default: the clocks are not compared, as
   * when a test controls the clock.
   */
  readonly comparesClocks?: boolean
  readonly entropy: Entropy
  readonly logger: Logger
  readonly settings?: Partial<TippingSettings>
  /** Whether Lightning Addresses and prices may be looked up on this machine, for development. */
  readonly outgoingAllowLoopback?: boolean
  /** Whether the provider, and the addresses in its codes, are on this machine. */
  readonly providerIsLocal?: boolean
  /** The provider's address on the web, which its codes contain, and its address on this machine. */
  readonly providerNearby?: Nearby | undefined
  /** A fetch that replaces the Internet for outgoing requests. The code that created this fetch must close it. */
  readonly outgoing?: GuardedFetch
  /** The network of the provider's sats; undefined if the provider names none, or did not answer. */
  readonly network?: Network | undefined
  /** The address of a source of prices in other currencies (RATES_URL). Without it, amounts are only in sats. */
  readonly ratesUrl?: string | undefined
  /** The address of a drand server, a public beacon (DRAND_URL). Without it, the seed alone decides a draw. */
  readonly drandUrl?: string | undefined
  /** A beacon chain other than drand's quicknet, for tests. */
  readonly beaconChain?: BeaconChain
  /** The client for members' own wallets. Without it, nobody can connect a wallet. */
  readonly ownWallets?: WalletsOptions
  /** Whether to prove the book in a separate thread, so that a large book does not make members wait. */
  readonly ownThread?: boolean
}

/**
 * Opens the members' book and takes over dead bots' operations. The sats of unsent payouts stay in the balances,
 * payouts that may have been sent are checked, and open ones are polled. Throws DatabaseProblem, OtherNetwork if the
 * networks of provider and book differ, and ClocksApart if the clocks of machine and database differ by minutes.
 */
export async function createTipping(options: TippingOptions): Promise<Tipping> {
  const own = typeof options.database === 'string'
  const database = await openBook(options)
  const fetch =
    options.outgoing ??
    createGuardedFetch({ allowLoopback: options.outgoingAllowLoopback ?? false, clock: options.clock })
  const local = options.providerIsLocal ?? false
  const loopback = local ? createGuardedFetch({ allowLoopback: true, clock: options.clock }) : fetch
  const providerFetch = options.providerNearby ? fetchNearby(loopback, options.providerNearby) : loopback
  const rates = new RateSource({
    url: options.ratesUrl,
    currency: options.settings?.currency ?? DEFAULT_SETTINGS.currency,
    fetch,
    clock: options.clock,
    logger: options.logger,
  })
  const context = assemble(options, { database, fetch, providerFetch, rates })
  const exports = createExports(context, options.ownThread ?? false)
  const prover = (options.ownThread ? proverBeside : proverHere)(context)
  const auditing = { prover, consequences: new AuditConsequences() }
  const services = { presence: new Presence(context), auditing, ruleBook: new RuleBook(context), exports }
  await context.network.load(context, options.network)
  if (context.settings.custody === 'none') await mustHoldNothing(context)
  await context.outgoingSwitch.begin(context)
  await context.clockWatch.load(timeOfBook(context, options.comparesClocks ? database.serverTime : undefined))
  await context.preferences.load()
  await services.ruleBook.load()
  const { activity, settings, ownership, beacons } = context
  try {
    await ownership.start()
    await options.takeUpReplayKeys?.(replayKeysOf(context))
    await takeOver(context)
    await pollUnknown(context)
  } catch (error) {
    await ownership.close()
    throw error
  }
  services.presence.start()
  if (rates.configured) {
    const ask = () => rates.refresh().then(() => notePrice(context))
    activity.every('ask for prices', ASK_EVERY_MS, ask)
    void activity.run('ask for prices', ask)
  }
  if (beacons.configured) {
    activity.every('look for the beacon', ASK_BEACON_EVERY_MS, () => beacons.refresh())
    void activity.run('look for the beacon', () => beacons.refresh())
  }
  activity.every('keep the time', settings.sweepEveryMs, () => context.clockWatch.keep())
  activity.every('poll after reconnect', settings.sweepEveryMs, createPollAfterReconnect(context))
  activity.every('let go of idle wallets', settings.sweepEveryMs, async () => context.wallets.connections.closeIdle())
  activity.every('delete links that are over', settings.sweepEveryMs, () => sweepPasses(context))
  startUpkeep(context, services, options)
  besideOthers(context, services.ruleBook)
  besideCommands(context)
  void context.poller.wake()
  return createApi(context, services, async () => {
    context.poller.close()
    await activity.close(settings.closeTimeoutMs)
    await ownership.close()
    context.wallets.connections.close()
    if (options.outgoing === undefined) await fetch.close()
    if (local) await providerFetch.close()
    await Promise.all([context.ledger.close(), prover.close(), exports.close(), context.longQuestions.close()])
    if (own) await database.close()
  })
}

export async function openBook({ database: where, checkBook }: TippingOptions): Promise<TippingDatabase> {
  const database = typeof where === 'string' ? await openTippingDatabase(where) : where
  try {
    await checkBook?.(database)
    return database
  } catch (error) {
    if (typeof where === 'string') await database.close()
    throw error
  }
}

/** Starts the upkeep that one bot does for all bots of the book. */
function startUpkeep(context: TippingContext, services: ApiServices, start: TippingOptions): void {
  const { activity, settings, ownership, poller } = context
  const ifMine = async (task: () => Promise<unknown>) => void (ownership.has('upkeep') && (await task()))
  const every = (name: string, everyMs: number, task: () => Promise<unknown>) =>
    activity.every(name, everyMs, () => ifMine(task))
  every('mend polls', settings.sweepEveryMs, () => poller.mend())
  every('return unclaimed tips', settings.sweepEveryMs, () => returnUnclaimed(context))
  const look = () => auditAndStore(context, services.auditing, { whole: false })
  every('take up what one operator said a day ago', settings.sweepEveryMs, () => takeUpDue(context, look))
  if (settings.custody !== 'none') every('wind down', settings.sweepEveryMs, () => driveWindDown(context, look))
  every('tell what was given', settings.sweepEveryMs, () => postRecaps(context))
  every('forget pending tips', FORGET_PENDING_EVERY_MS, () => forgetPendingTips(context))
  // If nobody has sats, there is nothing to compare.
  if (settings.custody === 'none') return
  every('audit', settings.auditEveryMs, () => audit(context, services, start))
  void activity.run('audit', () => ifMine(() => audit(context, services, start)))
}

/** Reads, every few seconds, what other bots have written, and takes over the work of bots that are gone. */
function besideOthers(context: TippingContext, ruleBook: RuleBook): void {
  const { activity, ownership, poller, outgoingSwitch, preferences, cards } = context
  let running = false
  ownership.afterEachLook(async () => {
    if (running) return
    running = true
    // Not awaited, because the next round must not wait for it.
    const round = activity.run('take over', async () => {
      await outgoingSwitch.load(context)
      await preferences.load()
      await ruleBook.load()
      await takeOver(context)
      await poller.wake()
      // Have cards and alerts checked again: another bot may have left some.
      cards.announce()
    })
    void round.finally(() => {
      running = false
    })
  })
}

/**
 * Regularly reads what commands on this machine (`openOperatorAccess`) have written, if this bot is alone on its book
 * and therefore does not look for other bots.
 */
function besideCommands({ activity, ownership, outgoingSwitch, cards, database, settings }: TippingContext): void {
  activity.every('notice what commands wrote', settings.noticeEveryMs, async () => {
    if (!ownership.alone) return
    await outgoingSwitch.load({ database })
    cards.announce()
  })
}

interface Resources {
  readonly database: TippingDatabase
  readonly fetch: GuardedFetch
  readonly providerFetch: GuardedFetch
  readonly rates: RateSource
}

/** Assembles the shared parts of all verbs, before anything runs. */
export function assemble(
  options: TippingOptions,
  { database, fetch, providerFetch, rates }: Resources,
): TippingContext {
  const { payments, replaysKeys, stillReplays, clock, entropy, logger } = options
  const { outgoingAllowLoopback: allowLoopbackHttp = false, providerIsLocal: isLocal = false } = options
  const settings = { ...DEFAULT_SETTINGS, ...options.settings }
  const ledger = createLedger<Tx, TippingClient>({ database, chart: CHART, clock })
  const activity = new Activity(clock, logger)
  const commit: TippingContext['commit'] = async (change) => {
    const value = await ledger.commit(change)
    cards.announce()
    return value
  }
  const cards: CardBook = new CardBook({ database, commit, ownership: () => ownership, clock, logger })
  const { alone = false, ownershipTimes: times, lastOwner: last } = options
  const ownership = createTippingOwnership({ database, commit, clock, entropy, logger, alone, times, last })
  const poller = new Poller(
    { database, commit, clock, logger, activity, ownership },
    pollsOf(() => context),
  )
  const book = { database, commit, clock, entropy, settings, rates, cards }
  const preferences = new PreferenceBook({ ...book, ownership: () => ownership })
  const context: TippingContext = {
    ...{ database, commit, ledger, ownership, payments, replaysKeys, stillReplays },
    longQuestions: askLongQuestions({ database, clock, beside: options.ownThread ?? false }),
    askedForReplays: options.askedForReplays ?? (async () => {}),
    ...{ clock, entropy, logger, settings, activity, cards },
    ...{ once: new OnceOnly(database), roleConnections: new RoleConnections(() => context.wallets.connections) },
    poller,
    payouts: new PayoutRunner(() => context),
    outgoingKinds: OUTGOING_KINDS,
    outgoingSwitch: new OutgoingPaymentsSwitch(),
    isSaidToBeNew: options.isSaidToBeNew ?? (() => true),
    ...{ network: new BookNetwork(), providerNode: createProviderNode({ payments, clock }) },
    clockWatch: new BookClock(clock),
    egress: { fetch, lnurl: { allowLoopbackHttp } },
    providersCodes: { fetch: providerFetch, lnurl: { allowLoopbackHttp: allowLoopbackHttp || isLocal } },
    rates,
    beacons: new BeaconSource({ ...options, url: options.drandUrl, chain: options.beaconChain ?? QUICKNET, fetch }),
    limits: { limitsFor: async (guild) => limitsOf(settings.limits, await preferences.inForce(guild)) },
    preferences,
    wallets: walletsOf(options, { database, clock, entropy }, () => context),
    offersAsked: limitPerCaller({ each: MAX_OFFERS_ASKED, all: Number.POSITIVE_INFINITY }),
  }
  return context
}

function pollsOf(context: () => TippingContext): Readonly<Record<PollKind, Poll>> {
  return {
    payout: (job) => pollOutgoing(context(), PAYOUTS, job),
    address: (job) => pollCharge(context(), ADDRESSES, job),
    forward: (job) => pollForward(context(), job),
    deposit: (job) => pollCharge(context(), DEPOSITS_WITH_TIPS, job),
    fundraiser: (job) => pollCharge(context(), FUNDRAISERS, job),
    invoice: (job) => pollInvoice(context(), job),
    withdrawal: (job) => pollOutgoing(context(), WITHDRAWALS, job),
    voucher: (job) => pollVoucher(context(), job),
    'voucher-batch': (job) => pollBatch(context(), job),
    list: (job) => pollList(context(), job),
    redemption: (job) => pollOutgoing(context(), REDEMPTIONS, job),
    drop: (job) => pollDrop(context(), job),
    ask: (job) => pollAsk(context(), job.id),
    giveaway: (job) => pollGiveaway(context(), job.id),
    'wallet-payment': (job) => pollWalletPayment(context(), job),
    'wallet-promise': (job) => pollPromise(context(), job),
    announcement: (job) => pollAnnouncement(context(), job),
  }
}

function walletsOf(
  { ownWallets, outgoingAllowLoopback: allowLoopback = false }: TippingOptions,
  parts: Pick<TippingContext, 'database' | 'clock' | 'entropy'>,
  context: () => TippingContext,
): TippingContext['wallets'] {
  const open = ownWallets?.open ?? openOverRelays({ clock: parts.clock, allowLoopback })
  const mayAsk = (relay: string) => isAllowedRelay(relay, { allowLoopback })
  const connections = new Connections({ ...parts, open, mayAsk, keys: ownWallets?.keys })
  return { connections, payments: new WalletPayments(context) }
}

/** Finishes the work of bots that are gone, and gives up charges that were never shown to anybody. */
async function takeOver(context: TippingContext): Promise<void> {
  await takeOverOutgoing(context)
  const { database, ownership } = context
  const left = { state: 'creating' }
  const { deposit, fundraiser, invoice } = database.read
  const where = { where: { ...left, ...(await ownership.nobodysIn(database.read)) } }
  const counts = [await deposit.count(where), await fundraiser.count(where), await invoice.count(where)]
  if (counts.every((count) => count === 0)) return
  await context.commit({
    write: async (tx) => {
      const { nobodys } = await ownership.takeOverIn(tx)
      const change = { where: { ...left, ...nobodys }, data: { state: 'failed' } }
      await tx.deposit.updateMany(change)
      await tx.fundraiser.updateMany(change)
      await tx.invoice.updateMany(change)
    },
  })
}

/** Opens the book if necessary, and audits it. If the provider does not answer, leaves both to the next audit. */
async function audit(context: TippingContext, { auditing }: ApiServices, start: TippingOptions): Promise<void> {
  try {
    await ensureOpened(context)
    await start.onBegun?.(context.database)
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error
    return void context.logger.warn({ reason: error.message }, 'the provider cannot be asked for its wallet yet')
  }
  await auditAndStore(context, auditing, { whole: false })
}
