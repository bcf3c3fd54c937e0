/**
 * Millisatoshis, the only unit of money in the code. The type is a brand on `bigint`, so a plain number, a count or a
 * float can never be passed as money. 1 sat = 1,000 msats; 1 BTC = 100,000,000 sats.
 */
export type Msats = bigint & { readonly __unit: 'msats' }

export const MSATS_PER_SAT = 1_000n
export const MSATS_PER_BTC = 100_000_000_000n

/** All bitcoin that can ever exist, in msats: no larger amount is meaningful, and every sum of amounts fits 64 bits. */
export const MAX_MSATS = (21_000_000n * MSATS_PER_BTC) as Msats

/** Returns a number as an amount. Throws RangeError if the number is negative or more than all bitcoin. */
export function msats(value: bigint | number): Msats {
  const amount = BigInt(value)
  if (amount < 0n || amount > MAX_MSATS) throw new RangeError(`not an amount of msats: ${amount}`)
  return amount as Msats
}

/** Converts whole sats to msats. Throws RangeError as `msats` does. */
export function sats(value: bigint | number): Msats {
  return msats(BigInt(value) * MSATS_PER_SAT)
}

export const ZERO = msats(0)

/**
 * Reads an amount as the payments interface writes it: a string of decimal digits without sign, exponent or leading
 * zeros. Permits `"0"`, which a fee or an amountless invoice shows; callers for which zero is wrong refuse it. Returns
 * undefined for anything else, including a JSON number.
 */
export function parseWireMsats(text: unknown): Msats | undefined {
  if (typeof text !== 'string' || !/^(0|[1-9][0-9]{0,18})$/.test(text)) return undefined
  const amount = BigInt(text)
  return amount > MAX_MSATS ? undefined : (amount as Msats)
}

/** Rounds an amount down to whole sats, in msats. */
export function floorToSat(amount: Msats): Msats {
  return (amount - (amount % MSATS_PER_SAT)) as Msats
}

/** Rounds an amount up to whole sats, in msats. */
export function ceilToSat(amount: Msats): Msats {
  const rest = amount % MSATS_PER_SAT
  return (rest === 0n ? amount : amount - rest + MSATS_PER_SAT) as Msats
}

export const SMALLEST_FEE_LIMIT = 10_000n as Msats

/**
 * Returns the fee limit of a payment of this amount: the larger of ten sats and `percent` of the amount, rounded up to
 * a sat. `percent` may have up to four decimals (0.5 means half a percent).
 */
export function feeLimit(amount: Msats, percent: number): Msats {
  const tenThousandths = BigInt(Math.round(percent * 10_000))
  const share = ceilDivide(amount * tenThousandths, 1_000_000n)
  const limit = ceilToSat(share as Msats)
  return limit > SMALLEST_FEE_LIMIT ? limit : SMALLEST_FEE_LIMIT
}

/**
 * Returns the largest amount (whole sats, in msats) that fits `balance` together with its fee limit; 0 if there is
 * none. `limitOf` returns an amount's fee limit, which must never fall as the amount rises.
 */
export function largestSendable(balance: Msats, limitOf: (amount: Msats) => Msats): Msats {
  let low = 0n
  let high = balance / MSATS_PER_SAT
  while (low < high) {
    const middle = (low + high + 1n) / 2n
    const amount = sats(middle)
    if (amount + limitOf(amount) <= balance) low = middle
    else high = middle - 1n
  }
  return sats(low)
}

/** Divides non-negative integers, and rounds the result up. */
export function ceilDivide(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by
}

/**
 * Formats msats as sats for people, without a unit: with thousands separators, and with a fraction only if msats
 * remain.
 */
export function formatSats(amount: bigint, locale = 'en'): string {
  const { figures, point } = numberStyle(locale)
  const absolute = amount < 0n ? -amount : amount
  const sign = amount < 0n ? '-' : ''
  const rest = absolute % MSATS_PER_SAT
  const whole = `${sign}${figures.format(absolute / MSATS_PER_SAT)}`
  return rest === 0n ? whole : `${whole}${point}${rest.toString().padStart(3, '0').replace(/0+$/, '')}`
}

interface NumberStyle {
  readonly figures: Intl.NumberFormat
  readonly point: string
}

/**
 * The formatters by locale. They are cached because creating one takes a hundred times as long as using it, and there
 * are few locales.
 */
const numberStyles = new Map<string, NumberStyle>()

function numberStyle(locale: string): NumberStyle {
  let style = numberStyles.get(locale)
  // Stryker disable next-line ConditionalExpression: a new formatter writes the same; the cache only saves time.
  if (style === undefined) {
    const figures = new Intl.NumberFormat(locale)
    style = { figures, point: figures.formatToParts(1.5).find((part) => part.type === 'decimal')?.value ?? '.' }
    numberStyles.set(locale, style)
  }
  return style
}
