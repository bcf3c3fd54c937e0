/** An exact non-negative decimal number: `digits` divided by ten to the power of `scale`. */
export interface Decimal {
  readonly digits: bigint
  /** The number of decimal places, as few as the number needs. */
  readonly scale: number
}

/**
 * Reads a number with the separators of any country: a comma, point, space, apostrophe or underscore between groups of
 * thousands (also the Indian 1,00,000), and a point or comma before decimals. If separators of both kinds occur, each
 * shows the meaning of the other. A lone `1.000` is `ambiguous`, and so is a lone `1,000` unless `commaGroups` says
 * that thousandths would make no sense here.
 */
export function readDecimal(text: string, commaGroups: boolean): Decimal | 'not-a-number' | 'ambiguous' {
  if (/^\d+$/.test(text)) return decimal(text, '')
  const [, whole = '', mark = '', fraction = ''] = /^(.*)([.,])(\d*)$/.exec(text) ?? []
  // Also if there is no mark.
  if (whole.includes(mark)) return groupedWhole(text)
  if (/^\d*$/.test(whole)) return loneMark(whole, mark, fraction, commaGroups)
  // Other separators before the last mark are groups, so the mark begins the decimals.
  const grouped = groupedWhole(whole)
  return typeof grouped === 'string' ? grouped : decimal(grouped.digits.toString(), fraction)
}

/** Formats a decimal without groups or needless zeros: `1500` with a scale of 3 is `1.5`. */
export function decimalText({ digits, scale }: Decimal): string {
  const padded = digits.toString().padStart(scale + 1, '0')
  const whole = padded.slice(0, padded.length - scale)
  const fraction = padded.slice(padded.length - scale).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}

const WESTERN_GROUPS = /^\d{1,3}(?:([., '_])\d{3})(?:\1\d{3})*$/
const INDIAN_GROUPS = /^\d{1,2}(?:,\d{2})+,\d{3}$/

function groupedWhole(text: string): Decimal | 'not-a-number' {
  if (!WESTERN_GROUPS.test(text) && !INDIAN_GROUPS.test(text)) return 'not-a-number'
  return decimal(text.replace(/\D/g, ''), '')
}

/** Decides whether a single point or comma between digits begins decimals or groups thousands. */
function loneMark(whole: string, mark: string, fraction: string, commaGroups: boolean): Decimal | 'ambiguous' {
  const couldGroup = fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole)
  if (couldGroup) return mark === ',' && commaGroups ? decimal(whole + fraction, '') : 'ambiguous'
  // `1000,000` and `1,0000` are a typing mistake or groups of four.
  const odd = mark === ',' && fraction.length > 2 && !/^0?$/.test(whole)
  return odd ? 'ambiguous' : decimal(whole, fraction)
}

function decimal(whole: string, fraction: string): Decimal {
  const places = fraction.replace(/0+$/, '')
  return { digits: BigInt(whole + places), scale: places.length }
}
