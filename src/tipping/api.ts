import { msats } from '../lib/money/amount.ts'
import type { Addresses } from './addresses/addresses.ts'
import { offerOfAddress } from './addresses/offer-of-address.ts'
import { takeAddress } from './addresses/take-address.ts'
import { addressesOf, viewArrival } from './addresses/view-address.ts'
import { createAdministration } from './administration/create-administration.ts'
import { bindAnnouncements } from './announcements/announce.ts'
import { bindApiKeys } from './api-keys/bind-api-keys.ts'
import { giveApproved } from './approved-gifts.ts'
import type { Asks } from './asks/asks.ts'
import { closeAsk } from './asks/close-ask.ts'
import { openAsk } from './asks/open-ask.ts'
import { tipForAsk } from './asks/tip-for-ask.ts'
import { viewAsk } from './asks/view-ask.ts'
import { type Auditing, auditBooks } from './audit/audit-books.ts'
import type { Balances } from './balances/balances.ts'
import { viewBalance } from './balances/view-balance.ts'
import { sharePermits } from './call-budget/share-permits.ts'
import { addedByClaim, claimTips, lookForUnclaimed } from './claims/claim-tips.ts'
import { viewClaim } from './claims/view-claim.ts'
import { member as memberAccount } from './core/chart-of-accounts.ts'
import { depositToPay } from './deposits/invoice-of-deposit.ts'
import { openDeposit } from './deposits/open-deposit.ts'
import { readDepositView } from './deposits/view-deposit.ts'
import { claimDrop } from './drops/claim-drop.ts'
import type { Drops } from './drops/drops.ts'
import { askToDrop, confirmDrop, openDrop, openDropFromPool } from './drops/open-drop.ts'
import { closeDrop } from './drops/poll-drop.ts'
import { openDropsOf, viewDrop, viewDropClaim } from './drops/view-drop.ts'
import { dryRun, dryRunContext } from './dry-run.ts'
import { takeHint } from './engine/polling/take-hint.ts'
import type { TippingContext } from './engine/tipping-context.ts'
import type { Exports } from './exports/exports.ts'
import type { Faucet } from './faucet/faucet.ts'
import { faucetAmount, takeFromFaucet } from './faucet/take-from-faucet.ts'
import { bindGiveaways } from './giveaways/bind-giveaways.ts'
import { guildOfRecord } from './guild-of-record.ts'
import type { History } from './history/history.ts'
import { receiptOf } from './history/payment-receipt.ts'
import { historyPage, recentOperations } from './history/read-history.ts'
import { createInsights } from './insights/create-insights.ts'
import { askOrInvoice, askOrInvoiceMessage, reactOrInvoice } from './invoiced-tips/ask-or-invoice.ts'
import type { InvoicedTips } from './invoiced-tips/invoiced-tips.ts'
import { viewInvoicedTip } from './invoiced-tips/view-invoiced-tip.ts'
import { createInvoice } from './invoices/create-invoice.ts'
import type { Invoices } from './invoices/invoices.ts'
import { viewInvoice } from './invoices/view-invoice.ts'
import { createLinkedRoles } from './linked-roles/create-linked-roles.ts'
import { createMembers } from './members/create-members.ts'
import type { MessageTips } from './message-tips/message-tips.ts'
import { askToTipMessage, tipByReaction, tipMessage } from './message-tips/tip-message.ts'
import { viewMessageTips } from './message-tips/view-message-tips.ts'
import { createOwnWallets } from './own-wallets/create-own-wallets.ts'
import { setBudget } from './pools/budgets.ts'
import { closeFundraiser } from './pools/close-fundraiser.ts'
import { askToGive, askToGiveTo, confirmPoolGift, givePool, giveToFundraiser } from './pools/give-pool.ts'
import { openFundraiser } from './pools/open-fundraiser.ts'
import { exportPool, poolHistory } from './pools/pool-history.ts'
import type { Pools } from './pools/pools.ts'
import { readFundraiserView, viewPool } from './pools/view-pool.ts'
import { forgetMember } from './privacy/forget-member.ts'
import { openSats } from './privacy/open-sats.ts'
import type { Privacy } from './privacy/privacy.ts'
import { askToRain, letItRain, letItRainFromPool } from './rain/let-it-rain.ts'
import type { Presence } from './rain/presence.ts'
import type { Rain } from './rain/rain.ts'
import { approveReward, denyReward } from './rewards/decide-reward.ts'
import { giveReward } from './rewards/give-reward.ts'
import { listOutcomes } from './rewards/list-outcomes.ts'
import { confirmList, previewList } from './rewards/pay-list.ts'
import type { Rewards } from './rewards/rewards.ts'
import { viewReward } from './rewards/view-reward.ts'
import { createRule, startRule, stopRule } from './rules/change-rules.ts'
import { hearEvent } from './rules/hear-event.ts'
import type { RuleBook } from './rules/rule-book.ts'
import type { Rules } from './rules/rules.ts'
import { listRules } from './rules/view-rule.ts'
import { bindSchedules } from './schedules/bind-schedules.ts'
import { bindServerEvents } from './server-events/bind-server-events.ts'
import { shareShards } from './shards/share-shards.ts'
import { bindSplits } from './splits/bind-splits.ts'
import type { Tipping } from './tipping.ts'
import { askTip, confirmTip } from './tips/ask-tip.ts'
import { joinTip } from './tips/join-tip.ts'
import { sendFromPool, sendTip } from './tips/send-tip.ts'
import type { Tips } from './tips/tips.ts'
import { viewReceipt } from './tips/view-receipt.ts'
import { viewTip } from './tips/view-tip.ts'
import { bindVouchers } from './vouchers/bind-vouchers.ts'
import { createWindDowns } from './wind-down/create-wind-downs.ts'
import { askToMove, askWithdrawal } from './withdrawals/ask-withdrawal.ts'
import { cancelCode } from './withdrawals/cancel-code.ts'
import type { Forwarding } from './withdrawals/forwarding.ts'
import { payInvoice } from './withdrawals/pay-invoice.ts'
import { keepHere, startForwarding } from './withdrawals/start-forwarding.ts'
import { cancelWithdrawal, confirmWithdrawal } from './withdrawals/start-withdrawal.ts'
import { viewWithdrawal } from './withdrawals/view-withdrawal.ts'
import type { Withdrawals } from './withdrawals/withdrawals.ts'

