/** An account's name: its kind and its owner. */
export interface AccountName {
  readonly kind: string
  readonly owner: string
}

/**
 * The side of zero on which a kind's accounts must be: `credit` is zero or more (what we owe), `debit` zero or less
 * (what others hold for us), `either` is for the operator's own account.
 */
export type Sign = 'credit' | 'debit' | 'either'

/**
 * A book's chart of accounts: every kind that the book may use, with its sign. The database repeats the chart as a
 * CHECK.
 */
export type Chart = Readonly<Record<string, Sign>>

/** Whether a balance is on its kind's permitted side. */
export function standsWell(chart: Chart, kind: string, balance: bigint): boolean {
  const sign = chart[kind]
  if (sign === undefined) throw new Error(`the chart of accounts has no kind "${kind}"`)
  return sign === 'either' || (sign === 'credit' ? balance >= 0n : balance <= 0n)
}

/**
 * Converts an account's name to one string, for use as a key. Kinds are plain words, so the first colon separates kind
 * and owner.
 */
export function accountKey(account: AccountName): string {
  return `${account.kind}:${account.owner}`
}

/** Converts a key back to the account's name. */
export function accountOfKey(key: string): AccountName {
  const colon = key.indexOf(':')
  return { kind: key.slice(0, colon), owner: key.slice(colon + 1) }
}
