/**
 * A client's request and its answer, as the client saw it. All times are of one clock, the clients' (ms): `asked` is
 * when the first attempt was sent, `answered` when the answer to the last one came; Infinity where none ever came.
 */
interface Call {
  readonly asked: number
  answered: number
}

/** Somebody moved an amount (msats) from one account to another. An account is its kind and its owner, with a space between. */
export interface AskedChange extends Call {
  readonly operation: string
  readonly from: string
  readonly to: string
  readonly amount: number
  /** The counter that the same change raises by one. */
  readonly counter: string | undefined
  /** `written`: it was done, by this attempt or an earlier one; `short`: refused, since the account held too little. */
  outcome: 'written' | 'short' | 'unknown'
}

/** Somebody read what an account holds. */
export interface Reading extends Call {
  readonly account: string
  readonly value: number
}

/** Somebody read all accounts at one moment: what they hold together. */
export interface Snapshot extends Call {
  readonly sum: number
}

export interface History {
  readonly changes: AskedChange[]
  readonly readings: Reading[]
  readonly snapshots: Snapshot[]
  /** When a database was about to crash. The latest reads may be gone with it. */
  readonly crashes: number[]
}

/** The operation that gave the accounts what they began with. */
export const BEGINNING = 'begin'

/** An empty one. */
export function beginHistory(): History {
  return { changes: [], readings: [], snapshots: [], crashes: [] }
}