/** Services that only some verbs need. */
export interface ApiServices {
  readonly presence: Presence
  readonly auditing: Auditing
  readonly ruleBook: RuleBook
  readonly exports: Exports
}

/** Tipping, bound to what its verbs work with. `close` ends all of it. */
export function createApi(context: TippingContext, services: ApiServices, close: () => Promise<void>): Tipping {
  let closing: Promise<void> | undefined
  return {
    cards: context.cards,
    guildOf: (kind, id) => guildOfRecord(context, kind, id),
    members: createMembers(context),
    ownWallets: createOwnWallets(context),
    linkedRoles: createLinkedRoles(context),
    forwarding: bindForwarding(context),
    balances: bindBalances(context),
    tips: bindTips(context),
    announcements: bindAnnouncements(context),
    claims: {
      hasUnclaimed: lookForUnclaimed(context),
      take: (command) => claimTips(context, command),
      view: (id) => viewClaim(context, id),
    },
    deposits: {
      open: (command) => openDeposit(context, command),
      view: (id) => readDepositView(context, id),
      toPay: (id) => depositToPay(context, id),
    },
    invoices: bindInvoices(context),
    addresses: bindAddresses(context),
    withdrawals: bindWithdrawals(context),
    windDown: createWindDowns(context),
    ...bindVouchers(context),
    serverEvents: bindServerEvents(context),
    drops: bindDrops(context),
    rain: bindRain(context, services.presence),
    preferences: context.preferences,
    messageTips: bindMessageTips(context),
    invoicedTips: bindInvoicedTips(context),
    pools: bindPools(context, services),
    rewards: bindRewards(context),
    splits: bindSplits(context),
    apiKeys: bindApiKeys(context),
    rules: bindRules(context, services.ruleBook),
    schedules: bindSchedules(context, services.presence),
    insights: createInsights(context),
    history: bindHistory(context, services),
    faucet: bindFaucet(context),
    privacy: bindPrivacy(context, services),
    fiatValue: (amount) => context.rates.fiatValue(amount),
    inSats: (currency, value) => context.rates.inSats(currency, value),
    asks: bindAsks(context),
    giveaways: bindGiveaways(context, () => services.presence.write()),
    shards: shareShards(context),
    callBudget: sharePermits(context),
    administration: createAdministration(context, services.auditing),
    dryRun: async (run, claims, foresee) =>
      dryRun(createApi({ ...(await afterClaim(context, claims)), foresee }, services, close), run),
    hint: (token, said) => takeHint(context, token, said),
    audit: () => auditBooks(context, services.auditing, { whole: false }),
    get offers() {
      return context.providerNode.known().offers
    },
    holdsSats: context.settings.custody !== 'none',
    get testMoney() {
      return context.network.isTest
    },
    settled: () => settled(context),
    close: () => {
      closing ??= close()
      return closing
    },
  }
}

