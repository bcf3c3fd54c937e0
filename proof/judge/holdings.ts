/** Everybody's balance, in msats, as the judge adds it up. */
export interface Holdings {
  /** By member: what they have in the bot. */
  readonly here: Map<string, bigint>
  /** By user of the service. */
  readonly users: Map<string, bigint>
  /** The stranger's project's receipts less its gifts. */
  stranger: bigint
  /** In the server's pool. */
  pool: bigint
  give(member: string, amount: bigint): void
  pay(user: string, amount: bigint): void
}

/** Whom something is for that can be paid. */
export type Credit = (amount: bigint, holdings: Holdings) => void
