import type { Credit, Holdings } from './holdings.ts'

/**
 * A tip to a newcomer or for a message; only the end of the world shows whether its recipient has received the sats.
 */
export interface UnclaimedTip {
  readonly tip: string
  readonly sender: string
  readonly recipient: string
  readonly amount: bigint
}

/** A tip that is sent once its invoice is paid, as shown to its giver. */
export interface InvoicedTip {
  readonly from: string
  readonly to: readonly string[]
  readonly total: bigint
}

/** A drop as shown to its owner. */
export interface ShownDrop {
  readonly owner: string
  readonly share: bigint
  readonly shares: bigint
  readonly draw: boolean
  readonly codes: boolean
}

/** A giveaway as shown to its starter. */
export interface ShownGiveaway {
  readonly starter: string
  readonly prize: bigint
  readonly winners: bigint
}

/** The id that stands for the giver in payments from the server's pool. */
export const POOL = 'pool:guild'

/** An action on a wallet page that was shown to its user as done. */
export interface SeenOnPage {
  readonly user: string
  readonly amount: bigint | undefined
  readonly receiver: string | undefined
}

/**
 * A payment that a user confirmed on their wallet page, with the external wallet's amount and the highest routing cost.
 */
export interface PaidFromPage {
  readonly user: string
  readonly amount: bigint
  readonly limit: bigint
}

/** A reward as shown to a moderator; its state is `asked` while nobody has seen its end. */
export interface ShownReward {
  readonly recipient: string
  readonly amount: bigint
  readonly state: 'asked' | 'paid' | 'denied'
  /**
   * Whether the reward is a tip, rain, drop or the like; once given, such a reward is judged like any gift of its kind.
   */
  readonly isGift: boolean
}

/**
 * The model of the balances that everybody must have at the end. Only people's actions and observations feed the model.
 * An operation whose end nobody saw is noted as it was shown, and the final proof reads its end from the records.
 * `here` is a member's balance in the bot, plus the sums that were forwarded to their gamertag wallet.
 */
export class Model implements Holdings {
  /** Msats by member. A balance may be negative for a moment if a tip is reported before the deposit that covers it. */
  readonly here = new Map<string, bigint>()
  /** Msats by user of the service, without the bot's payouts. */
  readonly users = new Map<string, bigint>()
  /** Msats that the stranger's project gave, less the returned sums. */
  stranger = 0n
  /** Msats that arrived from outside for invoices that were also paid inside the books. */
  suspended = 0n
  /** Msats of the bot that the service keeps reserved for payments whose end the node never reports. */
  reserved = 0n
  /** Msats in the server's pool. */
  pool = 0n
  /** Msats that the operator gave through the faucet. */
  fromFaucet = 0n
  /** Recipients of the faucet's shares, each with the time until which the recipient gets no other share. */
  readonly shares = new Set<string>()
  readonly unclaimed: UnclaimedTip[] = []
  /** Invoiced tips, by the ids of the deposits that pay for them. */
  readonly invoiced = new Map<string, InvoicedTip>()
  /** The presses on messages that were counted as tips. */
  readonly pressed = new Set<string>()
  /** The recipient of each service invoice that somebody meant to pay inside the books, by invoice. */
  readonly meant = new Map<string, Credit>()
  /** Users' payments from their wallet pages to external wallets, by invoice. */
  readonly paidFromPages = new Map<string, PaidFromPage>()
  /** Users' finished actions on their wallet pages, by the address of the resulting page. */
  readonly seen = new Map<string, SeenOnPage>()
  readonly drops = new Map<string, ShownDrop>()
  /** The shares of drops that were shown to the people who pressed, by drop and member. */
  readonly given = new Map<string, bigint>()
  /** People who were told that they entered a draw, by drop or giveaway, and member. */
  readonly entered = new Set<string>()
  readonly giveaways = new Map<string, ShownGiveaway>()
  /** People who were told that a prize that they had to claim is theirs, by giveaway and member. */
  readonly claimedPrizes = new Set<string>()
  /** The prizes that were drawn later, as giveaway and member, by id. */
  readonly redrawn = new Map<string, string>()
  readonly rewards = new Map<string, ShownReward>()
  /** Values of redeemed codes, by redemption; undefined while the value is unknown. */
  readonly redeemed = new Map<string, { readonly member: string; readonly amount: bigint | undefined }>()
  /** Sums that arrived from outside, each with its recipient, by payment hash. */
  readonly arrived = new Map<string, { readonly amount: bigint; readonly credit: Credit }>()

  give(member: string, amount: bigint): void {
    if (member === POOL) {
      this.pool += amount
      return
    }
    this.here.set(member, (this.here.get(member) ?? 0n) + amount)
  }

  pay(user: string, amount: bigint): void {
    this.users.set(user, (this.users.get(user) ?? 0n) + amount)
  }

  /** Returns a copy that can be changed independently. */
  copy(): Model {
    const copy = Object.assign(new Model(), this)
    return Object.assign(copy, { here: new Map(this.here), users: new Map(this.users) })
  }
}
