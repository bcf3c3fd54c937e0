/**
 * Promises to people, as numbers of the judge's own. The world is set up by the first group; the others are what the
 * product's pages say. Nothing here is read from the product.
 */

const SAT = 1_000n
const MINUTE_MS = 60_000

/** How long a tip waits for a newcomer. */
export const WAITS_FOR_NEWCOMER_MS = 6 * MINUTE_MS
/** A clock that stands further ahead than this at a start makes nothing go back, until somebody confirms it. */
export const MAX_BELIEVED_STOP_MS = 6 * 60 * MINUTE_MS
/** How long a deposit's code can be paid. */
export const DEPOSIT_OPEN_MS = 5 * MINUTE_MS
/** How long a code to withdraw by can be scanned. */
export const CODE_OPEN_SECONDS = 100
/** More than this is given only after a confirmation, in msats; so is all of a balance, however small. */
export const CONFIRM_ABOVE = 700n * SAT
/** Words for all of a balance. */
export const ALL = 'all'
/** Withdrawals that a member confirmed and that may be on their way at once. */
export const MAX_WITHDRAWALS = 3
/** Payments of a member's gifts that go on to their Lightning Address in an hour. */
export const MAX_SENT_ON_AN_HOUR = 6
/** A member's faucet share on a day, in msats. */
export const FAUCET_SHARE = 1_000n * SAT
/** The operator's first funds, in msats. */
export const FLOAT = 50_000n * SAT

const TYPED_SATS = /^(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d))?(k)?(?: sats)?$/

/** Typed sats as msats: `500`, `1,000`, `2.5k`, `500 sats`; undefined for `all` and `half`. */
export function typedMsats(text: string): bigint | undefined {
  const [, whole, tenths = '0', thousand] = TYPED_SATS.exec(text) ?? []
  if (whole === undefined) return undefined
  const unit = thousand === undefined ? SAT : 1_000n * SAT
  return BigInt(whole.replaceAll(',', '')) * unit + (BigInt(tenths) * unit) / 10n
}

/** Highest cost of a payment out of a balance: one percent, rounded up to a sat, and never less than 10 sats. */
export function mostFee(amount: bigint): bigint {
  const percent = roundedUp(amount, 100n * SAT) * SAT
  return percent < 10n * SAT ? 10n * SAT : percent
}

/** Fee for making a voucher: one percent, rounded up to a msat, and never less than a sat. */
export function voucherFee(amount: bigint): bigint {
  const percent = roundedUp(amount, 100n)
  return percent < SAT ? SAT : percent
}

/**
 * A wallet's share of a voucher, which pays for the way there: whole sats. Undefined where that would be less than
 * half: then only its code redeems it.
 */
export function walletsShare(amount: bigint): bigint | undefined {
  let share = (amount / SAT) * SAT
  while (share > 0n && share + mostFee(share) > amount) share -= SAT
  return share > 0n && share * 2n >= amount ? share : undefined
}

/** Each person's even share of a sum: whole sats, the rest stays with the giver. */
export function evenShare(total: bigint, people: number): bigint {
  return (total / (BigInt(people) * SAT)) * SAT
}

/** Each person's share of a balance by `all` or `half`, whole sats; undefined for other words. */
export function partOf(typed: string, balance: bigint, people: number): bigint | undefined {
  if (typed !== ALL && typed !== 'half') return undefined
  return evenShare(typed === ALL ? balance : balance / 2n, people)
}

function roundedUp(amount: bigint, by: bigint): bigint {
  return amount % by === 0n ? amount / by : amount / by + 1n
}
