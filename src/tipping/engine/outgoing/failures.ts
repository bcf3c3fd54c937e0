import { PaymentsError } from '../../../payments-api/payments-api.ts'
import { providerWords } from '../../core/provider-words.ts'
import type { Failed, OutgoingKind, OutgoingRow, Unknown } from './outgoing.ts'

/**
 * Returns the outcome that follows from the error of the first request under a key. Rethrows errors that do not come
 * from the provider.
 */
export function outcomeOfError<Row extends OutgoingRow>(
  kind: Pick<OutgoingKind<Row>, 'name' | 'failureOf'>,
  error: unknown,
): Failed | Unknown {
  if (!(error instanceof PaymentsError)) throw error
  if (error.happened === 'maybe') return { kind: 'unknown', evidence: error.message }
  return kind.failureOf?.(error) ?? failureOf(error)
}

/** Returns the failure for an error that proves that nothing was sent. */
export function failureOf(error: PaymentsError): Failed {
  const reason = error.kind === 'refused' ? providerWords(error) : null
  return { kind: 'failed', because: isAway(error) ? 'unreachable' : 'refused', reason }
}

/** Whether the provider was unreachable or too busy to answer. */
export function isAway({ kind, status }: PaymentsError): boolean {
  return kind !== 'refused' || status === 503 || status === 429
}