/** Input of a dry run, where `claims` is the member whose waiting tips will be claimed first. */
async function afterClaim(context: TippingContext, claims: string | undefined): Promise<TippingContext> {
  if (claims === undefined) return dryRunContext(context)
  return dryRunContext(context, { member: claims, amount: await addedByClaim(context, claims) })
}

function bindForwarding(context: TippingContext): Forwarding {
  return {
    start: (command) => startForwarding(context, command),
    keep: (command) => keepHere(context, command),
  }
}

function bindFaucet(context: TippingContext): Faucet {
  return {
    get amount() {
      return faucetAmount(context)
    },
    take: (command) => takeFromFaucet(context, command),
  }
}

function bindRules(context: TippingContext, book: RuleBook): Rules {
  return {
    create: (command) => createRule(context, book, command),
    list: (guild) => listRules(context, guild),
    start: (decision) => startRule(context, book, decision),
    stop: (decision) => stopRule(context, book, decision),
    watches: (guild, trigger) => book.watches(guild, trigger),
    heard: (event) => hearEvent(context, book, event),
  }
}

function bindTips(context: TippingContext): Tips {
  return {
    send: (command) => sendTip(context, command),
    ask: (command) => askTip(context, command),
    confirm: (command) => confirmTip(context, command),
    sendFromPool: (command) => sendFromPool(context, command),
    join: (command) => joinTip(context, command),
    view: (id) => viewTip(context, id),
    receipt: (share) => viewReceipt(context, share),
  }
}

function bindInvoicedTips(context: TippingContext): InvoicedTips {
  return {
    ask: (command) => askOrInvoice(context, command),
    askForMessage: (command) => askOrInvoiceMessage(context, command),
    react: (command) => reactOrInvoice(context, command),
    view: (deposit) => viewInvoicedTip(context, deposit),
  }
}

function bindInvoices(context: TippingContext): Invoices {
  return {
    create: (command) => createInvoice(context, command),
    view: (id) => viewInvoice(context, id),
  }
}

function bindAddresses(context: TippingContext): Addresses {
  return {
    get offered() {
      return context.replaysKeys()
    },
    take: (command) => takeAddress(context, command),
    offer: (command) => offerOfAddress(context, command),
    mine: (member) => addressesOf(context, member),
    arrival: (payment) => viewArrival(context, payment),
  }
}

