import { MSATS_PER_BTC } from '../money/amount.ts'

/** The shortest time between two stored prices. */
export const NOTED_EVERY_MS = 10 * 60_000
/**
 * The greatest age of a price at the time of a booking. The last price before the booking determines the booking's
 * value, unless that price is older.
 */
export const PRICE_HOLDS_MS = 30 * 60_000
/** The number of decimals of a value. Two are not enough, because a sat is worth less than a cent. */
const DECIMALS = 4

/**
 * Converts msats at a price of one bitcoin to a plain decimal with four digits after the point, rounded to the nearest
 * value (halves are rounded away from zero).
 */
export function worthAt(price: string, amount: bigint): string {
  const [whole = '', fraction = ''] = price.split('.')
  const sign = amount < 0n ? '-' : ''
  const numerator = (amount < 0n ? -amount : amount) * BigInt(whole + fraction) * 10n ** BigInt(DECIMALS)
  const denominator = MSATS_PER_BTC * 10n ** BigInt(fraction.length)
  const digits = String((2n * numerator + denominator) / (2n * denominator)).padStart(DECIMALS + 1, '0')
  return `${sign}${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`
}
