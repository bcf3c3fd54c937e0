import type { Msats } from '../lib/money/amount.ts'
import type { Addresses } from './addresses/addresses.ts'
import type { TippingAdministration } from './administration/administration.ts'
import type { Announcements } from './announcements/announcements.ts'
import type { ApiKeys } from './api-keys/api-keys.ts'
import type { ForeseenTip } from './engine/foreseen-tip.ts'

export {
  MAX_PASSKEY_LABEL,
  type NewPasskey,
  type OperatorPasskey,
  type OperatorPasskeys,
} from './administration/operator-passkeys.ts'
export {
  CHALLENGE_LIFETIME_MS,
  type Operator,
  type OperatorSession,
  type OperatorSignIns,
  SESSION_LIFETIME_MS,
} from './administration/operator-sign-ins.ts'
export type { PoolOverview } from './administration/pools-overview.ts'

import type { Asks } from './asks/asks.ts'
import type { Audit } from './audit/audit.ts'
import type { Balances } from './balances/balances.ts'
import type { Claims } from './claims/claims.ts'
import type { ProviderOffers } from './core/provider-node.ts'
import type { FiatValue } from './core/rates.ts'
import type { Deposits } from './deposits/deposits.ts'
import type { Drops } from './drops/drops.ts'
import type { Cards } from './engine/cards/cards.ts'
import type { Preferences } from './engine/preferences/preferences.ts'
import type { Faucet } from './faucet/faucet.ts'
import type { Giveaways } from './giveaways/giveaways.ts'
import type { RecordKind } from './guild-of-record.ts'
import type { History } from './history/history.ts'
import type { Insights } from './insights/insights.ts'
import type { InvoicedTips } from './invoiced-tips/invoiced-tips.ts'
import type { Invoices } from './invoices/invoices.ts'
import type { LinkedRoles } from './linked-roles/linked-roles.ts'
import type { Links } from './links/links.ts'
import type { MessageTips } from './message-tips/message-tips.ts'
import type { OwnWallets } from './own-wallets/own-wallets.ts'
import type { Pools } from './pools/pools.ts'
import type { Privacy } from './privacy/privacy.ts'
import type { CallBudget } from './processes/call-budget.ts'
import type { Shards } from './processes/shards.ts'
import type { Rain } from './rain/rain.ts'
import type { Rewards } from './rewards/rewards.ts'
import type { Rules } from './rules/rules.ts'
import type { Schedules } from './schedules/schedules.ts'
import type { ServerEvents } from './server-events/server-events.ts'
import type { Splits } from './splits/splits.ts'
import type { Tips } from './tips/tips.ts'
import type { VoucherBatches } from './vouchers/voucher-batches.ts'
import type { Vouchers } from './vouchers/vouchers.ts'
import type { WindDowns } from './wind-down/wind-down.ts'
import type { Forwarding } from './withdrawals/forwarding.ts'
import type { Withdrawals } from './withdrawals/withdrawals.ts'

