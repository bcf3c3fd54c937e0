import { msats } from '../../lib/money/amount.ts'
import { type RefusalCode, TippingRefusal } from '../core/tipping-refusal.ts'

/** Converts a refusal to JSON. An amount becomes an object with its msats in decimal. */
export function storeRefusal({ code, facts }: TippingRefusal): string {
  return JSON.stringify({ code, facts }, (_, value) =>
    typeof value === 'bigint' ? { msats: value.toString() } : value,
  )
}

export function readRefusal(text: string): TippingRefusal {
  const { code, facts } = JSON.parse(text, (_, value) => {
    const amount = (value as { msats?: unknown } | null)?.msats
    return typeof amount === 'string' ? msats(BigInt(amount)) : value
  }) as { code: RefusalCode; facts: never }
  return new TippingRefusal(code, facts)
}
