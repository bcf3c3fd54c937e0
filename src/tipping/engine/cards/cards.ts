/**
 * The message that shows people a record (a tip, a deposit, a request for money) is a *card*: the front draws it from
 * the record's present state. The transaction that changes a record raises its card's revision, and the front shows
 * every card whose revision is ahead of the shown one. So every change is shown, even if the process was killed
 * before it sent the message. Showing a card twice draws the same picture.
 */

/** The kind of record that a card shows. `…-paid` cards are separate messages about a settlement. */
export type CardKind =
  | 'tip'
  | 'deposit'
  | 'deposit-paid'
  | 'address-paid'
  | 'link-ended'
  | 'invoice'
  | 'invoice-paid'
  | 'claim'
  | 'withdrawal'
  | 'wind-down'
  | 'voucher'
  | 'voucher-gift'
  | 'voucher-batch'
  | 'redemption'
  | 'drop'
  | 'drop-claim'
  | 'drop-drawn'
  | 'rain'
  | 'tally'
  | 'fundraiser'
  | 'ask'
  | 'reward'
  | 'receipt'
  | 'wallet-invoice'
  | 'promise-given'
  | 'promise-received'
  | 'giveaway'
  | 'giveaway-ending'
  | 'schedule-short'
  | 'giveaway-sealed'
  | 'giveaway-drawn'
  | 'giveaway-reroll'
  | 'giveaway-redraw'
  | 'moderation-log'
  | 'recap'
  | 'interrupted'

/** The source of a command. Tipping reads only `interaction`, which makes a command unique. */
export interface Origin {
  /** Unique for each command that a person gives. An interaction that is delivered twice moves money once. */
  readonly interaction: string
  /** The server (guild) id, or null in a private conversation. */
  readonly guild: string | null
  readonly channel: string
  /** The front's data for a later answer, such as a token that expires, as the front wrote it. */
  readonly reply: string
  /** A BCP 47 language tag. */
  readonly locale: string
  /** The requested amount in another currency: an ISO 4217 code and a plain decimal, `USD 0.50`. */
  readonly asked?: string | undefined
}

export interface Card {
  readonly id: string
  readonly kind: CardKind
  /** The record's id. */
  readonly record: string
  /** Everybody in the channel sees it, or this member alone. */
  readonly audience: { readonly channel: string } | { readonly member: string }
  /** The command that this card answers; undefined if the card is a separate message. */
  readonly origin: Origin | undefined
  /** The message that shows the card now, as the front wrote it when it was first shown. */
  readonly message: string | undefined
  readonly revision: number
  readonly shown: number
  readonly createdAt: Date
}

/** The revision of the card that a delivery read, and the command that the card answered. */
export type ReadCard = Pick<Card, 'id' | 'revision' | 'origin'>

export interface Cards {
  get(id: string): Promise<Card | undefined>
  /** Returns cards whose revision is ahead of the shown one, oldest first, at most `limit`. */
  pending(limit: number): Promise<Card[]>
  /** Calls back whenever a card may be pending. Returns a function that ends the subscription. */
  subscribe(listener: () => void): () => void
  /**
   * Shows a private card in the answer to this command from now on. Returns the front's data of the answer that showed
   * it before; undefined if there was none.
   */
  move(id: string, origin: Origin): Promise<string | undefined>
  /**
   * Records that the card was shown as it was read, and in which message. Ignores a revision older than the recorded
   * one. Ignores the message if the card has moved since it was read, because another answer shows it.
   */
  shown(card: ReadCard, message?: string): Promise<void>
  /**
   * Records that a card could not be shown because its message was deleted or private messages are closed. A private
   * card then comes with the member's next command; a public one is given up.
   */
  undeliverable(id: string, revision: number): Promise<void>
  /** Returns messages that did not reach a member, to be shown with their next command. */
  untold(member: string): Promise<Card[]>
}
