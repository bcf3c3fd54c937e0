import type { Verification } from './verifications.ts'

/** The state of the payout of sats that somebody received, as people see it. */
export interface ShownPayout {
  readonly state: string
  readonly because?: string | undefined
  readonly transactionId?: string | undefined
}

export interface ShownShare extends ShownPayout {
  readonly recipient: string
  readonly amount: bigint
}

export interface ShownWithdrawal {
  readonly id: string
  readonly member: string
  readonly kind: string
  readonly amount: bigint
  readonly feeLimit: bigint
  readonly fee: bigint | undefined
  readonly state: string
}

export interface ShownVoucher {
  readonly id: string
  readonly member: string
  readonly amount: bigint
  readonly fee: bigint
  readonly state: string
}

/** The claims of prizes, round by round. */
export interface ShownClaims {
  readonly minutes: number
  readonly rounds: readonly {
    readonly drawnAt: string
    readonly until: string
    readonly named: readonly string[]
    readonly claimed: readonly { readonly member: string }[]
  }[]
  readonly settledAt: string | null
}

/** A draw with everything that is needed to recompute it. */
export interface ShownDraw {
  readonly id: string
  readonly proof:
    | {
        readonly seed: string
        readonly entrants: readonly {
          readonly member: string
          readonly interaction: string
          readonly chances?: number | undefined
        }[]
        readonly endedAt: string
        /** The end of the giveaway; absent from a draw by an old version. */
        readonly endsAt?: string
        readonly beacon?: { readonly round: number; readonly signature: string | null } | null
        /** The claims of prizes; absent if prizes are paid immediately. */
        readonly claim?: ShownClaims | undefined
      }
    | undefined
  readonly won: readonly { readonly member: string; readonly again: boolean }[]
}

/** Everything that people can see at the end, read from the product's cards and pages. */
export interface Shown {
  readonly tips: readonly { readonly id: string; readonly shares: readonly ShownShare[] }[]
  readonly claims: readonly (ShownPayout & { readonly id: string; readonly member: string; readonly amount: bigint })[]
  readonly dropClaims: readonly (ShownPayout & {
    readonly id: string
    readonly drop: string
    readonly member: string
    readonly amount: bigint
    readonly chance: string
    /** Whether the share was a code, and whether it was drawn. */
    readonly code: boolean
    readonly drawn: boolean
  })[]
  readonly giveaways: readonly {
    readonly id: string
    readonly state: string
    readonly prize: bigint
    readonly won: readonly (ShownPayout & { readonly member: string; readonly again: boolean })[]
  }[]
  /** The giveaways that were drawn. */
  readonly draws: readonly ShownDraw[]
  readonly rewards: readonly { readonly id: string; readonly state: string; readonly share: ShownShare | undefined }[]
  readonly withdrawals: readonly ShownWithdrawal[]
  readonly vouchers: readonly ShownVoucher[]
  readonly redemptions: readonly {
    readonly id: string
    readonly member: string
    readonly state: string
    readonly amount: bigint | undefined
  }[]
  /** The answer about each verifiable invoice; undefined if the service no longer has the invoice. */
  readonly verifications: readonly { readonly paymentHash: string; readonly last: Verification | undefined }[]
  readonly balances: readonly { readonly member: string; readonly available: bigint }[]
}