export { LedgerUnavailable } from '../ledger/ledger.ts'
export type { AddressArrival, Addresses, AddressView } from './addresses/addresses.ts'
export type { BookingKind, BookingView, DecisionView, OpenProposal } from './adjustments/adjustments.ts'
export type {
  AlertView,
  Movement,
  OperatorsView,
  Proven,
  StatusView,
  TippingAdministration,
} from './administration/administration.ts'
export {
  API_KEY_SCOPES,
  type ApiKeyScope,
  type ApiKeys,
  type ApiKeyTerms,
  type ApiKeyView,
  MAX_API_KEY_DAYS,
  MAX_API_KEY_NAME,
  MAX_WEBHOOK_URL,
  type PeopleOfServer,
} from './api-keys/api-keys.ts'
export type { AskState, Asks, AskView, CloseAsk, GiveToAsk, OpenAsk } from './asks/asks.ts'
export { MAX_ASK_REASON } from './asks/asks.ts'
export type { Audit } from './audit/audit.ts'
export type { BalanceView } from './balances/balances.ts'
export type { ClaimView } from './claims/claims.ts'
export { emojiKey } from './core/emoji.ts'
export type { NodeState } from './core/provider-node.ts'
export { readProviderWords } from './core/provider-words.ts'
export type { FiatValue } from './core/rates.ts'
export { type RefusalCode, type RefusalFacts, TippingRefusal } from './core/tipping-refusal.ts'
export type { DepositView } from './deposits/deposits.ts'
export type { Claimant, DropClaimView, DropCommand, Drops, DropView, PuzzleKind } from './drops/drops.ts'
export type { NewsKind } from './engine/alerts/alerts.ts'
export type { Card, CardKind, Cards, Origin } from './engine/cards/cards.ts'
export type { ForeseenTip } from './engine/foreseen-tip.ts'
export type { GiftSource, PendingTip, Recipient, TipCommand } from './engine/gifts/gifts.ts'
export type { DecidableKind, PaymentOutcome, ProposedDecision, UnknownPayment } from './engine/outgoing/decisions.ts'
export { PAUSE_ENDS, type Pause } from './engine/outgoing/outgoing-payments-switch.ts'
export type { WalletBudget } from './engine/own-wallets/member-wallet.ts'
export type { PaymentByHand } from './engine/own-wallets/view-by-hand.ts'
export type { WalletShareState, WalletShareView } from './engine/own-wallets/view-wallet-share.ts'
export type { WalletFailure } from './engine/own-wallets/wallet-payments.ts'
export type { NotSentReason, PayoutShown } from './engine/payouts/payout-shown.ts'
export {
  type EmojiTip,
  type MemberPreferences,
  NOTHING_CHOSEN,
  type Preferences,
  type ServerDefaults,
  type ServerPreferences,
} from './engine/preferences/preferences.ts'
export type { BookedValue } from './engine/prices/noted-prices.ts'
export type { AwaitedReward, FromPool } from './engine/spending/spending.ts'
export type { Faucet, FaucetShare } from './faucet/faucet.ts'
export type {
  ClaimPrize,
  EditGiveaway,
  GiveawayClaims,
  GiveawayEdit,
  GiveawayEntered,
  GiveawayEntrants,
  GiveawayPrize,
  GiveawayProof,
  GiveawayRerollView,
  GiveawayState,
  Giveaways,
  GiveawayTerms,
  GiveawayView,
  NamedWinner,
  PlannedEdit,
} from './giveaways/giveaways.ts'
export { RECORD_KINDS, type RecordKind } from './guild-of-record.ts'
export type { BookedAs, ExportedLine, History, HistoryPage, MemberLine, PaymentReceipt } from './history/history.ts'
export {
  type AnonymousTipsPage,
  type Insights,
  type LeaderboardView,
  type Ranked,
  type RecapView,
  type ServerChange,
  SPANS,
  type Span,
  type StatsView,
} from './insights/insights.ts'
export type { InvoicedTips, InvoicedTipView, TipNotSentReason } from './invoiced-tips/invoiced-tips.ts'
export type { InvoiceCommand, InvoiceView } from './invoices/invoices.ts'
export type { ConnectedRoles, LinkedRoles, RoleFigures } from './linked-roles/linked-roles.ts'
export type { Link, Unlinked } from './links/links.ts'
export {
  type MessageTipCommand,
  type MessageTips,
  type MessageTipsView,
  type ReactionCommand,
  ZAP,
} from './message-tips/message-tips.ts'
export type {
  ConnectedWallet,
  ConnectOutcome,
  ConnectProblem,
  OwnWallet,
  OwnWallets,
  PromiseView,
  Spendable,
  WalletInvitation,
  WalletInvited,
} from './own-wallets/own-wallets.ts'
export {
  type BudgetView,
  type ExportedPoolLine,
  type FundraiserView,
  PERIODS,
  type Period,
  type PoolGiftView,
  type PoolLine,
  type Pools,
  type PoolView,
} from './pools/pools.ts'
export type { OpenSats, Privacy } from './privacy/privacy.ts'
export {
  type CallBudget,
  type CallsWanted,
  type PermitsAsked,
  type PermitsGranted,
  URGENCIES,
  type Urgency,
} from './processes/call-budget.ts'
export type { ShardSession, ShardSessions, Shards, ShardsTaken } from './processes/shards.ts'
export type { Rain } from './rain/rain.ts'
export { type ListFault, type ListOutcome, type ListPreview, MAX_LIST_BYTES, type WrongLine } from './rewards/lists.ts'
export { MAX_REWARD_REASON, type Rewards, type RewardView, type SpendingKind } from './rewards/rewards.ts'
export { RECIPE_NAMES, type RecipeName, unusedTerm } from './rules/recipes.ts'
export type { RuleEvent, Rules, RuleView } from './rules/rules.ts'
export { MAX_TIMES, SCHEDULED, type ScheduleHelp, type Schedules, type ScheduleView } from './schedules/schedules.ts'
export {
  isToldIn,
  type ServerEvent,
  type ServerEventPage,
  type ServerEvents,
  type WebhookSight,
} from './server-events/server-events.ts'
export {
  MAX_PARTS_TEXT,
  MAX_SPLIT_NAME,
  type SplitPart,
  type SplitPreview,
  type Splits,
  type SplitView,
} from './splits/splits.ts'
export {
  MAX_NOTE,
  type PromisedShareState,
  type ReceiptView,
  type ShareState,
  type TipShare,
  type TipView,
} from './tips/tips.ts'
export {
  type BatchCode,
  type BatchCommand,
  MAX_BATCH,
  MAX_BATCH_DAYS,
  type VoucherBatches,
  type VoucherBatchView,
} from './vouchers/voucher-batches.ts'
export type { RedemptionView, Vouchers, VoucherView } from './vouchers/vouchers.ts'
export type { WindDownNoticeView, WindDowns, WindDownView } from './wind-down/wind-down.ts'
export type { Forwarding, ForwardingView } from './withdrawals/forwarding.ts'
export type { Withdrawals, WithdrawalView } from './withdrawals/withdrawals.ts'

