import { bindAddresses } from './addresses/bind-addresses.ts'
import { createAdministration } from './administration/create-administration.ts'
import { bindAnnouncements } from './announcements/announce.ts'
import { bindApiKeys } from './api-keys/bind-api-keys.ts'
import { giveApproved } from './approved-gifts.ts'
import { bindAsks } from './asks/bind-asks.ts'
import { type Auditing, auditBooks } from './audit/audit-books.ts'
import { bindBalances } from './balances/bind-balances.ts'
import { bindClaims } from './claims/bind-claims.ts'
import { addedByClaim } from './claims/claim-tips.ts'
import { bindDeposits } from './deposits/bind-deposits.ts'
import { bindDrops } from './drops/bind-drops.ts'
import { dryRun, dryRunContext } from './dry-run.ts'
import { takeHint } from './engine/polling/take-hint.ts'
import type { TippingContext } from './engine/tipping-context.ts'
import type { Exports } from './exports/exports.ts'
import { bindFaucet } from './faucet/bind-faucet.ts'
import { bindGiveaways } from './giveaways/bind-giveaways.ts'
import { guildOfRecord } from './guild-of-record.ts'
import { bindHistory } from './history/bind-history.ts'
import { createInsights } from './insights/create-insights.ts'
import { bindInvoicedTips } from './invoiced-tips/bind-invoiced-tips.ts'
import { bindInvoices } from './invoices/bind-invoices.ts'
import { createLinkedRoles } from './linked-roles/create-linked-roles.ts'
import { createLinks } from './links/create-links.ts'
import { bindMessageTips } from './message-tips/bind-message-tips.ts'
import { createOwnWallets } from './own-wallets/create-own-wallets.ts'
import { bindPools } from './pools/bind-pools.ts'
import { bindPrivacy } from './privacy/bind-privacy.ts'
import { sharePermits } from './processes/share-permits.ts'
import { shareShards } from './processes/share-shards.ts'
import { bindRain } from './rain/bind-rain.ts'
import type { Presence } from './rain/presence.ts'
import { bindRewards } from './rewards/bind-rewards.ts'
import { bindRules } from './rules/bind-rules.ts'
import type { RuleBook } from './rules/rule-book.ts'
import { bindSchedules } from './schedules/bind-schedules.ts'
import { bindServerEvents } from './server-events/bind-server-events.ts'
import { bindSplits } from './splits/bind-splits.ts'
import type { Tipping } from './tipping.ts'
import { bindTips } from './tips/bind-tips.ts'
import { bindVouchers } from './vouchers/bind-vouchers.ts'
import { createWindDowns } from './wind-down/create-wind-downs.ts'
import { bindForwarding, bindWithdrawals } from './withdrawals/bind-withdrawals.ts'

/** The services that only some verbs need. */
export interface ApiServices {
  readonly presence: Presence
  readonly auditing: Auditing
  readonly ruleBook: RuleBook
  readonly exports: Exports
}

/** Creates the tipping API: all verbs, bound to their dependencies. `close`: stops everything behind the API. */
export function createApi(context: TippingContext, services: ApiServices, close: () => Promise<void>): Tipping {
  let closing: Promise<void> | undefined
  return {
    cards: context.cards,
    guildOf: (kind, id) => guildOfRecord(context, kind, id),
    links: createLinks(context),
    ownWallets: createOwnWallets(context),
    linkedRoles: createLinkedRoles(context),
    forwarding: bindForwarding(context),
    balances: bindBalances(context),
    tips: bindTips(context),
    announcements: bindAnnouncements(context),
    claims: bindClaims(context),
    deposits: bindDeposits(context),
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
    pools: bindPools(context, (guild) => services.exports.pool(guild)),
    rewards: bindRewards(context, giveApproved),
    splits: bindSplits(context),
    apiKeys: bindApiKeys(context),
    rules: bindRules(context, services.ruleBook),
    schedules: bindSchedules(context, services.presence),
    insights: createInsights(context),
    history: bindHistory(context, (member) => services.exports.history(member)),
    faucet: bindFaucet(context),
    privacy: bindPrivacy(context, (member) => services.exports.data(member)),
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

/** Builds the context of a dry run. `claims`: the member whose waiting tips count as claimed before the run. */
async function afterClaim(context: TippingContext, claims: string | undefined): Promise<TippingContext> {
  if (claims === undefined) return dryRunContext(context)
  return dryRunContext(context, { member: claims, amount: await addedByClaim(context, claims) })
}

async function settled({ activity, poller }: TippingContext): Promise<void> {
  for (;;) {
    await activity.idle()
    if (!(await poller.due())) return
    await poller.wake()
  }
}
