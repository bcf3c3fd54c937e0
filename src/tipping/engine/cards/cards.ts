/**
 * The message that shows people a record (a tip, a deposit, a request for money) is a *card*: it is drawn from the
 * record's present state. A card has a revision, raised in the transaction that changes its record; the front shows
 * every card whose revision is ahead of the shown one. So every change is shown, even if the process was killed before
 * the message, and showing it twice draws the same picture.
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

/** Where a command came from. Opaque to tipping, except that `interaction` makes a command unique. */
export interface Origin {
  /** Unique for each command that a person gives; the same interaction delivered twice moves money once. */
  readonly interaction: string
  /** The server (guild) id, or null in a private conversation. */
  readonly guild: string | null
  readonly channel: string
  /** The front's data for a later answer (a token that expires), as the front wrote it. */
  readonly reply: string
  /** BCP 47. */
  readonly locale: string
  /** The requested amount in another currency: an ISO 4217 code and a plain decimal, `USD 0.50`. */
  readonly asked?: string | undefined
}

export interface Card {
  readonly id: string
  readonly kind: CardKind
  /** The record's id. */
  readonly record: string
  /** Seen by everybody in the channel, or by this member alone. */
  readonly audience: { readonly channel: string } | { readonly member: string }
  /** The command that this card answers; undefined for its own message. */
  readonly origin: Origin | undefined
  /** The message that shows the card now, as the front wrote it when it was first shown. */
  readonly message: string | undefined
  readonly revision: number
  readonly shown: number
  readonly createdAt: Date
}

export interface Cards {
  get(id: string): Promise<Card | undefined>
  /** Cards whose revision is ahead of what was shown, oldest first, at most `limit`. */
  pending(limit: number): Promise<Card[]>
  /** Calls back whenever there may be something pending. Returns the function that ends it. */
  subscribe(listener: () => void): () => void
  /** Records that this revision was shown, and in which message. An older revision than recorded changes nothing. */
  shown(id: string, revision: number, message?: string): Promise<void>
  /**
   * Records that a card could not be shown (message deleted, private messages closed). A private one then comes with
   * the member's next command; a public one is given up.
   */
  undeliverable(id: string, revision: number): Promise<void>
  /** Messages that did not reach a member, shown with their next command. */
  untold(member: string): Promise<Card[]>
}
