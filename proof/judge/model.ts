import type { Credit, Holdings } from './holdings.ts'

/** A tip of which it is read at the end whether its recipient has it: that of a newcomer, or for a message. */
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

/** A user's action on their wallet page that was shown as done: the person and the text that they chose. */
export interface SeenOnPage {
  readonly user: string
  readonly amount: bigint | undefined
  readonly receiver: string | undefined
}

/**
 * A payment that a user confirmed on their wallet page: the amount of the wallet out there, and the highest cost of the
 * way.
 */
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
  /** Something else than a reward for one person: once it is given, it is judged as what it is, with the pool as its giver. */
  readonly isGift: boolean
}

/**
 * The balances that everybody must have at the end. Until then it is fed by what they did and saw alone; what had no
 * end that anybody saw is noted as it was shown, and the last proof adds how it ended by the records. `here` is what a
 * member has in the bot and what went on from there to a gamertag wallet, together.
 */
export class Model implements Holdings {
  /** Msats by member; may pass below zero for a moment, when the news of a tip comes before that of the deposit. */
  readonly here = new Map<string, bigint>()
  /** Msats by user of the service, payouts of the bot left out. */
  readonly users = new Map<string, bigint>()
  /** The stranger's project's gifts less the sums that came back. */
  stranger = 0n
  /** Income from outside for an invoice that was paid inside the books at the same moment. */
  suspended = 0n
  /** The service's reserve of the bot's sats for payments whose end its node never tells. */
  reserved = 0n
  /** Msats in the server's pool. */
  pool = 0n
  /** Msats that the operator gave by the faucet. */
  fromFaucet = 0n
  /** Recipients of the faucet's shares, with the time until which there is no other for them. */
  readonly shares = new Set<string>()
  readonly unclaimed: UnclaimedTip[] = []
  /** By the id of the deposit. */
  readonly invoiced = new Map<string, InvoicedTip>()
  /** The presses on messages whose tips are noted. */
  readonly pressed = new Set<string>()
  /** Whom an invoice of the service is for, by payment hash, where somebody meant to pay it inside the books. */
  readonly meant = new Map<string, Credit>()
  /** Users' payments from their page to wallets out there, by invoice. */
  readonly paidFromPages = new Map<string, PaidFromPage>()
  /** Users' finished actions on their page, by the resulting address. */
  readonly seen = new Map<string, SeenOnPage>()
  readonly drops = new Map<string, ShownDrop>()
  /** The shares of drops that were shown to the person who pressed, by drop and member. */
  readonly given = new Map<string, bigint>()
  /** People who were told that they are in a draw: drop or giveaway, and member. */
  readonly entered = new Set<string>()
  readonly giveaways = new Map<string, ShownGiveaway>()
  /** People who were told that a prize is theirs which they had to claim, as giveaway and member. */
  readonly claimedPrizes = new Set<string>()
  /** The prizes that were drawn later, as giveaway and member, by id. */
  readonly redrawn = new Map<string, string>()
  readonly rewards = new Map<string, ShownReward>()
  /** Values of redeemed codes, by redemption; undefined while it was still being looked into. */
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

  /** The same once more, to be added to apart. */
  copy(): Model {
    const copy = Object.assign(new Model(), this)
    return Object.assign(copy, { here: new Map(this.here), users: new Map(this.users) })
  }
}