/**
 * Members and their sats: the bot's public API for everything that moves money. It deals with members (by their
 * immutable Discord ids), sats and records, but not with messages. Every verb either succeeds completely, or throws a
 * TippingRefusal and moves nothing. Texts that a person typed arrive unchecked, and are read here.
 */
export interface Tipping {
  readonly cards: Cards
  /** Returns a record's server; null for a private conversation, and undefined if there is no such record. */
  guildOf(kind: RecordKind, id: string): Promise<string | null | undefined>

  readonly links: Links
  readonly ownWallets: OwnWallets
  readonly linkedRoles: LinkedRoles
  readonly forwarding: Forwarding
  readonly balances: Balances
  readonly tips: Tips
  readonly claims: Claims
  readonly deposits: Deposits
  readonly invoices: Invoices
  readonly addresses: Addresses
  readonly windDown: WindDowns
  readonly withdrawals: Withdrawals
  readonly vouchers: Vouchers
  readonly voucherBatches: VoucherBatches
  readonly drops: Drops
  readonly rain: Rain
  readonly preferences: Preferences
  readonly messageTips: MessageTips
  readonly announcements: Announcements
  readonly invoicedTips: InvoicedTips
  readonly pools: Pools
  readonly rewards: Rewards
  readonly splits: Splits
  readonly apiKeys: ApiKeys
  readonly serverEvents: ServerEvents
  readonly rules: Rules
  readonly schedules: Schedules
  readonly insights: Insights
  readonly history: History
  readonly faucet: Faucet
  readonly privacy: Privacy
  /** Returns an amount's value in another currency, for display; undefined if no fresh price is known. */
  fiatValue(amount: Msats): FiatValue | undefined
  /**
   * Converts a sum in another currency to whole sats at the present price; undefined if no fresh price is known. See
   * `Rates.toMsats`.
   */
  inSats(currency: string, value: string): Msats | undefined
  readonly asks: Asks
  readonly giveaways: Giveaways
  /** The division of Discord's shards among the book's bots. */
  readonly shards: Shards
  /** The division, among the book's processes, of the calls a second that this bot may make to Discord. */
  readonly callBudget: CallBudget
  readonly administration: TippingAdministration

  /**
   * Finds out whether a verb would be refused, and why, without writing or sending anything. Resolves to whether the
   * giver needs to confirm. Refusals that only writing causes are not found. `claims` is the member whose waiting tips
   * are claimed before the verb runs. `foresee` receives the tip that would be written, which has no id and no card
   * yet.
   */
  dryRun(
    run: (api: Tipping) => Promise<unknown>,
    claims?: string,
    foresee?: (tip: ForeseenTip) => void,
  ): Promise<'goes' | 'asks'>

  /**
   * Notes a call to the callback address with this token. Resolves when the hint is durably stored. The hint proves
   * nothing, so the resource is read again. Resolves to `unknown` if no such token was ever given out. `said` is the
   * call's body as JSON. The body is shown as the provider's statement if nothing can be read from the provider, but is
   * never trusted.
   */
  hint(token: string, said?: unknown): Promise<'noted' | 'unknown'>

  /** Proves that the book is consistent, and compares the book with the provider's wallet. */
  audit(): Promise<Audit>
  /** What the provider has reported about its support of BOLT12 offers. */
  readonly offers: ProviderOffers
  /** Whether members have balances here. If not, tips only go from wallet to wallet. */
  readonly holdsSats: boolean
  /** Whether the sats are test sats; false while the provider's network is unknown. */
  readonly testMoney: boolean
  /**
   * Resolves when no work is left for now: hints have been read, and payouts have ended or wait until a pause is over.
   * This method is for tests and tours.
   */
  settled(): Promise<void>
  close(): Promise<void>
}
