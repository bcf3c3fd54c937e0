import type { Msats } from '../../lib/money/amount.ts'
import type { DepositView } from '../deposits/deposits.ts'
import type { Link } from '../members/members.ts'
import type { ForwardingView } from '../withdrawals/forwarding.ts'

/** Members' balances. */
export interface Balances {
  /** Everything about a member's own money. Also notes that this person uses the bot. */
  view(member: string): Promise<BalanceView>
  /** The sum that a member can give; it notes nobody. */
  available(member: string): Promise<Msats>
}

export interface BalanceView {
  readonly available: Msats
  /** Reserved for payments that have not ended. */
  readonly inFlight: Msats
  /** Waiting to be claimed, with the time when the first of it goes back. */
  readonly unclaimed: { readonly amount: Msats; readonly count: number; readonly until: Date } | undefined
  /** Tips of this member's own that wait for newcomers. */
  readonly waitingForOthers: Msats
  readonly link: Link | undefined
  /** Where tips are sent on to instead, without any of the provider's accounts. */
  readonly forwarding: ForwardingView | undefined
  /** This much stays here before anything is forwarded. */
  readonly keepHere: Msats
  /** Sum of all payments to the member's own gamertag wallet, which cannot be read from here. */
  readonly sentToGamertag: Msats
  readonly openDeposits: readonly DepositView[]
}
