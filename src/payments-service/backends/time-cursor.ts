import type { Settlement } from './backend.ts'

/** A place in the order of settlements of a node that does not number them: by time, then by payment hash. */
export interface TimePosition {
  /** In milliseconds since 1970. */
  readonly at: number
  readonly paymentHash: string
}

/** Returns a settlement's cursor: its time and its payment hash. */
export function timeCursor(settledAt: Date, paymentHash: string): string {
  return `${settledAt.getTime()}:${paymentHash}`
}

/** Reads a cursor. Undefined: before everything. */
export function readTimeCursor(cursor = '0:'): TimePosition {
  const [at, paymentHash] = cursor.split(':')
  return { at: Number(at), paymentHash: paymentHash ?? '' }
}

/**
 * Converts a settlement of a node that has no index of settlements. A settlement without a time counts as received when
 * its invoice was made (`madeAt`), and has no place in the order. Times are in milliseconds since 1970.
 */
export function timedSettlement(
  paid: Omit<Settlement, 'cursor' | 'settledAt'>,
  { paidAt, madeAt }: { readonly paidAt: number | undefined; readonly madeAt: number },
): Settlement {
  const settledAt = new Date(paidAt ?? madeAt)
  return { ...paid, settledAt, cursor: paidAt === undefined ? undefined : timeCursor(settledAt, paid.paymentHash) }
}

/** Sorts by time, then by hash. */
export function inTimeOrder(a: Settlement, b: Settlement | TimePosition): number {
  const other = 'at' in b ? b : { at: b.settledAt.getTime(), paymentHash: b.paymentHash }
  const byHash = a.paymentHash < other.paymentHash ? -1 : a.paymentHash > other.paymentHash ? 1 : 0
  return a.settledAt.getTime() - other.at || byHash
}
