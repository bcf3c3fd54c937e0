import type { ExpectedHolding, Proof } from '../../ledger/ledger.ts'
import type { NodeComparison } from '../../payments-service/node-audit/compare-with-node.ts'

export type Side = 'bot' | 'service'

/** A difference that an audit found. */
export interface Finding {
  readonly side: Side
  /**
   * The id of the operation, or the owner of the account, to which the difference belongs; undefined if it has neither.
   */
  readonly operation: string | undefined
  /** What differs, as a sentence with all values. */
  readonly what: string
  /** The advice for an operator. */
  readonly advice: string
}

/** The audit of one side's book alone. */
export interface BookReport {
  readonly side: Side
  readonly file: string
  /** Undefined if the file cannot be read as this version's book. */
  readonly proof: Proof | undefined
  readonly open: readonly ExpectedHolding[]
  readonly findings: readonly Finding[]
}

/**
 * The comparison of the bot's book with the wallet, in msats: if both agree, `wallet` is at least `expected -
 * mayHaveLeft` and at most `expected + mayHaveArrived`.
 */
export interface CoverReport {
  readonly expected: bigint
  readonly mayHaveLeft: bigint
  readonly mayHaveArrived: bigint
  /** Undefined if the provider was not asked or did not answer. */
  readonly wallet: bigint | undefined
}

export interface NodeReport {
  readonly kind: string
  /** Undefined if the node could not be asked, or if it is not the node of the service's book. */
  readonly comparison: NodeComparison | undefined
  /** Noteworthy facts other than differences, as sentences. */
  readonly notes: readonly string[]
  readonly findings: readonly Finding[]
}

export interface AuditReport {
  readonly holds: boolean
  readonly at: Date
  readonly books: readonly BookReport[]
  readonly cover: CoverReport | undefined
  /**
   * The comparison of the service's book with its Lightning node; undefined if no node was asked, for example because
   * the service uses a sandbox, or the provider is another one.
   */
  readonly node: NodeReport | undefined
  /** The reasons why outgoing payments are paused; empty if they are not paused. */
  readonly paused: readonly string[]
  readonly findings: readonly Finding[]
}

/** The advice for each kind of difference. */
export const ADVICE = {
  database: 'Stop this side and follow the sentence above. The audit changed nothing.',
  journal:
    'Somebody or something changed the database behind the program. Stop both sides, keep a copy of the file as evidence, and restore the last backup whose audit holds.',
  balance:
    'Somebody changed a balance or a journal line by hand. Stop this side, keep a copy of the file as evidence, and restore the last backup whose audit holds.',
  holding:
    'Do not refund by hand. Keep a copy of the file and look for the operation in the log; if the record was edited by hand, restore the last backup whose audit holds.',
  sums: 'No sats are in danger. If nobody changed the database by hand, it is a bug: report it.',
  short:
    'Withdrawals are paused until you find the cause. Look in the provider’s history for payments that the bot does not know. After a restore these are the payments made since the backup (docs/incidents.md, “After a restore”).',
  surplus:
    'No sats are in danger. Somebody paid in, and the bot does not know for whom. If the surplus stays, it goes to suspense. Look in the provider’s history for a payment without a deposit.',
  operator:
    'Fees or losses used up the operator’s float, and withdrawals are paused. Pay at least as much into the provider’s wallet, and have two operators book it with /admin book (“Paid into the wallet”). Two operators can also give the operator the sats in suspense that have no owner, with /admin suspense without a member.',
  node: 'Fix that first. The book alone was audited.',
  missing:
    'Look at the node’s payments for one that Satchel did not send. What was taken out for the operator is paid back with an invoice: npm run -s admin -- project deposit.',
  end: 'Do not pay or refund by hand. Keep copies of the database and of what the node says about the payment hash, and look for it in the log.',
  wallet: 'Start the provider, or check PAYMENTS_BASE_URL and PAYMENTS_API_KEY. Only half of the audit was possible.',
} as const
