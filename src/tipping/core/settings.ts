import { type Msats, sats } from '../../lib/money/amount.ts'
import { type Limits, NO_LIMITS } from './gift-limits.ts'

/** Settings that differ between installations and tests; the configuration sets some of them. */
export interface TippingSettings {
  /** `none`: nobody has sats here; tips go from wallet to wallet alone. */
  readonly custody: 'balances' | 'none'
  /** How many operators there are: with one, their word takes effect by itself, a day after it was said. */
  readonly operators: 'one' | 'two'
  /** The address that the provider calls about the record with this token; undefined if it can reach none. */
  readonly callbackUrl: (token: string) => string | undefined
  /** The smallest and the largest amount of one tip, deposit or invoice. */
  readonly minAmount: Msats
  readonly maxAmount: Msats
  /** Fee limit of payments out of a balance, in percent of the amount; never less than 10 sats. */
  readonly feeLimitPercent: number
  readonly maxOpenWithdrawals: number
  /** How long a code to withdraw by can be scanned, in seconds. */
  readonly withdrawalOpenSeconds: number
  /** Paying more than this with one press takes a second one. */
  readonly confirmAbove: Msats
  /** A member's daily faucet amount, on a test network; 0: there is none. */
  readonly faucetAmount: Msats
  /** Pays an invoice or a code out of the sandbox, whose sats cost nothing. Undefined if the node is another. */
  readonly payTestSats?: ((request: string) => Promise<unknown>) | undefined
  /** The currency that amounts are shown in besides, where prices are known. ISO 4217. */
  readonly currency: string
  /** Limits on gifts, where a server sets no other. */
  readonly limits: Limits
  /** How old an account must be, and how long its owner in the server, to get something of a rain, where a server does not say otherwise. */
  readonly rainAccountDays: number
  readonly rainMemberDays: number
  /** How long a tip waits for a newcomer before it goes back. */
  readonly claimDays: number
  readonly maxOpenDeposits: number
  /** After this a deposit's code is closed and no longer counted as open. Late payments are credited anyway. */
  readonly depositOpenHours: number
  readonly maxRecipients: number
  /** How long a command waits for its payouts before it answers that they are on their way. */
  readonly payoutTimeoutMs: number
  /** Longest wait of closing for work under way; the next start resumes the rest. */
  readonly closeTimeoutMs: number
  /** Between two comparisons of the books with the wallet. */
  readonly auditEveryMs: number
  /** Between two looks for unclaimed tips whose time is over. */
  readonly sweepEveryMs: number
  /** Between two looks for what commands on this machine have written into the book, where no other bot works on it. */
  readonly noticeEveryMs: number
  /** Between two notes of who was heard of, where no other bot works on the book. */
  readonly noteActiveEveryMs: number
  /** How many requests that move money are under way at once. */
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
