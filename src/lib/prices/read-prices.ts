/** The price of one bitcoin: `digits` divided by ten to the power of `scale`. A price is always above zero. */
export interface Price {
  readonly digits: bigint
  readonly scale: number
}

/** Formats a price as a plain decimal. */
export function decimalOf({ digits, scale }: Price): string {
  const text = String(digits).padStart(scale + 1, '0')
  return scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`
}

export interface Prices {
  /** The prices by ISO 4217 code in upper case. */
  readonly prices: ReadonlyMap<string, Price>
  /** The time of the prices, if the source states it. */
  readonly at: Date | undefined
}

/**
 * Reads a price source's answer (docs/run.md, "Prices in other currencies"): the price of one bitcoin by currency code,
 * as numbers or decimal texts, in the object itself or under `rates` or `bitcoin`, and the time of the prices under
 * `updatedAt`, `time` or `last_updated_at`, as ISO 8601 or in seconds since 1970. Throws an Error if there is no price.
 */
export function readPrices(text: string): Prices {
  const body: unknown = JSON.parse(text)
  if (!isObject(body)) throw new Error('the answer is not a JSON object')
  const inner = [body.rates, body.bitcoin].find(isObject) ?? body
  const prices = new Map<string, Price>()
  for (const [code, value] of Object.entries(inner)) {
    const price = /^[a-z]{3}$/i.test(code) ? readPrice(value) : undefined
    if (price !== undefined) prices.set(code.toUpperCase(), price)
  }
  if (prices.size === 0) throw new Error('the answer contains no price')
  return { prices, at: readTime(body.updatedAt ?? body.time ?? inner.last_updated_at) }
}

function readPrice(value: unknown): Price | undefined {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : ''
  const match = /^(\d{1,18})(?:\.(\d{1,18}))?$/.exec(text)
  if (match === null) return undefined
  const [, whole = '', fraction = ''] = match
  const digits = BigInt(whole + fraction)
  return digits === 0n ? undefined : { digits, scale: fraction.length }
}

function readTime(value: unknown): Date | undefined {
  const at =
    typeof value === 'number' ? new Date(value * 1_000) : typeof value === 'string' ? new Date(value) : undefined
  return at === undefined || Number.isNaN(at.getTime()) ? undefined : at
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
