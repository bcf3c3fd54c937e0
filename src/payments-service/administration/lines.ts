/** The records in the administration's lists. */

/** The sums of fees for sending, in msats. */
export interface FeeLine {
  /** The fees that payers were charged, and the number of their payments. */
  readonly charged: string
  readonly payments: number
  /** The fees that nodes took beyond the limits of payments. */
  readonly absorbed: string
  /** The part of `charged` for which no node reported a fee. */
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
  /** The amount in msats. */
  readonly amount: string
  readonly reason: string
  /** The hash by which the node and the payer identify the payment. */
  readonly paymentHash: string
  readonly settledAt: string
  /** The payer's note; empty if there is none. */
  readonly note: string
  /**
   * The service's invoice with this payment hash, which may have been paid before in another way; null if there is no
   * such invoice.
   */
  readonly invoice: {
    readonly purpose: string
    readonly resource: string
    readonly payee: string
    readonly paidBy: string | null
  } | null
  /**
   * To whom, why and when the sum was given; null while the sum is still on the suspense account. `by` is the person
   * who used the command line.
   */
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
  /** The operators' decision; null if there is none. */
  readonly decision: DecisionLine | null
}

/**
 * The decision of one or two operators about a payment. The state `proposed` means that a second operator has yet to
 * agree.
 */
export interface DecisionLine {
  readonly paymentId: string
  readonly outcome: string
  readonly state: string
  readonly by: string
  readonly evidence: string
  readonly at: string
  readonly secondBy: string | null
  readonly secondEvidence: string | null
  /** Whether this decision corrects an earlier one. */
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
