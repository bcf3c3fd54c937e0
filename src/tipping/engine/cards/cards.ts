/**
 * The message that shows people a record (a tip, a deposit, a request for money) is a *card*: the front draws it from
 * the record's present state. The transaction that changes a record raises its card's revision, and the front shows
 * every card whose revision is ahead of the shown one. Every change is therefore shown, even if the process was killed
 * before it sent the message. If a card is shown twice, its content is the same.
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

/** The source of a command. */
export interface Origin {
  /** The command's unique id. An interaction that is delivered twice moves money only once. */
  readonly interaction: string
  /** The server (guild) id, or null in a private conversation. */
  readonly guild: string | null
  readonly channel: string
  /** The front's data for a later answer, such as a token that expires, in the front's own format. */
  readonly reply: string
  /** The language of the command, as a BCP 47 tag. */
  readonly locale: string
  /** The requested amount in another currency: an ISO 4217 code and a plain decimal, as in `USD 0.50`. */
  readonly asked?: string | undefined
}

export interface Card {
  readonly id: string
  readonly kind: CardKind
  /** The record's id. */
  readonly record: string
  /** Who sees the card: everybody in the channel, or this member alone. */
  readonly audience: { readonly channel: string } | { readonly member: string }
  /** The command that this card answers; undefined if the card is a separate message. */
  readonly origin: Origin | undefined
  /** The message that now shows the card, in the front's own format. */
  readonly message: string | undefined
  readonly revision: number
  readonly shown: number
  readonly createdAt: Date
}

/** The id and the revision of a card, and the command that it answered, as a delivery read them. */
export type ReadCard = Pick<Card, 'id' | 'revision' | 'origin'>

export interface Cards {
  get(id: string): Promise<Card | undefined>
  /** Returns at most `limit` cards whose revision is ahead of the shown one, oldest first. */
  pending(limit: number): Promise<Card[]>
  /** Calls the listener whenever a card may be pending. Returns a function that ends the subscription. */
  subscribe(listener: () => void): () => void
  /**
   * Shows a private card in the answer to this command from now on. Returns the front's data for the answer that showed
   * the card before; undefined if there was none.
   */
  move(id: string, origin: Origin): Promise<string | undefined>
  /**
   * Records that the card was shown in the state in which it was read, and in which message. Ignores a revision older
   * than the recorded one. Ignores the message if the card has moved since it was read, because another answer now
   * shows the card.
   */
  shown(card: ReadCard, message?: string): Promise<void>
  /**
   * Records that a card could not be shown because its message was deleted or private messages are closed. A private
   * card is then shown with the member's next command; a public one is given up.
   */
  undeliverable(id: string, revision: number): Promise<void>
  /** Returns the cards that did not reach a member, to be shown with the member's next command. */
  untold(member: string): Promise<Card[]>
}
