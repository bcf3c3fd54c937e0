/** What the state of any resource, at any provider, means for the person who waits. */
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
 * Returns the meaning of a state's name. An unknown name counts as `open`, which is never final, so the money stays
 * where it is until the provider reports a known state.
 */
export function progressOf(status: string): Progress {
  return meanings.get(status) ?? 'open'
}
