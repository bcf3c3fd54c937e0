/**
 * Promises to people, as the judge's own numbers. The first group configures the world; the product's pages state the
 * others. Nothing here is read from the product.
 */

const SAT = 1_000n
const MINUTE_MS = 60_000

/** The time that a tip waits for a newcomer. */
export const WAITS_FOR_NEWCOMER_MS = 6 * MINUTE_MS
/** The limit beyond which a clock that is ahead at a start returns no tips until somebody confirms it. */
export const MAX_BELIEVED_STOP_MS = 6 * 60 * MINUTE_MS
/** The time in which a deposit's code can be paid. */
export const DEPOSIT_OPEN_MS = 5 * MINUTE_MS
/** The time in which a withdrawal's code can be scanned. */
export const CODE_OPEN_SECONDS = 100
/** The largest gift without a confirmation, in msats; a gift of a whole balance needs one, however small. */
export const CONFIRM_ABOVE = 700n * SAT
/** The word for a whole balance. */
export const ALL = 'all'
/** The maximum number of a member's confirmed withdrawals in flight at once. */
export const MAX_WITHDRAWALS = 3
/** The maximum number of payments an hour that forward a member's gifts to their Lightning Address. */
export const MAX_SENT_ON_AN_HOUR = 6
/** A member's daily share from the faucet, in msats. */
export const FAUCET_SHARE = 1_000n * SAT
/** The operator's first funds, in msats. */
export const FLOAT = 50_000n * SAT

const TYPED_SATS = /^(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d))?(k)?(?: sats)?$/

/** Reads typed sats as msats: `500`, `1,000`, `2.5k`, `500 sats`; undefined for `all` and `half`. */
export function typedMsats(text: string): bigint | undefined {
  const [, whole, tenths = '0', thousand] = TYPED_SATS.exec(text) ?? []
  if (whole === undefined) return undefined
  const unit = thousand === undefined ? SAT : 1_000n * SAT
  return BigInt(whole.replaceAll(',', '')) * unit + (BigInt(tenths) * unit) / 10n
}

/** Returns the highest cost of a payment from a balance: one percent, rounded up to a sat, and at least 10 sats. */
export function mostFee(amount: bigint): bigint {
  const percent = roundedUp(amount, 100n * SAT) * SAT
  return percent < 10n * SAT ? 10n * SAT : percent
}

/** Returns the fee for making a voucher: one percent, rounded up to a msat, and at least a sat. */
export function voucherFee(amount: bigint): bigint {
  const percent = roundedUp(amount, 100n)
  return percent < SAT ? SAT : percent
}

/**
 * Returns a wallet's share, in whole sats, of a voucher, which pays its own routing cost; undefined if the share is
 * less than half: then the voucher can be redeemed only by its code.
 */
export function walletsShare(amount: bigint): bigint | undefined {
  let share = (amount / SAT) * SAT
  while (share > 0n && share + mostFee(share) > amount) share -= SAT
  return share > 0n && share * 2n >= amount ? share : undefined
}

/** Returns each person's even share of a sum in whole sats. The rest stays with the giver. */
export function evenShare(total: bigint, people: number): bigint {
  return (total / (BigInt(people) * SAT)) * SAT
}

/** Returns each person's share of a balance for `all` or `half`, in whole sats; undefined for other words. */
export function partOf(typed: string, balance: bigint, people: number): bigint | undefined {
  if (typed !== ALL && typed !== 'half') return undefined
  return evenShare(typed === ALL ? balance : balance / 2n, people)
}

function roundedUp(amount: bigint, by: bigint): bigint {
  return amount % by === 0n ? amount / by : amount / by + 1n
}
