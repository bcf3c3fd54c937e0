import type { Msats } from '../lib/money/amount.ts'
import type { Addresses } from './addresses/addresses.ts'
import type { TippingAdministration } from './administration/administration.ts'
import type { FiatValue } from './amounts/rates.ts'
import type { Cards, Origin } from './cards.ts'
import type { Drops } from './drops/drops.ts'
import type { Giveaways } from './giveaways/giveaways.ts'
import type { Insights } from './insights/insights.ts'
import type { MessageTips } from './message-tips/message-tips.ts'
import type { Pools } from './pools/pools.ts'
import type { Preferences } from './preferences/preferences.ts'
import type { Rain } from './rain/rain.ts'
import type { Rewards } from './rewards/rewards.ts'
import type { Vouchers } from './vouchers/vouchers.ts'
import type { Withdrawals } from './withdrawals/withdrawals.ts'

export { LedgerUnavailable } from '../ledger/ledger.ts'
export type { AddressArrival, Addresses, AddressView } from './addresses/addresses.ts'
export type {
  AlertView,
  BookingView,
  DecidableKind,
  DecisionView,
  PaymentOutcome,
  ProposedDecision,
  Proven,
  StatusView,
  TippingAdministration,
  UnknownPayment,
} from './administration/administration.ts'
export type { FiatValue } from './amounts/rates.ts'
export type { Card, CardKind, Cards, Origin } from './cards.ts'
export type { Claimant, DropClaimView, DropCommand, Drops, DropView, PuzzleKind } from './drops/drops.ts'
export type {
  GiveawayEntered,
  GiveawayPrize,
  GiveawayProof,
  GiveawayRerollView,
  GiveawayState,
  Giveaways,
  GiveawayView,
} from './giveaways/giveaways.ts'
export {
  type Insights,
  type LeaderboardView,
  type Ranked,
  SPANS,
  type Span,
  type StatsView,
} from './insights/insights.ts'
export type { MessageTipCommand, MessageTips, MessageTipsView } from './message-tips/message-tips.ts'
export {
  type BudgetView,
  type FundraiserView,
  PERIODS,
  type Period,
  type PoolGiftView,
  type PoolLine,
  type Pools,
  type PoolView,
} from './pools/pools.ts'
export type { MemberPreferences, Preferences, ServerPreferences } from './preferences/preferences.ts'
export type { Rain } from './rain/rain.ts'
export type { Rewards, RewardView } from './rewards/rewards.ts'
export { type RefusalCode, type RefusalFacts, TippingRefusal } from './tipping-refusal.ts'
export type { RedemptionView, Vouchers, VoucherView } from './vouchers/vouchers.ts'
export type { Withdrawals, WithdrawalView } from './withdrawals/withdrawals.ts'

/**
 * Members and their sats: the bot's public API for all that moves money. It speaks of members (by their immutable
 * Discord id), sats and records; it knows nothing of messages. Every verb either does the whole of what it says, or
 * throws a TippingRefusal and nothing moved. Texts that a person typed come in unchecked and are read here, at one place.
 */
export interface Tipping {
  readonly cards: Cards

  /** Binds a member to the Lightning account that owns a gamertag now. From then on the gamertag may change. */
  link(command: { member: string; gamertag: string; origin: Origin }): Promise<Link>
  unlink(command: { member: string; origin: Origin }): Promise<Link>
  /** Everything about a member's own money. Also notes that this person uses the bot. */
  balance(member: string): Promise<BalanceView>
  /** What a member can give, and nothing else of it; nobody is noted. */
  available(member: string): Promise<Msats>

  /** Pays every recipient. One record, one card, one entry a recipient. */
  tip(command: TipCommand): Promise<TipView>
  /** The same, or, for more than goes with one word here, what its giver must confirm; nothing has moved then. */
  askTip(command: TipCommand): Promise<TipView | PendingTip>
  confirmTip(command: { asked: string; member: string; origin: Origin }): Promise<TipView>
  tipView(id: string): Promise<TipView>
  /** One recipient's share, as they are told of it privately. */
  receiptView(share: string): Promise<ReceiptView>
  /** Takes everything that is unclaimed for a member. */
  claim(command: { member: string; origin: Origin }): Promise<ClaimView>
  claimView(id: string): Promise<ClaimView>

