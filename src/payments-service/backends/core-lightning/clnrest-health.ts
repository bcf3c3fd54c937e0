import { OutgoingError } from '../../../lib/http/outgoing-error.ts'
import type { NotReady } from '../backend.ts'
import { ClnError, ClnUnreadable, RUNE_REFUSALS } from './clnrest.ts'
import { NEW_RUNE } from './clnrest-rights.ts'

const INVALID_PARAMS = -32602

/** Explains to the operator why Core Lightning did not answer as expected. */
export function explainClnError(error: unknown, url: string): NotReady {
  if (error instanceof ClnUnreadable) {
    const reason = `What answers at ${url} is not Core Lightning's REST interface. Set CORE_LIGHTNING_REST_URL to the address that clnrest listens on (clnrest-host and clnrest-port in the node's configuration).`
    return { state: 'away', reason }
  }
  if (error instanceof ClnError) return explainRefusal(error)
  if (error instanceof OutgoingError && error.reason === 'tls') {
    const reason = `The certificate of ${url} was not issued by the one in CORE_LIGHTNING_CA_FILE. Copy ca.pem from the node's folder for its network (for example ~/.lightning/bitcoin/ca.pem) once more. Details: ${error.message}`
    return { state: 'refused', reason }
  }
  const reason = `Core Lightning does not answer at ${url}. Start lightningd with clnrest-port set, and check CORE_LIGHTNING_REST_URL. Details: ${error instanceof Error ? error.message : String(error)}`
  return { state: 'away', reason }
}

function explainRefusal({ code, message }: ClnError): NotReady {
  if (code === null) {
    return {
      state: 'starting',
      reason: `clnrest answers, but lightningd does not. Start lightningd. Details: ${message}`,
    }
  }
  if (RUNE_REFUSALS.includes(code) || code === INVALID_PARAMS) {
    return { state: 'refused', reason: `Core Lightning does not accept the rune. ${NEW_RUNE} Details: ${message}` }
  }
  return { state: 'starting', reason: `Core Lightning cannot answer now. Details: ${message}` }
}
