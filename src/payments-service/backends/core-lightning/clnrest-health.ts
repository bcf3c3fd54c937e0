import { OutgoingError } from '../../../lib/http/outgoing-error.ts'
import type { BackendCapabilities, NodeHealth } from '../backend.ts'
import {
  CLN_METHODS,
  ClnError,
  type ClnMethod,
  type Clnrest,
  ClnUnreadable,
  CREATE_RUNE,
  OFFER_METHODS,
  RUNE_REFUSALS,
} from './clnrest.ts'

type NotReady = Exclude<NodeHealth, { state: 'ready' }>

const INVALID_PARAMS = -32602
const NO_SUCH_METHOD = -32601

const NEW_RUNE = `Make one with ${CREATE_RUNE} and put it into CORE_LIGHTNING_RUNE_FILE.`

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

/** Calls that show whether the rune permits a method, without changing or sending anything. */
const HARMLESS: Readonly<Record<ClnMethod, Readonly<Record<string, unknown>>>> = {
  getinfo: {},
  listpeerchannels: {},
  // These lack required parameters, so they are refused after the rune has been accepted.
  invoice: {},
  delinvoice: {},
  xpay: {},
  listinvoices: { payment_hash: '00'.repeat(32) },
  listpays: { payment_hash: '00'.repeat(32) },
  waitanyinvoice: { timeout: 0 },
  fetchinvoice: {},
  fetchbip353: {},
  offer: {},
}

/** Returns the methods that the rune does not permit. Moves nothing. Throws if the node does not answer. */
export async function missingRights(rpc: Clnrest, timeoutMs: number): Promise<ClnMethod[]> {
  const permitted = await Promise.all(CLN_METHODS.map((method) => isPermitted(rpc, method, timeoutMs)))
  return CLN_METHODS.filter((_, at) => permitted[at] === false)
}

/**
 * Returns the node's abilities with offers that the rune permits; `fetchbip353` needs v25.09. Moves nothing, and asks
 * nobody else. Throws if the node does not answer.
 */
export async function offerRights(
  rpc: Clnrest,
  timeoutMs: number,
): Promise<Pick<BackendCapabilities, 'offers' | 'bitcoinNames' | 'ownOffers'>> {
  const [offers = false, names = false, ownOffers = false] = await Promise.all(
    OFFER_METHODS.map((method) => isPermitted(rpc, method, timeoutMs, NO_SUCH_METHOD)),
  )
  return { offers, bitcoinNames: offers && names, ownOffers }
}

async function isPermitted(
  rpc: Clnrest,
  method: ClnMethod,
  timeoutMs: number,
  ...alsoMissing: readonly number[]
): Promise<boolean> {
  try {
    await rpc.call(method, HARMLESS[method], { timeoutMs })
    return true
  } catch (error) {
    if (!(error instanceof ClnError) || error.code === null) throw error
    return ![...RUNE_REFUSALS, ...alsoMissing].includes(error.code)
  }
}

export function explainMissingRights(missing: readonly ClnMethod[]): NotReady {
  return { state: 'refused', reason: `The rune may not call ${missing.join(', ')}. ${NEW_RUNE}` }
}
