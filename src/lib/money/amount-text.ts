/**
 * Reads amounts as people type them. Two rules protect money: all arithmetic is exact, on digits, and a text that means
 * different amounts in different countries (`1.000`) is reported as `ambiguous`, never guessed at.
 */
import { readPasted } from '../pasted-text.ts'
import { floorToSat, MAX_MSATS, type Msats, msats } from './amount.ts'
import { type Decimal, decimalText, readDecimal } from './decimal-text.ts'

export type AmountText =
  | { readonly kind: 'msats'; readonly amount: Msats }
  /** The whole balance. The caller decides how much that is. */
  | { readonly kind: 'all' }
  /** A part of the balance, above 0 and below 10,000 basis points: `half` is 5,000. */
  | { readonly kind: 'part'; readonly basisPoints: number }
  /**
   * An ISO 4217 code in upper case and a plain decimal (`"2.5"`). A conversion would need a rate, which is not known
   * here.
   */
  | { readonly kind: 'fiat'; readonly currency: string; readonly value: string }
  | { readonly kind: 'invalid'; readonly reason: AmountFault }

export type AmountFault =
  | 'empty'
  | 'not-a-number'
  /** An amount, followed by words that are not a unit: `5 thanks`. */
  | 'words'
  /** More than the whole balance: `200%`. */
  | 'more-than-all'
  | 'zero'
  | 'negative'
  | 'fraction-of-msat'
  | 'too-large'
  | 'ambiguous'

/**
 * Reads `500`, `1,000`, `1 000`, `2.5k`, `1m`, `21 sats`, `1500 msats`, `0.001 btc`, `₿0.001`, `1e3`, `all`, `max`,
 * `half`, `½`, `25%`, `$5`, `5 usd`, and the digits of other scripts. Without a unit, the amount is in sats. `k` is a
 * thousand, `m` a million. Ignores invisible characters. A text of more than forty characters is not an amount. The
 * time taken is proportional to the text's length. Never throws.
 */
export function parseAmountText(text: string): AmountText {
  const plain = simplify(text)
  if (plain === '') return invalid('empty')
  const named = PARTS.get(plain.toLowerCase())
  if (named !== undefined) return part(named)
  const parts = plain.length > MAX_LENGTH ? undefined : splitParts(expandExponent(plain))
  if (parts === undefined) return invalid('not-a-number')
  const { isNegative, before, digits, after } = parts
  if (after === '%' && before === '' && !isNegative) return percent(digits)
  const unit = readUnit(before, after)
  if (unit === 'unknown') return invalid(before === '' && !isNegative && WORDS.test(after) ? 'words' : 'not-a-number')
  if (unit === 'ambiguous') return invalid('ambiguous')
  const decimal = readDecimal(digits, unit.multiplierDigits === 0 && unit.of !== 'btc')
  if (typeof decimal === 'string') return invalid(decimal)
  if (isNegative) return invalid('negative')
  if (decimal.digits === 0n) return invalid('zero')
  const value = { digits: decimal.digits * 10n ** BigInt(unit.multiplierDigits), scale: decimal.scale }
  // A whole number after `₿` means bitcoin to some and satoshis to others (BIP 177).
  if (unit.of === '₿' && (decimal.scale === 0 || unit.multiplierDigits > 0)) return invalid('ambiguous')
  return unit.of in MSATS_DIGITS ? inMsats(value, MSATS_DIGITS[unit.of] ?? 0) : inFiat(value, unit.of)
}

/**
 * Converts `all`, `half` or `25%` of a balance to whole sats, rounded down, so that the part of a sat that is left
 * after a fee is not given away. Returns undefined for other amounts.
 */
export function partOfBalance(text: string, balance: Msats): Msats | undefined {
  const read = parseAmountText(text)
  if (read.kind === 'all') return floorToSat(balance)
  return read.kind === 'part' ? floorToSat(msats((balance * BigInt(read.basisPoints)) / BigInt(WHOLE))) : undefined
}

/**
 * Returns the ISO 4217 code and a plain decimal of an amount in another currency, such as `USD 0.5`; undefined for
 * other amounts.
 */
export function fiatAsked(text: string): string | undefined {
  const read = parseAmountText(text)
  return read.kind === 'fiat' ? `${read.currency} ${read.value}` : undefined
}

const MAX_LENGTH = 40
const WHOLE = 10_000

