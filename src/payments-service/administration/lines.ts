/** Records in the administration's lists. */

/** Amounts in msats. */
export interface FeeLine {
  /** The fees that payers were charged, and the number of payments. */
  readonly charged: string
  readonly payments: number
  /** The fees that nodes took beyond a limit. */
  readonly absorbed: string
  /** The part of `charged` whose fee no node reported. */
  readonly untold: string
  /** The known routing costs: fees that were charged and reported, and absorbed fees. */
  readonly cost: string
}

/** The Lightning node of a book. */
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

/** A sum that arrived and that no open invoice explains. */
export interface SuspenseLine {
  readonly receiptId: string
  /** In msats. */
  readonly amount: string
  readonly reason: string
  /** The node and the payer know the payment by this hash. */
  readonly paymentHash: string
  readonly settledAt: string
  /** The payer's note; empty for none. */
  readonly note: string
  /**
   * The service's invoice with this payment hash, which was paid before in another way. Null if there is no such
   * invoice.
   */
  readonly invoice: {
    readonly purpose: string
    readonly resource: string
    readonly payee: string
    readonly paidBy: string | null
  } | null
  /** Null while it waits on the suspense account. `by`: who used the command line. */
  readonly given: { readonly to: string; readonly by: string; readonly reason: string; readonly at: string } | null
}

/** An open payment that may have left, or one whose decision somebody wants to correct. Amounts in msats. */
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

/** An operator's part in the decision about a payment. `proposed`: a second operator has yet to agree. */
export interface DecisionLine {
  readonly paymentId: string
  readonly outcome: string
  readonly state: string
  readonly by: string
  readonly evidence: string
  readonly at: string
  readonly secondBy: string | null
  readonly secondEvidence: string | null
  /** Whether it corrects an earlier decision. */
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
