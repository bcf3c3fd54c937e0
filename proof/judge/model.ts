import type { Credit, Holdings } from './holdings.ts'

/** A tip to a newcomer or for a message: the end of the world shows whether its recipient has it. */
export interface UnclaimedTip {
  readonly tip: string
  readonly sender: string
  readonly recipient: string
  readonly amount: bigint
}

/** A tip that is sent once its invoice is paid, as its giver was shown it. */
export interface InvoicedTip {
  readonly from: string
  readonly to: readonly string[]
  readonly total: bigint
}

/** A drop as its owner was shown it. */
export interface ShownDrop {
  readonly owner: string
  readonly share: bigint
  readonly shares: bigint
  readonly draw: boolean
  readonly codes: boolean
}

/** A giveaway as its starter was shown it. */
export interface ShownGiveaway {
  readonly starter: string
  readonly prize: bigint
  readonly winners: bigint
}

/** The giver of a payment from the server's pool. */
export const POOL = 'pool:guild'

/** A user's action on their wallet page that was shown as done, by person and text. */
export interface SeenOnPage {
  readonly user: string
  readonly amount: bigint | undefined
  readonly receiver: string | undefined
}

/** A payment that a user confirmed on their wallet page: the external wallet's amount, and the highest routing cost. */
export interface PaidFromPage {
  readonly user: string
  readonly amount: bigint
  readonly limit: bigint
}

/** A reward as a moderator was shown it; `asked` while nobody has seen its end. */
export interface ShownReward {
  readonly recipient: string
  readonly amount: bigint
  readonly state: 'asked' | 'paid' | 'denied'
  /** Whether the reward is not for one person: once given, it is judged as its kind of gift, from the pool. */
  readonly isGift: boolean
}

/**
 * The balances that everybody must have at the end. Only people's actions and observations feed it. It notes operations
 * whose end nobody saw as they were shown, and the final proof reads their ends from the records. `here` is a member's
 * balance in the bot, plus the sums that were forwarded to their gamertag wallet.
 */
export class Model implements Holdings {
  /** Msats by member. May be negative for a moment, if a tip is reported before its deposit. */
  readonly here = new Map<string, bigint>()
  /** Msats by user of the service, without the bot's payouts. */
  readonly users = new Map<string, bigint>()
  /** The stranger's project's gifts less the returned sums. */
  stranger = 0n
  /** Income from outside for invoices that were also paid inside the books. */
  suspended = 0n
  /** The service's reserve of the bot's sats for payments whose end its node never reports. */
  reserved = 0n
  /** Msats in the server's pool. */
  pool = 0n
  /** Msats that the operator gave through the faucet. */
  fromFaucet = 0n
  /** Recipients of the faucet's shares, and the time until which they get no other. */
  readonly shares = new Set<string>()
  readonly unclaimed: UnclaimedTip[] = []
  /** Invoices by the id of the deposit. */
  readonly invoiced = new Map<string, InvoicedTip>()
  /** The presses on messages that were counted as tips. */
  readonly pressed = new Set<string>()
  /** The recipient of a service's invoice, by payment hash, if somebody meant to pay it inside the books. */
  readonly meant = new Map<string, Credit>()
  /** Users' payments from their page to external wallets, by invoice. */
  readonly paidFromPages = new Map<string, PaidFromPage>()
  /** Users' finished actions on their page, by the resulting address. */
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
  /** Income from outside with its recipient, by payment hash. */
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