/** The words for parts of a balance ("all", "half") in the bot's languages, with each part in basis points. */
const PARTS: ReadonlyMap<string, number> = new Map([
  ...named(WHOLE, 'all, max, alles, todo, tout, tutto, tudo, wszystko, всё, все, усе, hepsi, tümü, semua, tất cả'),
  ...named(WHOLE, 'الكل, सब, ทั้งหมด, 全部, すべて, 전부, 모두'),
  ...named(5_000, 'half, ½, 1/2, halb, hälfte, die hälfte, helft, de helft, mitad, la mitad, moitié, la moitié'),
  ...named(5_000, 'metà, la metà, metade, a metade, połowa, połowę, половина, половину, yarısı, setengah, một nửa'),
  ...named(5_000, 'نصف, النصف, आधा, ครึ่ง, ครึ่งหนึ่ง, 半分, 一半, 절반'),
  ...named(2_500, '¼, 1/4'),
  ...named(7_500, '¾, 3/4'),
])

function named(basisPoints: number, words: string): [string, number][] {
  return words.split(', ').map((word) => [word, basisPoints])
}

/** The pattern of words and punctuation, without the signs of units. */
const WORDS = /^\p{L}[\p{L}\p{M}\p{Emoji_Presentation} !?]*$/u

function part(basisPoints: number): AmountText {
  return basisPoints === WHOLE ? { kind: 'all' } : { kind: 'part', basisPoints }
}

/** Reads `25%` or `33.3%`. The smallest part is a hundredth of a percent. */
function percent(digits: string): AmountText {
  const decimal = readDecimal(digits, false)
  if (typeof decimal === 'string') return invalid(decimal)
  if (decimal.digits === 0n) return invalid('zero')
  if (decimal.scale > 2) return invalid('not-a-number')
  const basisPoints = decimal.digits * 10n ** BigInt(2 - decimal.scale)
  return basisPoints > BigInt(WHOLE) ? invalid('more-than-all') : part(Number(basisPoints))
}

/**
 * Converts `1.5e3` to `1500`. In this notation, a point begins the decimals in every country. Zeros are added so that
 * the decimals do not look like a group of thousands.
 */
function expandExponent(plain: string): string {
  return plain.replace(/(\d+)(?:\.(\d+))?e(\d{1,2})(?!\d)/i, (_, whole: string, fraction = '', exponent: string) => {
    const places = Number(exponent)
    const point = fraction.padEnd(places, '0')
    const rest = point.slice(places)
    return `${whole}${point.slice(0, places)}${rest && `.${rest}0000`}`
  })
}

interface Parts {
  readonly isNegative: boolean
  readonly before: string
  readonly digits: string
  readonly after: string
}