  /** A charge at the provider that fills the member's balance here when it is paid. */
  deposit(command: { member: string; amount: string; origin: Origin }): Promise<DepositView>
  depositView(id: string): Promise<DepositView>
  /** A charge at the provider that pays the member's own gamertag. */
  invoice(command: InvoiceCommand): Promise<InvoiceView>
  invoiceView(id: string): Promise<InvoiceView>

  readonly addresses: Addresses
  readonly withdrawals: Withdrawals
  readonly vouchers: Vouchers
  readonly drops: Drops
  readonly rain: Rain
  readonly preferences: Preferences
  readonly messageTips: MessageTips
  readonly pools: Pools
  readonly rewards: Rewards
  readonly insights: Insights
  /** What an amount is worth in other money, for show; undefined where no fresh price is known. */
  fiatValue(amount: Msats): FiatValue | undefined
  /** What a sum of other money comes to now, in whole sats; undefined where no fresh price is known. As `Rates.toMsats`. */
  inSats(currency: string, value: string): Msats | undefined
  readonly giveaways: Giveaways
  readonly administration: TippingAdministration

  /**
   * Finds out, by reading alone, what a verb would be refused for: runs it with an API by which nothing is written or
   * sent. Resolves to whether whoever gives would be asked first. What only the writing itself can tell is not found.
   */
  dryRun(run: (api: Tipping) => Promise<unknown>): Promise<'goes' | 'asks'>

  /**
   * Somebody called the callback address with this token. Resolves when the hint is durable; nothing is believed, the
   * resource is read again. `unknown` when no such token was ever given out. `said` is the body of the call, as JSON:
   * it is shown as the provider's word where there is no way to read, and never believed.
   */
  hint(token: string, said?: unknown): Promise<'noted' | 'unknown'>

  /** Proves the book and compares it with the provider's wallet. */
  audit(): Promise<Audit>
  /** Whether the amounts are real money: false unless the provider is known to be on mainnet. */
  readonly testMoney: boolean
  /** Resolves when nothing is left to do now: hints read, payouts ended or waiting for a pause. For tests and tours. */
  settled(): Promise<void>
  close(): Promise<void>
}

export interface Link {
  readonly lightningId: string
  /** As it is now; it may change at any time. */
  readonly gamertag: string
}

export interface BalanceView {
  readonly available: Msats
  /** Reserved for payments that have not ended. */
  readonly inFlight: Msats
  /** Waiting to be claimed, with the time when the first of it goes back. */
  readonly unclaimed: { readonly amount: Msats; readonly count: number; readonly until: Date } | undefined
  /** Tips of this member's own that wait for newcomers. */
  readonly waitingForOthers: Msats
  readonly link: Link | undefined
  /** All that was ever paid to the member's own gamertag wallet, which cannot be read from here. */
  readonly sentToGamertag: Msats
  readonly openDeposits: readonly DepositView[]
}

export interface Recipient {
  readonly id: string
  readonly bot: boolean
}

export interface TipCommand {
  readonly from: string
  readonly to: readonly Recipient[]
  /** As typed: `500`, `2.5k`, `all`, … */
  readonly amount: string
  /** Each gets a share of the amount instead of the amount. */
  readonly split?: boolean
  readonly note?: string
  /** What the sender is called, for recipients who read it in their wallet. */
  readonly fromName?: string
  /** When the sender's Discord account was made; young ones may give less. */
  readonly accountSince?: Date
  readonly origin: Origin
}

/** A large tip that waits for a confirmation. */
export interface PendingTip {
  readonly asked: string
  readonly total: Msats
  readonly recipients: number
  /** What goes with one word. */
  readonly most: Msats
}

export interface TipView {
  readonly id: string
  readonly card: string
  readonly from: string
  readonly note: string
  readonly total: Msats
  readonly shares: readonly TipShare[]
  readonly createdAt: Date
}

