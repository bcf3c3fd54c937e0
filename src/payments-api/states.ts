/** What a state means for the person who waits, for every resource and provider. */
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
 * Reads a state's name. An unknown name is `open`: never final, so the money stays where it is until the provider
 * reports a known state.
 */
export function progressOf(status: string): Progress {
  return meanings.get(status) ?? 'open'
}