function bindDrops(context: TippingContext): Drops {
  return {
    open: (command) => openDrop(context, command),
    ask: (command) => askToDrop(context, command),
    confirm: (word) => confirmDrop(context, word),
    openFromPool: (command) => openDropFromPool(context, command),
    claim: (command) => claimDrop(context, command),
    close: (command) => closeDrop(context, command),
    view: (id) => viewDrop(context, id),
    mine: (member, most) => openDropsOf(context, member, most),
    claimView: (id) => viewDropClaim(context, id),
  }
}

function bindBalances(context: TippingContext): Balances {
  return {
    view: (member) => viewBalance(context, member),
    available: async (member) => msats(await context.ledger.balance(memberAccount(member))),
  }
}

function bindAsks(context: TippingContext): Asks {
  return {
    open: (command) => openAsk(context, command),
    tipFor: (command) => tipForAsk(context, command),
    close: (command) => closeAsk(context, command),
    view: (id) => viewAsk(context, id),
  }
}

function bindPrivacy(context: TippingContext, { exports }: ApiServices): Privacy {
  return {
    export: (member) => exports.data(member),
    open: (member) => openSats(context, member),
    forget: (member) => forgetMember(context, member),
  }
}

function bindHistory(context: TippingContext, { exports }: ApiServices): History {
  return {
    page: (member, page) => historyPage(context, member, page),
    export: (member) => exports.history(member),
    operations: (member) => recentOperations(context, member),
    receipt: (command) => receiptOf(context, command),
  }
}

function bindPools(context: TippingContext, { exports }: ApiServices): Pools {
  return {
    view: (guild) => viewPool(context, guild),
    fund: (command) => openFundraiser(context, command),
    give: (command) => givePool(context, command),
    giveTo: (command) => giveToFundraiser(context, command),
    ask: (command) => askToGive(context, command),
    askTo: (command) => askToGiveTo(context, command),
    confirm: (word) => confirmPoolGift(context, word),
    fundraise: (command) => openFundraiser(context, command),
    fundraiser: (id) => readFundraiserView(context, id),
    closeFundraiser: (command) => closeFundraiser(context, command),
    budget: (command) => setBudget(context, command),
    history: (guild, since) => poolHistory(context, guild, since),
    export: (command) => exportPool(context, command, (guild) => exports.pool(guild)),
  }
}

function bindRewards(context: TippingContext): Rewards {
  return {
    give: (command) => giveReward(context, command),
    approve: (command) => approveReward(context, command, giveApproved),
    deny: (command) => denyReward(context, command),
    view: (id) => viewReward(context, id),
    readList: (command) => previewList(context, command),
    confirmList: (word) => confirmList(context, word),
    listOutcomes: (reward) => listOutcomes(context, reward),
  }
}

function bindRain(context: TippingContext, presence: Presence): Rain {
  return {
    heard: (guild, member, by) => presence.heard(guild, member, by),
    fall: (command) => letItRain(context, presence, command),
    ask: (command) => askToRain(context, presence, command),
    fallFromPool: (command) => letItRainFromPool(context, presence, command),
  }
}

function bindMessageTips(context: TippingContext): MessageTips {
  return {
    tip: (command) => tipMessage(context, command),
    ask: (command) => askToTipMessage(context, command),
    react: (command) => tipByReaction(context, command),
    view: (message) => viewMessageTips(context, message),
  }
}

function bindWithdrawals(context: TippingContext): Withdrawals {
  return {
    ask: (command) => askWithdrawal(context, command),
    askToMove: (command) => askToMove(context, command),
    confirm: (decision) => confirmWithdrawal(context, decision),
    cancel: (decision) => cancelWithdrawal(context, decision),
    cancelCode: (decision) => cancelCode(context, decision),
    pay: (command) => payInvoice(context, command),
    view: (id) => viewWithdrawal(context, id),
  }
}

async function settled({ activity, poller }: TippingContext): Promise<void> {
  for (;;) {
    await activity.idle()
    if (!(await poller.due())) return
    await poller.wake()
  }
}