export interface ReceiptView {
  readonly from: string
  readonly amount: Msats
  readonly note: string
  /** From a server's pool, by a moderator. */
  readonly reward: boolean
  readonly guild: string | undefined
  readonly channel: string
  /** The message that was tipped. */
  readonly message: string | undefined
}

/**
 * How one recipient's share stands.
 * - `credited`: in the recipient's balance here; final.
 * - `sending`: on its way from there to the recipient's gamertag.
 * - `unknown`: the provider has not said whether it arrived; being looked into, nothing to do.
 * - `paid`: in the recipient's gamertag wallet.
 * - `kept`: the payout was refused for certain, so it stayed in the recipient's balance here.
 * - `parked`, `claimed`, `returned`: waits for a newcomer; taken; gone back to the sender.
 */
export type ShareState = 'credited' | 'sending' | 'unknown' | 'paid' | 'kept' | 'parked' | 'claimed' | 'returned'

export interface TipShare {
  readonly recipient: string
  readonly amount: Msats
  readonly state: ShareState
  readonly transactionId?: string
  /** Why a payout stayed here. */
  readonly because?: NotSentReason
  /** The same in the provider's words, where it said something. */
  readonly reason?: string
  /** When a unclaimed share goes back. */
  readonly until?: Date
}

/**
 * Why a payout was kept in the balance here.
 * - `refused`: the provider said no.
 * - `unreachable`: the provider could not be reached, and nothing was sent.
 * - `paused`: nothing leaves at the moment.
 * - `interrupted`: the bot was stopped before it was sent.
 * - `unlinked`: the member unlinked, or the link is frozen.
 * - `misdirected`: it reached somebody else; the operator has made it good here, and the link is frozen.
 */
export type NotSentReason = 'refused' | 'unreachable' | 'paused' | 'interrupted' | 'unlinked' | 'misdirected'

/** How money that was credited, and sent on where its owner is linked, stands. */
export interface PayoutShown {
  readonly state: 'credited' | 'sending' | 'unknown' | 'paid' | 'kept'
  readonly transactionId?: string
  readonly because?: NotSentReason
  readonly reason?: string
}

/** `sending`, `unknown`, `paid`, `kept` when the member is linked and the sum went on to the gamertag wallet. */
export interface ClaimView extends PayoutShown {
  readonly id: string
  readonly card: string
  readonly member: string
  readonly amount: Msats
  readonly shares: readonly { readonly from: string; readonly amount: Msats }[]
}

export interface DepositView {
  readonly id: string
  readonly card: string
  readonly member: string
  readonly amount: Msats
  /** `closed`: can no longer be paid. Late payments are credited all the same. */
  readonly state: 'open' | 'paid' | 'closed'
  /** What a wallet scans: an LNURL-pay code. */
  readonly request: string
  readonly paidAt?: Date
}

export interface InvoiceCommand {
  readonly member: string
  readonly amount: string
  readonly description?: string
  readonly expiresInMinutes?: number
  readonly origin: Origin
}

export interface InvoiceView {
  readonly id: string
  readonly card: string
  readonly member: string
  readonly gamertag: string
  readonly amount: Msats
  readonly description: string
  /** `paid`: read back from the provider. `reported`: the provider said so, but offers no way to read it. */
  readonly state: 'open' | 'paid' | 'reported' | 'expired'
  /** BOLT11. */
  readonly request: string
  readonly expiresAt: Date
  readonly paidAt?: Date
}

/** The comparison of the books with the wallet (the cover formula), in msats. */
export interface Audit {
  readonly holds: boolean
  readonly faults: readonly string[]
  /** What we owe: members, pools, held, pots, suspense. */
  readonly owed: Msats
  /** E: what the provider must hold by our books. */
  readonly expected: Msats
  /** X: what may have left unseen. Y: what may have arrived unseen. */
  readonly mayHaveLeft: Msats
  readonly mayHaveArrived: Msats
  /** Get Wallet; undefined when the provider could not be reached. */
  readonly wallet: Msats | undefined
  readonly operator: bigint
  /** Received, owner unclear. */
  readonly suspense: Msats
  readonly openOperations: number
  readonly at: Date
}
