import type { Msats } from '../../lib/money/amount.ts'
import type { RefusalCode } from '../core/tipping-refusal.ts'
import type { Origin } from '../engine/cards/cards.ts'
import type { PendingTip, TipCommand } from '../engine/gifts/gifts.ts'
import type { PaymentByHand } from '../engine/own-wallets/view-by-hand.ts'
import type { MessageTipCommand, MessageTipsView, ReactionCommand } from '../message-tips/message-tips.ts'
import type { TipView } from '../tips/tips.ts'

/**
 * Tips for givers whose balance may be too small: instead of a refusal, the giver gets an invoice for the missing sum.
 * As soon as the invoice is paid, the tip is sent. Each command gives only once, no matter how it is paid.
 */
export interface InvoicedTips {
  /** Works like `tips.ask`. In a bot without balances, a giver without a wallet gets the recipient's own invoice. */
  ask(command: TipCommand & Announced): Promise<TipView | PendingTip | InvoicedTipView | PaymentByHand>
  /** Works like `messageTips.ask`. */
  askForMessage(command: MessageTipCommand & Announced): Promise<MessageTipsView | PendingTip | InvoicedTipView>
  /** Works like `messageTips.react`. */
  react(command: ReactionCommand & Announced): Promise<MessageTipsView | InvoicedTipView | undefined>
  /** Returns the tip that is sent when this deposit is paid; undefined for other deposits. */
  view(deposit: string): Promise<InvoicedTipView | undefined>
}

/** The place where a tip is announced that is sent only after its command was answered. */
export interface Announced {
  readonly announced: Origin
}

export interface InvoicedTipView {
  readonly deposit: string
  /** The deposit's card, which shows the invoice to the giver alone. */
  readonly card: string
  readonly from: string
  readonly to: readonly string[]
  readonly total: Msats
  /** The missing sum, which is to be paid by invoice. The rest comes from the giver's balance. */
  readonly missing: Msats
  /**
   * The tip's state.
   * - `waiting`: the tip is sent as soon as the invoice is paid.
   * - `over`: nobody paid the invoice in time. A late payment stays in the giver's balance.
   * - `sent`: the invoice was paid, and the tip was sent at the same moment.
   * - `kept`: the invoice was paid, but the tip could not be sent, so the sats are in the giver's balance.
   */
  readonly state: 'waiting' | 'over' | 'sent' | 'kept'
  /** The reason why a `kept` tip was not sent. */
  readonly because: TipNotSentReason | undefined
  /** The time from which the invoice can no longer be paid. */
  readonly until: Date
  /** The recipients without their own wallet, because of whom the giver's connected wallet cannot pay. */
  readonly withoutWallet: readonly string[]
}

/**
 * The code with which the tip was refused when it was paid, or
 * - `late`: the tip was paid too late.
 * - `sent-before`: the same command was paid in another way.
 * - `unexpected`: another error occurred, which the log explains.
 */
export type TipNotSentReason = RefusalCode | 'late' | 'sent-before' | 'unexpected'
