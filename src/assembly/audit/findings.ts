import type { ExpectedHolding, Proof } from '../../ledger/ledger.ts'

export type Side = 'bot' | 'service'

/** Something that is not as it must be. */
export interface Finding {
  readonly side: Side
  /** The operation, or the account's owner, where one is to blame. */
  readonly operation: string | undefined
  /** A sentence with all of the values. */
  readonly what: string
  /** What to do about it. */
  readonly advice: string
}

/** One side's book, looked at by itself. */
export interface BookReport {
  readonly side: Side
  readonly file: string
  /** Undefined when the file cannot be read as this version's book. */
  readonly proof: Proof | undefined
  readonly open: readonly ExpectedHolding[]
  readonly findings: readonly Finding[]
}

/** The two books against each other: E − X ≤ wallet ≤ E + Y, in msats. */
export interface CoverReport {
  readonly expected: bigint
  readonly mayHaveLeft: bigint
  readonly mayHaveArrived: bigint
  /** Undefined when the provider could not be asked. */
  readonly wallet: bigint | undefined
}

export interface AuditReport {
  readonly holds: boolean
  readonly at: Date
  readonly books: readonly BookReport[]
  readonly cover: CoverReport | undefined
  /** Why outgoing payments are paused, where they are. */
  readonly paused: readonly string[]
  readonly findings: readonly Finding[]
}

/** What to do, by what is wrong. */
export const ADVICE = {
  database: 'Stop this side. What to do is in the sentence itself; nothing was changed.',
  journal:
    'Somebody or something changed the database behind the program. Stop both sides, keep a copy of the file as evidence, and restore the last backup whose audit holds.',
  balance:
    'A balance was changed by hand, or a journal line was. Stop this side, keep a copy of the file as evidence, and restore the last backup whose audit holds.',
  holding:
    'Do not refund by hand. Keep a copy of the file and look for the operation in the log; if the record was edited by hand, restore the last backup whose audit holds.',
  short:
    'Withdrawals are paused until this is found. Look for payments in the provider’s history that the bot does not know; after a restore these are the payments made since the backup (docs/OPERATIONS.md, “After a restore”).',
  surplus:
    'Nobody is in danger. Somebody paid in without the bot knowing for whom; if it stays, it goes to suspense. Look in the provider’s history for a payment without a deposit.',
  operator:
    'Fees or losses used up the operator’s float, and withdrawals are paused. Pay at least as much into the provider’s wallet, and have two operators book it with /admin book (“Paid into the wallet”); what lies in suspense and is nobody’s, two give to the operator with /admin suspense, without a member.',
  wallet: 'Start the provider, or check PAYMENTS_BASE_URL and PAYMENTS_API_KEY; only half of the audit could be made.',
} as const
