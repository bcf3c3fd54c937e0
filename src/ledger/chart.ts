/** An account is named by its kind and by whom or what it belongs to. */
export interface AccountName {
  readonly kind: string
  readonly owner: string
}

/**
 * On which side of zero the accounts of a kind may stand: `credit` is zero or more (what we owe), `debit` zero or less
 * (what others hold for us), `either` is for the operator's own account.
 */
export type Sign = 'credit' | 'debit' | 'either'

/** A side's chart of accounts: every kind that its book may use. The database repeats it as a CHECK. */
export type Chart = Readonly<Record<string, Sign>>

/** Whether a balance is on the permitted side for its kind. */
export function standsWell(chart: Chart, kind: string, balance: bigint): boolean {
  const sign = chart[kind]
  if (sign === undefined) throw new Error(`the chart of accounts has no kind "${kind}"`)
  return sign === 'either' || (sign === 'credit' ? balance >= 0n : balance <= 0n)
}

/** One string for an account's name, to use as a key. Kinds are plain words, so the first colon separates. */
export function accountKey(account: AccountName): string {
  return `${account.kind}:${account.owner}`
}

/** The account that a key names. */
export function accountOfKey(key: string): AccountName {
  const colon = key.indexOf(':')
  return { kind: key.slice(0, colon), owner: key.slice(colon + 1) }
}