/** The pattern of a character within a number. A number's last character is always a digit. */
const NUMBER = /^[\d.,'_ ]$/
/** The pattern of a character that no unit contains. */
const NO_UNIT = /[\d.,\s'_-]/

/**
 * Splits a text into a number, a unit before or after the number, and a minus before either. Returns undefined for any
 * other text.
 */
function splitParts(plain: string): Parts | undefined {
  let end = plain.length
  while (end > 0 && !isDigit(plain.charAt(end - 1))) end -= 1
  if (end === 0) return undefined
  let start = end
  while (start > 0 && NUMBER.test(plain.charAt(start - 1))) start -= 1
  let before = plain.slice(0, start).trim()
  let isNegative = before.startsWith('-')
  if (isNegative) before = before.slice(1).trim()
  if (before.endsWith('-')) {
    isNegative = true
    before = before.slice(0, -1).trim()
  }
  const after = plain.slice(end).trim()
  if (NO_UNIT.test(before) || /[.,'_-]/.test(after)) return undefined
  return { isNegative, before, digits: plain.slice(start, end).trim(), after }
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9'
}

/** The size of each unit in msats, as a number of zeros after the 1. */
const MSATS_DIGITS: Readonly<Record<string, number>> = { msats: 0, sats: 3, btc: 11, '₿': 11 }

const UNIT_NAMES: ReadonlyMap<string, string> = new Map([
  ...names('sats', 'sat sats satoshi satoshis s'),
  ...names('msats', 'msat msats msatoshi msatoshis millisat millisats millisatoshi millisatoshis'),
  ...names('btc', 'btc xbt'),
  ...names('₿', '₿ bitcoin bitcoins'),
  ...names('USD', '$ us$ dollar dollars buck bucks usdt usdc'),
  ...names('EUR', '€ euro euros'),
  ...names('GBP', '£'),
  ...names('BRL', 'r$'),
  ...names('INR', '₹'),
  ...names('RUB', '₽'),
  ...names('UAH', '₴'),
  ...names('TRY', '₺'),
  ...names('KRW', '₩'),
  ...names('PLN', 'zł'),
  ...names('ambiguous', '¥ 円 元'),
  ...fiatCodes().map((code): [string, string] => [code.toLowerCase(), code]),
])

interface Unit {
  /** A key of MSATS_DIGITS, or a currency code. */
  readonly of: string
  /** The number of zeros that `k` or `m` adds. */
  readonly multiplierDigits: 0 | 3 | 6
}

function readUnit(before: string, after: string): Unit | 'unknown' | 'ambiguous' {
  const prefix = before === '' ? '' : (UNIT_NAMES.get(before.toLowerCase()) ?? 'unknown')
  const [multiplierDigits, rest] = splitMultiplier(after)
  const suffix = rest === '' ? '' : (UNIT_NAMES.get(rest.toLowerCase()) ?? 'unknown')
  if (prefix === 'unknown' || suffix === 'unknown') return 'unknown'
  const of = suffix || prefix || 'sats'
  // `1Msats` may be a million sats or one msat, `$5 cad` either dollar, `1 m btc` a thousandth or a million.
  const twoUnits = prefix !== '' && suffix !== '' && prefix !== suffix
  const mega = before.startsWith('Msat') || after.includes('Msat')
  const millibitcoin = multiplierDigits === 6 && of === 'btc'
  return of === 'ambiguous' || twoUnits || mega || millibitcoin ? 'ambiguous' : { of, multiplierDigits }
}

/**
 * Splits a multiplier (`k` or `m`) from the unit after it. Looks for a whole unit first, because `msats`, `mxn` and
 * `kes` begin with letters that are multipliers elsewhere.
 */
function splitMultiplier(after: string): [0 | 3 | 6, string] {
  if (UNIT_NAMES.has(after.toLowerCase())) return [0, after]
  const first = after.charAt(0).toLowerCase()
  return first === 'k' || first === 'm' ? [first === 'k' ? 3 : 6, after.slice(1).trim()] : [0, after]
}

function inMsats(value: Decimal, unitDigits: number): AmountText {
  const scaled = value.digits * 10n ** BigInt(unitDigits)
  const divisor = 10n ** BigInt(value.scale)
  if (scaled > MAX_MSATS * divisor) return invalid('too-large')
  if (scaled % divisor !== 0n) return invalid('fraction-of-msat')
  return { kind: 'msats', amount: msats(scaled / divisor) }
}

/**
 * The largest value of an amount in another currency. A larger one is more money than exists, so it is a typing
 * mistake.
 */
const MAX_FIAT = 10n ** 15n

function inFiat(value: Decimal, currency: string): AmountText {
  if (value.digits > MAX_FIAT * 10n ** BigInt(value.scale)) return invalid('too-large')
  return { kind: 'fiat', currency, value: decimalText(value) }
}

/** The most characters of a text that are read, so that a page takes no longer than a line. */
const MAX_READ = 1_000

/** The characters for zero in the scripts that people type: Arabic, Persian, Devanagari, Bengali and Thai. */
const ZEROS = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50]

function plainDigit(digit: string): string {
  const code = digit.charCodeAt(0)
  const zero = ZEROS.find((zero) => code >= zero && code < zero + 10)
  return zero === undefined ? digit : String(code - zero)
}

/**
 * Replaces all digits, spaces, apostrophes and minus signs with one kind of each, and East Asian wide forms with plain
 * ones.
 */
function simplify(text: string): string {
  return readPasted(text.slice(0, MAX_READ))
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/\p{Nd}/gu, plainDigit)
    .replace(/٪/g, '%')
    .replace(/٫/g, '.')
    .replace(/\s/g, ' ')
    .replace(/[’ʼ٬]/g, "'")
    .replace(/[−‐‑–]/g, '-')
    .trim()
}

/**
 * Returns ISO 4217's codes, without metals, funds and test codes, and without the Albanian `ALL`, which is a word here.
 */
function fiatCodes(): string[] {
  const regional = new Set(['XAF', 'XCD', 'XCG', 'XOF', 'XPF'])
  return Intl.supportedValuesOf('currency').filter((code) => code !== 'ALL' && (code[0] !== 'X' || regional.has(code)))
}

function names(unit: string, spellings: string): Array<[string, string]> {
  return spellings.split(' ').map((spelling) => [spelling, unit])
}

function invalid(reason: AmountFault): AmountText {
  return { kind: 'invalid', reason }
}
