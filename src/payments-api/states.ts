/** Meaning of a state for the person who waits, for every resource and provider. */
export type Progress = 'open' | 'completed' | 'failed' | 'expired' | 'disabled'

const meanings = new Map<string, Progress>([
  ['CHARGE_PENDING', 'open'],
  ['CHARGE_COMPLETED', 'completed'],
  ['CHARGE_EXPIRED', 'expired'],
  ['active', 'open'],
  ['disabled', 'disabled'],
  ['pending', 'open'],
  ['processing', 'open'],
  ['completed', 'completed'],
  ['settled', 'completed'],
  ['failed', 'failed'],
  ['expired', 'expired'],
  ['TRANSACTION_STATUS_PROCESSING', 'open'],
  ['TRANSACTION_STATUS_COMPLETED', 'completed'],
  ['TRANSACTION_STATUS_FAILED', 'failed'],
])

/**
 * Reads the name of a state. A name that is not known is `open`: never final, so the money stays where it is until the
 * provider says something that is understood.
 */
export function progressOf(status: string): Progress {
  return meanings.get(status) ?? 'open'
}
