import { createLedger } from '../ledger/ledger.ts'
import { BookClock } from '../lib/book-clock.ts'
import type { Clock } from '../lib/clock.ts'
import type { Entropy } from '../lib/entropy.ts'
import { createGuardedFetch, type GuardedFetch } from '../lib/http/guarded-fetch.ts'
import type { Logger } from '../lib/logger.ts'
import { msats } from '../lib/money/amount.ts'
import { type PaymentsClient, PaymentsError } from '../payments-api/payments-api.ts'
import { Activity } from './activity.ts'
import { createAddresses } from './addresses/create-addresses.ts'
import { pollAddress } from './addresses/poll-address.ts'
import { auditAndStore, createAdministration } from './administration/create-administration.ts'
import { ASK_EVERY_MS, RateSource } from './amounts/rates.ts'
import { AuditConsequences } from './audit/act-on-audit.ts'
import { auditBooks } from './audit/audit-books.ts'
import { ensureOpened } from './audit/opening.ts'
import { CardBook } from './cards/card-book.ts'
import { CHART, member as memberAccount } from './chart-of-accounts.ts'
import { claimTips } from './claims/claim-tips.ts'
import { viewClaim } from './claims/view-claim.ts'
import type { TippingContext } from './context.ts'
import { openTippingDatabase, type TippingClient, type TippingDatabase, type Tx } from './database.ts'
import { openDeposit } from './deposits/open-deposit.ts'
import { pollDeposit } from './deposits/poll-deposit.ts'
import { readDepositView } from './deposits/view-deposit.ts'
import { createDrops } from './drops/create-drops.ts'
import { pollDrop } from './drops/poll-drop.ts'
import { dryRun, dryRunContext } from './dry-run.ts'
import { createGiveaways } from './giveaways/create-giveaways.ts'
import { pollGiveaway } from './giveaways/poll-giveaway.ts'
import { createInsights } from './insights/create-insights.ts'
import { createInvoice } from './invoices/create-invoice.ts'
import { pollInvoice } from './invoices/poll-invoice.ts'
import { viewInvoice } from './invoices/view-invoice.ts'
import { limitsOf } from './limits/limits.ts'
import { linkMember } from './members/link-member.ts'
import { unlinkMember } from './members/unlink-member.ts'
import { viewBalance } from './members/view-balance.ts'
import { createMessageTips } from './message-tips/create-message-tips.ts'
import { OnceOnly } from './operations/once-only.ts'
import { pollOutgoing } from './outgoing/poll-outgoing.ts'
import { pollUnknown, resumeOutgoing } from './outgoing/resume-outgoing.ts'
import { OUTGOING_KINDS } from './outgoing-kinds.ts'
import { OutgoingPaymentsSwitch } from './outgoing-payments-switch.ts'
import { PAYOUTS } from './payouts/payout-kind.ts'
import { PayoutRunner } from './payouts/payout-runner.ts'
import { createPollAfterReconnect } from './polling/poll-after-reconnect.ts'
import { Poller } from './polling/poller.ts'
import { takeHint } from './polling/take-hint.ts'
import { createPools } from './pools/create-pools.ts'
import { pollFundraiser } from './pools/poll-fundraiser.ts'
import { PreferenceBook } from './preferences/preference-book.ts'
import { createRain } from './rain/create-rain.ts'
import { Presence } from './rain/presence.ts'
import { createRewards } from './rewards/create-rewards.ts'
import { DEFAULT_SETTINGS, type TippingSettings } from './settings.ts'
import { timeOfBook } from './time-of-book.ts'
import type { Tipping } from './tipping.ts'
import { askTip, confirmTip } from './tips/ask-tip.ts'
import { FORGET_PENDING_EVERY_MS, forgetPendingTips } from './tips/confirmation.ts'
import { returnUnclaimed } from './tips/return-unclaimed.ts'
import { sendTip } from './tips/send-tip.ts'
import { viewReceipt } from './tips/view-receipt.ts'
import { viewTip } from './tips/view-tip.ts'
import { createVouchers } from './vouchers/create-vouchers.ts'
import { pollVoucher } from './vouchers/poll-voucher.ts'
import { REDEMPTIONS } from './vouchers/redemption-kind.ts'
import { askWithdrawal } from './withdrawals/ask-withdrawal.ts'
import { payInvoice } from './withdrawals/pay-invoice.ts'
import { cancelWithdrawal, confirmWithdrawal } from './withdrawals/start-withdrawal.ts'
import { viewWithdrawal } from './withdrawals/view-withdrawal.ts'
import { WITHDRAWALS } from './withdrawals/withdrawal-kind.ts'

export interface TippingOptions {
  /** An open database, closed by whoever opened it; or its address (TIPPING_DATABASE_URL). */
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
  readonly clock: Clock
  readonly entropy: Entropy
  readonly logger: Logger
  readonly settings?: Partial<TippingSettings>
  /** Lightning Addresses and prices may be looked up on this very machine. For development. */
  readonly outgoingAllowLoopback?: boolean
  /** Another way out to them than the Internet. It stays its maker's to close. */
  readonly outgoing?: GuardedFetch
  /** A source of prices in other money (RATES_URL); without it, sats are all there is. */
  readonly ratesUrl?: string | undefined
}

/**
 * Opens the members' book and takes up whatever an earlier process left: payouts that were never sent stay in their
 * balances, those that may have been are looked into, what is open is watched. Throws DatabaseProblem.
 */
