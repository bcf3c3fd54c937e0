import { MSATS_PER_BTC } from '../money/amount.ts'

/** Two prices that are noted are at least so far apart. */
export const NOTED_EVERY_MS = 10 * 60_000
/** A booking is worth what the last price before it says, if that is no older. */
export const PRICE_HOLDS_MS = 30 * 60_000
/** Decimals of a value: a sat is worth less than a cent. */
const DECIMALS = 4

/** Msats at a price of one bitcoin, as a plain decimal with four digits after the point: rounded to the nearest, halves away from zero. */
export function worthAt(price: string, amount: bigint): string {
  const [whole = '', fraction = ''] = price.split('.')
  const sign = amount < 0n ? '-' : ''
  const numerator = (amount < 0n ? -amount : amount) * BigInt(whole + fraction) * 10n ** BigInt(DECIMALS)
  const denominator = MSATS_PER_BTC * 10n ** BigInt(fraction.length)
  const digits = String((2n * numerator + denominator) / (2n * denominator)).padStart(DECIMALS + 1, '0')
  return `${sign}${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`
}
