import type { Msats } from '../../lib/money/amount.ts'
import type { DepositView } from '../deposits/deposits.ts'
import type { Link } from '../members/members.ts'

export interface BalanceView {
  readonly available: Msats
  /** Reserved for payments that have not ended. */
  readonly inFlight: Msats
  /** Waiting to be claimed, with the time when the first of it goes back. */
  readonly unclaimed: { readonly amount: Msats; readonly count: number; readonly until: Date } | undefined
  /** Tips of this member's own that wait for newcomers. */
  readonly waitingForOthers: Msats
  readonly link: Link | undefined
  /** All that was ever paid to the member's own gamertag wallet, which cannot be read from here. */
  readonly sentToGamertag: Msats
  readonly openDeposits: readonly DepositView[]
}
