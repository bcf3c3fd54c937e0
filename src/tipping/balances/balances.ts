import type { Msats } from '../../lib/money/amount.ts'
import type { DepositView } from '../deposits/deposits.ts'
import type { Link } from '../links/links.ts'
import type { ForwardingView } from '../withdrawals/forwarding.ts'

/** Members' balances. */
export interface Balances {
  /** Returns everything about a member's own money. Also notes that this person uses the bot. */
  view(member: string): Promise<BalanceView>
  /** Returns the sum that a member can give. Does not record them as a user. */
  available(member: string): Promise<Msats>
}

export interface BalanceView {
  readonly available: Msats
  /** The sum reserved for open payments. */
  readonly inFlight: Msats
  /** The sum waiting to be claimed, and when its first part goes back. */
  readonly unclaimed: { readonly amount: Msats; readonly count: number; readonly until: Date } | undefined
  /** This member's own tips that wait for newcomers. */
  readonly waitingForOthers: Msats
  readonly link: Link | undefined
  /** Where tips are forwarded instead, without the provider's accounts. */
  readonly forwarding: ForwardingView | undefined
  /** How much stays here before anything is forwarded. */
  readonly keepHere: Msats
  /** The sum of all payments to the member's own gamertag wallet, whose balance cannot be read from here. */
  readonly sentToGamertag: Msats
  readonly openDeposits: readonly DepositView[]
  /** This member's own tips above the balance whose invoices nobody has paid yet: each is sent once it is paid. */
  readonly unpaidTips: readonly DepositView[]
}
