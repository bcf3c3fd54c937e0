/** A tip of which it is read at the end whether its recipient has it: that of a newcomer, or for a message. */
export interface Parked {
  readonly tip: string
  readonly sender: string
  readonly recipient: string
  readonly amount: bigint
}

/**
 * What everybody must have at the end, by what they did and saw alone: nothing here is read from the books. `here` is
 * what a member has in the bot and what went on from there to a gamertag wallet, together.
 */
export class Model {
  /** Msats by member; may pass below zero for a moment, when the news of a tip comes before that of the deposit. */
  readonly here = new Map<string, bigint>()
  /** Msats by user of the service, payouts of the bot left out. */
  readonly users = new Map<string, bigint>()
  /** What the stranger's project gave away less what came back. */
  stranger = 0n
  /** What came from outside for what was paid inside the books at the same moment. */
  suspended = 0n
  /** Msats in the server's pool. */
  pool = 0n
  readonly parked: Parked[] = []
  /** The presses on messages whose tips are noted. */
  readonly pressed = new Set<string>()
  /** Whom an invoice of the service is for, by payment hash, where somebody meant to pay it inside the books. */
  readonly meant = new Map<string, (amount: bigint) => void>()
  /** What users of the service saw done on their page, by the address that it led to. */
  readonly seen = new Map<string, { readonly user: string; readonly amount: bigint | undefined }>()
  /** The shares of drops that were shown to whoever pressed, by drop and member. */
  readonly given = new Map<string, bigint>()
  /** What arrived from outside, by payment hash, and whom it is for. */
  readonly arrived = new Map<string, { readonly amount: bigint; readonly credit: (amount: bigint) => void }>()

  give(member: string, amount: bigint): void {
    this.here.set(member, (this.here.get(member) ?? 0n) + amount)
  }

  pay(user: string, amount: bigint): void {
    this.users.set(user, (this.users.get(user) ?? 0n) + amount)
  }
}
