import { type Msats, sats } from '../../lib/money/amount.ts'
import { type Limits, NO_LIMITS } from './gift-limits.ts'

/** Settings that differ between installations and tests. The configuration sets some of them. */
export interface TippingSettings {
  /** Whether members have balances here. `none`: nobody has sats here, and tips go only from wallet to wallet. */
  readonly custody: 'balances' | 'none'
  /** How many operators there are. A single operator's decision takes effect after a day. */
  readonly operators: 'one' | 'two'
  /**
   * Returns the address that the provider calls for the record with this token; undefined if the provider can reach no
   * such address.
   */
  readonly callbackUrl: (token: string) => string | undefined
  /** The smallest amount of one tip, deposit or invoice. */
  readonly minAmount: Msats
  readonly maxAmount: Msats
  /** The fee limit of payments from a balance, in percent of the amount. The limit is never below 10 sats. */
  readonly feeLimitPercent: number
  readonly maxOpenWithdrawals: number
  /** How long a withdrawal code can be scanned, in seconds. */
  readonly withdrawalOpenSeconds: number
  /** The amount above which gifts need a confirmation. */
  readonly confirmAbove: Msats
  /** A member's daily faucet amount on a test network; 0 if there is no faucet. */
  readonly faucetAmount: Msats
  /** Pays an invoice or a code with sats of the sandbox, which cost nothing; undefined for other nodes. */
  readonly payTestSats?: ((request: string) => Promise<unknown>) | undefined
  /** The ISO 4217 code of the currency in which amounts are also shown, if prices are known. */
  readonly currency: string
  /** The limits on gifts, unless a server sets others. */
  readonly limits: Limits
  /**
   * The least age in days of an account, and of its membership in the server, for people who can receive rain. A server
   * can set others.
   */
  readonly rainAccountDays: number
  readonly rainMemberDays: number
  /** How many days a tip waits for a newcomer before the sats go back to the giver. */
  readonly claimDays: number
  readonly maxOpenDeposits: number
  /** How many hours a deposit's code is open. Late payments are credited anyway. */
  readonly depositOpenHours: number
  readonly maxRecipients: number
  /** How long a command waits for its payouts before it answers that they are on their way. */
  readonly payoutTimeoutMs: number
  /** The longest time that closing waits for running work. Unfinished work is resumed at the next start. */
  readonly closeTimeoutMs: number
  /** The interval between comparisons of the books with the wallet. */
  readonly auditEveryMs: number
  /** The interval between searches for unclaimed tips that have expired. */
  readonly sweepEveryMs: number
  /** The interval between checks of what commands on this machine have written, if no other bot uses the book. */
  readonly noticeEveryMs: number
  /** The interval between records of who was active, if no other bot uses the book. */
  readonly noteActiveEveryMs: number
  /** The most requests that move money at the same time. */
  readonly maxConcurrentPayouts: number
}

export const DEFAULT_SETTINGS: TippingSettings = {
  custody: 'balances',
  operators: 'two',
  callbackUrl: () => undefined,
  minAmount: sats(1),
  maxAmount: sats(10_000_000),
  feeLimitPercent: 1,
  maxOpenWithdrawals: 3,
  withdrawalOpenSeconds: 600,
  confirmAbove: sats(10_000),
  faucetAmount: sats(1_000),
  currency: 'USD',
  limits: NO_LIMITS,
  rainAccountDays: 7,
  rainMemberDays: 0,
  claimDays: 30,
  maxOpenDeposits: 5,
  depositOpenHours: 24,
  maxRecipients: 50,
  payoutTimeoutMs: 1_500,
  closeTimeoutMs: 5_000,
  auditEveryMs: 10 * 60_000,
  sweepEveryMs: 60_000,
  noticeEveryMs: 5_000,
  noteActiveEveryMs: 60_000,
  maxConcurrentPayouts: 32,
}

/** The longest text on an invoice or a voucher, in characters. */
export const MAX_DESCRIPTION = 200
export const MAX_INVOICE_MINUTES = 30 * 24 * 60
