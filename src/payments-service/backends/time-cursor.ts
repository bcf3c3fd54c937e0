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

/**
 * A settlement of a node that has no index of settlements. Without its own time it counts as received when its invoice
 * was made (`madeAt`), and has no place in the order. Times in milliseconds since 1970.
 */
export function timedSettlement(
  paid: Omit<Settlement, 'cursor' | 'settledAt'>,
  { paidAt, madeAt }: { readonly paidAt: number | undefined; readonly madeAt: number },
): Settlement {
  const settledAt = new Date(paidAt ?? madeAt)
  return { ...paid, settledAt, cursor: paidAt === undefined ? undefined : timeCursor(settledAt, paid.paymentHash) }
}

/** By time, then by hash; to sort by. */
export function inTimeOrder(a: Settlement, b: Settlement | TimePosition): number {
  const other = 'at' in b ? b : { at: b.settledAt.getTime(), paymentHash: b.paymentHash }
  const byHash = a.paymentHash < other.paymentHash ? -1 : a.paymentHash > other.paymentHash ? 1 : 0
  return a.settledAt.getTime() - other.at || byHash
}
