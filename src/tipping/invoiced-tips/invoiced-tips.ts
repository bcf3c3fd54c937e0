import type { Msats } from '../../lib/money/amount.ts'
import type { RefusalCode } from '../core/tipping-refusal.ts'
import type { Origin } from '../engine/cards/cards.ts'
import type { PendingTip, TipCommand } from '../engine/gifts/gifts.ts'
import type { PaymentByHand } from '../engine/own-wallets/view-by-hand.ts'
import type { MessageTipCommand, MessageTipsView, ReactionCommand } from '../message-tips/message-tips.ts'
import type { TipView } from '../tips/tips.ts'

/**
 * Tips for givers whose balance may be too small: instead of a refusal, the giver gets an invoice for the missing sum.
 * As soon as it is paid, the tip is sent. A command gives once, no matter how it is paid.
 */
export interface InvoicedTips {
  /** Works like `tips.ask`. If nobody has a balance, a giver without a wallet gets the recipient's own invoice. */
  ask(command: TipCommand & Announced): Promise<TipView | PendingTip | InvoicedTipView | PaymentByHand>
  /** Works like `messageTips.ask`. */
  askForMessage(command: MessageTipCommand & Announced): Promise<MessageTipsView | PendingTip | InvoicedTipView>
  /** Works like `messageTips.react`. */
  react(command: ReactionCommand & Announced): Promise<MessageTipsView | InvoicedTipView | undefined>
  /** Returns the tip that this deposit sends when paid; undefined for other deposits. */
  view(deposit: string): Promise<InvoicedTipView | undefined>
}

/** The place of a tip that is sent after its command's answer. */
export interface Announced {
  readonly announced: Origin
}

export interface InvoicedTipView {
  readonly deposit: string
  /** The deposit's card: its invoice, for the giver alone. */
  readonly card: string
  readonly from: string
  readonly to: readonly string[]
  readonly total: Msats
  /** The missing sum to be paid. The rest comes from the giver's balance. */
  readonly missing: Msats
  /**
   * - `waiting`: it is sent as soon as it is paid.
   * - `over`: nobody paid in time. A late payment stays in the giver's balance.
   * - `sent`: it was paid, and the tip was sent at the same moment.
   * - `kept`: it was paid, but the tip could not be sent, so the sats are in the giver's balance.
   */
  readonly state: 'waiting' | 'over' | 'sent' | 'kept'
  /** Why the tip was not sent, for `kept`. */
  readonly because: TipNotSentReason | undefined
  /** When the invoice can no longer be paid. */
  readonly until: Date
  /** Recipients without their own wallet: because of them, the giver's connected wallet cannot pay. */
  readonly withoutWallet: readonly string[]
}

/**
 * The tip's refusal at the moment when it was paid, or
 * - `late`: it was paid too late.
 * - `sent-before`: the same command was paid in another way.
 * - `unexpected`: another error occurred, which the log explains.
 */
export type TipNotSentReason = RefusalCode | 'late' | 'sent-before' | 'unexpected'
