import { PaymentsError } from '../../../payments-api/payments-api.ts'
import { providerWords } from '../../core/provider-words.ts'
import type { Failed, OutgoingKind, OutgoingRow, Unknown } from './outgoing.ts'

/** Reads the failure of a request that was the first under its key. Throws errors that are not the provider's. */
export function outcomeOfError<Row extends OutgoingRow>(
  kind: Pick<OutgoingKind<Row>, 'name' | 'failureOf'>,
  error: unknown,
): Failed | Unknown {
  if (!(error instanceof PaymentsError)) throw error
  if (error.happened === 'maybe') return { kind: 'unknown', evidence: error.message }
  return kind.failureOf?.(error) ?? failureOf(error)
}

/** The failure behind an error that proves that nothing was sent. */
export function failureOf(error: PaymentsError): Failed {
  const reason = error.kind === 'refused' ? providerWords(error) : null
  return { kind: 'failed', because: isAway(error) ? 'unreachable' : 'refused', reason }
}

/** Whether the provider was not there to say anything, or had no time for it. */
export function isAway({ kind, status }: PaymentsError): boolean {
  return kind !== 'refused' || status === 503 || status === 429
}
