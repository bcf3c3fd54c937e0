import type { AccountName } from './chart.ts'

/** An account holds less than the change takes from it. Nothing was written. */
export class InsufficientFunds extends Error {
  override name = 'InsufficientFunds'
  readonly account: AccountName
  /** The account's balance, in msats. */
  readonly balance: bigint
  /** The missing amount, in msats. */
  readonly missing: bigint

  constructor(account: AccountName, balance: bigint, missing: bigint) {
    super(`${account.kind} ${account.owner} holds ${balance} msats, ${missing} too few`)
    this.account = account
    this.balance = balance
    this.missing = missing
  }
}

/** The journal already contains this step of the operation, or the operation has ended. Nothing was written. */
export class AlreadyWritten extends Error {
  override name = 'AlreadyWritten'
  readonly operation: string
  readonly step: string

  constructor(operation: string, step: string) {
    super(`${operation} already has the step "${step}", or has ended`)
    this.operation = operation
    this.step = step
  }
}

/**
 * The database refused before the COMMIT: nothing was written, and the same change may be tried again. An error of
 * COMMIT itself proves nothing, and ends the process instead of becoming this error
 * (`lib/database/engine/watch-commits.ts`).
 */
export class LedgerUnavailable extends Error {
  override name = 'LedgerUnavailable'

  constructor(cause: unknown) {
    super('the books could not be written; nothing happened', { cause })
  }
}
