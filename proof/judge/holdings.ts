/** Everybody's balance, in msats, as the judge adds it up. */
export interface Holdings {
  /** What each member has in the bot. */
  readonly here: Map<string, bigint>
  /** What each user of the service has. */
  readonly users: Map<string, bigint>
  /** The stranger's project's receipts less its gifts. */
  stranger: bigint
  /** What the server's pool holds. */
  pool: bigint
  give(member: string, amount: bigint): void
  pay(user: string, amount: bigint): void
}

/** A function that credits the recipient of a payment. */
export type Credit = (amount: bigint, holdings: Holdings) => void
