/** Records in the administration's lists. */

/** Amounts in msats. */
export interface FeeLine {
  /** Fees that payers were charged, and the number of payments. */
  readonly charged: string
  readonly payments: number
  /** Fees that nodes took beyond a limit. */
  readonly absorbed: string
  /** The part of `charged` whose fee no node reported. */
  readonly untold: string
  /** Certain costs of routing: charged and told, and absorbed. */
  readonly cost: string
}

/** The Lightning node that a book belongs to. */
export interface NodeLine {
  readonly kind: string
  readonly pubkey: string
  readonly network: string
  readonly since: string
}

export interface ProjectLine {
  readonly projectId: string
  readonly name: string
  readonly createdAt: string
}

export interface UserLine {
  readonly userId: string
  readonly gamertag: string
  readonly createdAt: string
}

export interface KeyLine {
  readonly keyId: string
  readonly scopes: readonly string[]
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly revokedAt: string | null
}

/** Something that arrived and that no open invoice explains. */
export interface SuspenseLine {
  readonly receiptId: string
  /** Msats. */
  readonly amount: string
  readonly reason: string
  /** By this the node, and the payer, know the payment. */
  readonly paymentHash: string
  readonly settledAt: string
  /** The payer's note; empty for none. */
  readonly note: string
  /** The invoice of the service with this payment hash: it was paid before, in another way. Null if there is none. */
  readonly invoice: {
    readonly purpose: string
    readonly resource: string
    readonly payee: string
    readonly paidBy: string | null
  } | null
  /** Null while it waits on the suspense account. `by`: who was at the command line. */
  readonly given: { readonly to: string; readonly by: string; readonly reason: string; readonly at: string } | null
}

/** A payment that may have left and has no end, or whose decision somebody wants corrected. Amounts in msats. */
export interface OpenPaymentLine {
  readonly paymentId: string
  readonly kind: string
  readonly status: string
  readonly paymentHash: string
  readonly amount: string
  readonly maxFee: string
  readonly payer: string
  readonly createdAt: string
  readonly lookUps: number
  /** The operators' decision. */
  readonly decision: DecisionLine | null
}

/** An operator's words in the decision about a payment. `proposed`: a second operator has yet to agree. */
export interface DecisionLine {
  readonly paymentId: string
  readonly outcome: string
  readonly state: string
  readonly by: string
  readonly evidence: string
  readonly at: string
  readonly secondBy: string | null
  readonly secondEvidence: string | null
  /** Whether it is about an earlier decision, which was wrong. */
  readonly isCorrection: boolean
}

export interface CallbackLine {
  readonly messageId: string
  readonly projectId: string
  readonly resource: string
  readonly receiver: string
  readonly state: 'waiting' | 'dead-lettered'
  readonly attempts: number
  readonly createdAt: string
  readonly nextAttemptAt: string | null
  readonly lastError: string
}
