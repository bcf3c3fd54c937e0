import type { Settlement } from './backend.ts'

/**
 * A position in the order of settlements of a node that does not number its settlements: by time, then by payment hash.
 */
export interface TimePosition {
  /** The time in milliseconds since 1970. */
  readonly at: number
  readonly paymentHash: string
}

/** Returns a settlement's cursor: its time and its payment hash. */
export function timeCursor(settledAt: Date, paymentHash: string): string {
  return `${settledAt.getTime()}:${paymentHash}`
}

/** Reads a cursor. An undefined cursor stands for the position before all settlements. */
export function readTimeCursor(cursor = '0:'): TimePosition {
  const [at, paymentHash] = cursor.split(':')
  return { at: Number(at), paymentHash: paymentHash ?? '' }
}

/**
 * Adds the time and the cursor to a settlement of a node that does not number its settlements. A settlement without a
 * time counts as received when its invoice was made (`madeAt`), and has no place in the order. Times are in
 * milliseconds since 1970.
 */
export function timedSettlement(
  paid: Omit<Settlement, 'cursor' | 'settledAt'>,
  { paidAt, madeAt }: { readonly paidAt: number | undefined; readonly madeAt: number },
): Settlement {
  const settledAt = new Date(paidAt ?? madeAt)
  return { ...paid, settledAt, cursor: paidAt === undefined ? undefined : timeCursor(settledAt, paid.paymentHash) }
}

/** Compares a settlement with another settlement or a position: by time, then by hash. */
export function inTimeOrder(a: Settlement, b: Settlement | TimePosition): number {
  const other = 'at' in b ? b : { at: b.settledAt.getTime(), paymentHash: b.paymentHash }
  const byHash = a.paymentHash < other.paymentHash ? -1 : a.paymentHash > other.paymentHash ? 1 : 0
  return a.settledAt.getTime() - other.at || byHash
}
