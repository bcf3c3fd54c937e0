/** What the lists of the administration consist of. */

/** Amounts in msats. */
export interface FeeLine {
  /** What payers were charged, and for how many payments. */
  readonly charged: string
  readonly payments: number
  /** What nodes took beyond a fee limit. */
  readonly absorbed: string
  /** The part of `charged` of which no node says how much it took. */
  readonly untold: string
  /** What routing has cost for certain: charged and told, and absorbed. */
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
