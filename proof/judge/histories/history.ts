/**
 * A client's request and its answer, as the client saw them. All times are of the clients' one clock, in ms: `asked` is
 * the start of the first attempt, `answered` the last attempt's answer, or Infinity if none came.
 */
interface Call {
  readonly asked: number
  answered: number
}

/**
 * A client's request to move an amount (msats) from one account to another. An account is its kind and its owner, with
 * a space between.
 */
export interface AskedChange extends Call {
  readonly operation: string
  readonly from: string
  readonly to: string
  readonly amount: number
  /** The counter that the same change raises by one. */
  readonly counter: string | undefined
  /**
   * The outcome. `written`: this attempt or an earlier one made the change; `short`: it was refused, because the
   * account had too little.
   */
  outcome: 'written' | 'short' | 'unknown'
}

/** A client's reading of an account's balance. */
export interface Reading extends Call {
  readonly account: string
  readonly value: number
}

/** A client's reading of all accounts at one moment, as their sum. */
export interface Snapshot extends Call {
  readonly sum: number
}

export interface History {
  readonly changes: AskedChange[]
  readonly readings: Reading[]
  readonly snapshots: Snapshot[]
  /** Times just before a database crashed. The crash may have undone what was read last. */
  readonly crashes: number[]
}

/** The operation that gave the accounts their first balances. */
export const BEGINNING = 'begin'

/** Returns an empty history. */
export function beginHistory(): History {
  return { changes: [], readings: [], snapshots: [], crashes: [] }
}