export async function createTipping(options: TippingOptions): Promise<Tipping> {
  const own = typeof options.database === 'string'
  const database = typeof options.database === 'string' ? await openTippingDatabase(options.database) : options.database
  const fetch =
    options.outgoing ??
    createGuardedFetch({ allowLoopback: options.outgoingAllowLoopback ?? false, clock: options.clock })
  const rates = new RateSource({
    url: options.ratesUrl,
    currency: options.settings?.currency ?? DEFAULT_SETTINGS.currency,
    fetch,
    clock: options.clock,
    logger: options.logger,
  })
  const context = assemble(options, { database, fetch, rates })
  await context.outgoingSwitch.load(context)
  await context.clockWatch.load(timeOfBook(context))
  await context.preferences.load()
  await takeUp(context)
  context.presence.start()
  const { activity, settings } = context
  if (rates.configured) {
    activity.every('ask for prices', ASK_EVERY_MS, () => rates.refresh())
    void activity.run('ask for prices', () => rates.refresh())
  }
  activity.every('keep the time', settings.sweepEveryMs, () => context.clockWatch.keep())
  activity.every('mend polls', settings.sweepEveryMs, () => context.poller.mend())
  activity.every('poll after reconnect', settings.sweepEveryMs, createPollAfterReconnect(context))
  activity.every('return unclaimed tips', settings.sweepEveryMs, () => returnUnclaimed(context))
  activity.every('forget pending tips', FORGET_PENDING_EVERY_MS, () => forgetPendingTips(context))
  activity.every('audit', settings.auditEveryMs, () => audit(context))
  void activity.run('audit', () => audit(context))
  void context.poller.wake()
  return api(context, async () => {
    context.poller.close()
    await activity.close(settings.closeTimeoutMs)
    if (options.outgoing === undefined) await fetch.close()
    await context.ledger.close()
    if (own) await database.close()
  })
}

interface Resources {
  readonly database: TippingDatabase
  readonly fetch: GuardedFetch
  readonly rates: RateSource
}

function assemble(options: TippingOptions, { database, fetch, rates }: Resources): TippingContext {
  const { payments, replaysKeys, stillReplays, clock, entropy, logger } = options
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
      address: (job) => pollAddress(context, job),
      deposit: (job) => pollDeposit(context, job),
      fundraiser: (job) => pollFundraiser(context, job),
      invoice: (job) => pollInvoice(context, job),
      withdrawal: (job) => pollOutgoing(context, WITHDRAWALS, job),
      voucher: (job) => pollVoucher(context, job),
      redemption: (job) => pollOutgoing(context, REDEMPTIONS, job),
      drop: (job) => pollDrop(context, job),
      giveaway: (job) => pollGiveaway(context, job.id),
    },
  )
  const preferences = new PreferenceBook({ database, commit, clock })
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
    consequences: new AuditConsequences(),
    clockWatch: new BookClock(clock),
    outgoing: { fetch, lnurl: { allowLoopbackHttp: options.outgoingAllowLoopback ?? false } },
    rates,
    limits: {
      limitsFor: async (guild) => limitsOf(settings.limits, preferences.ofServer(guild)),
    },
    preferences,
    presence: new Presence({ clock, database, activity, commit }),
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
async function audit(context: TippingContext): Promise<void> {
  try {
    await ensureOpened(context)
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error
    context.logger.warn({ reason: error.message }, 'the provider cannot be asked for its wallet yet')
    return
  }
  await auditAndStore(context)
}

function api(context: TippingContext, close: () => Promise<void>): Tipping {
  let closing: Promise<void> | undefined
  return {
    cards: context.cards,
    link: (command) => linkMember(context, command),
    unlink: (command) => unlinkMember(context, command),
    balance: (member) => viewBalance(context, member),
    available: async (member) => msats(await context.ledger.balance(memberAccount(member))),
    tip: (command) => sendTip(context, command),
    askTip: (command) => askTip(context, command),
    confirmTip: (command) => confirmTip(context, command),
    tipView: (id) => viewTip(context, id),
    receiptView: (share) => viewReceipt(context, share),
    claim: (command) => claimTips(context, command),
    claimView: (id) => viewClaim(context, id),
    deposit: (command) => openDeposit(context, command),
    depositView: (id) => readDepositView(context, id),
    invoice: (command) => createInvoice(context, command),
    invoiceView: (id) => viewInvoice(context, id),
    addresses: createAddresses(context),
    withdrawals: {
      ask: (command) => askWithdrawal(context, command),
      confirm: (decision) => confirmWithdrawal(context, decision),
      cancel: (decision) => cancelWithdrawal(context, decision),
      pay: (command) => payInvoice(context, command),
      view: (id) => viewWithdrawal(context, id),
    },
    vouchers: createVouchers(context),
    drops: createDrops(context),
    rain: createRain(context),
    preferences: context.preferences,
    messageTips: createMessageTips(context),
    pools: createPools(context),
    rewards: createRewards(context),
    insights: createInsights(context),
    fiatValue: (amount) => context.rates.fiatValue(amount),
    inSats: (currency, value) => context.rates.inSats(currency, value),
    giveaways: createGiveaways(context),
    administration: createAdministration(context),
    dryRun: (run) => dryRun(api(dryRunContext(context), close), run),
    hint: (token, said) => takeHint(context, token, said),
    audit: () => auditBooks(context),
    get testMoney() {
      return context.settings.testMoney()
    },
    settled: () => settled(context),
    close: () => {
      closing ??= close()
      return closing
    },
  }
}

async function settled({ activity, poller }: TippingContext): Promise<void> {
  for (;;) {
    await activity.idle()
    if (!(await poller.due())) return
    await poller.wake()
  }
}
