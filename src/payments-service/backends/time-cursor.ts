import type { Settlement } from './backend.ts'

/** A place in the order of settlements of a node that numbers none: by time, then by payment hash. */
export interface TimePosition {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly paymentHash: string
}

/** The cursor of a settlement: its time and its payment hash. */
export function timeCursor(settledAt: Date, paymentHash: string): string {
  return `${settledAt.getTime()}:${paymentHash}`
}

/** Undefined: before everything. */
export function readTimeCursor(cursor = '0:'): TimePosition {
  const [at, paymentHash] = cursor.split(':')
  return { at: Number(at), paymentHash: paymentHash ?? '' }
}

/** By time, then by hash; to sort by. */
export function inTimeOrder(a: Settlement, b: Settlement | TimePosition): number {
  const other = 'cursor' in b ? readTimeCursor(b.cursor) : b
  const byHash = a.paymentHash < other.paymentHash ? -1 : a.paymentHash > other.paymentHash ? 1 : 0
  return a.settledAt.getTime() - other.at || byHash
}
