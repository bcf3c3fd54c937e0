import type { Msats } from '../../lib/money/amount.ts'
import type { DepositView } from '../deposits/deposits.ts'
import type { Link } from '../links/links.ts'
import type { ForwardingView } from '../withdrawals/forwarding.ts'

/** Members' balances. */
export interface Balances {
  /** Returns everything about a member's own money. Also records the member as a user of the bot. */
  view(member: string): Promise<BalanceView>
  /** Returns the sum that a member can give. Does not record the member as a user. */
  available(member: string): Promise<Msats>
}

export interface BalanceView {
  readonly available: Msats
  /** The sum reserved for open payments. */
  readonly inFlight: Msats
  /**
   * The sum that waits to be claimed by the member, the number of its parts, and when the first part goes back;
   * undefined if nothing waits.
   */
  readonly unclaimed: { readonly amount: Msats; readonly count: number; readonly until: Date } | undefined
  /** The sum of this member's own tips that wait for newcomers. */
  readonly waitingForOthers: Msats
  readonly link: Link | undefined
  /** The forwarding of tips to the member's own Lightning Address, without an account at the provider. */
  readonly forwarding: ForwardingView | undefined
  /** The sum that stays in the balance before anything is forwarded. */
  readonly keepHere: Msats
  /** The sum of all payments to the member's own gamertag wallet, whose balance cannot be read from here. */
  readonly sentToGamertag: Msats
  readonly openDeposits: readonly DepositView[]
  /**
   * Deposits for this member's own tips that exceed the balance and whose invoices nobody has paid yet. Each tip is
   * sent once its invoice is paid.
   */
  readonly unpaidTips: readonly DepositView[]
}
