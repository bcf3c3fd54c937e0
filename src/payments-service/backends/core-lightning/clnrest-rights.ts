import type { BackendCapabilities, NotReady } from '../backend.ts'
import {
  CLN_METHODS,
  ClnError,
  type ClnMethod,
  type Clnrest,
  CREATE_RUNE,
  OFFER_METHODS,
  RUNE_REFUSALS,
} from './clnrest.ts'

const NO_SUCH_METHOD = -32601

/** The advice to an operator whose rune lacks a right. */
export const NEW_RUNE = `Make one with ${CREATE_RUNE} and put it into CORE_LIGHTNING_RUNE_FILE.`

/** The parameters of calls that show whether the rune permits a method, without changing or sending anything. */
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

/** Returns the required methods that the rune does not permit. Moves nothing. Throws if the node does not answer. */
export async function missingRights(rpc: Clnrest, timeoutMs: number): Promise<ClnMethod[]> {
  const permitted = await Promise.all(CLN_METHODS.map((method) => isPermitted(rpc, method, timeoutMs)))
  return CLN_METHODS.filter((_, at) => permitted[at] === false)
}

/**
 * Returns which of the node's abilities with offers the rune permits; `fetchbip353` needs v25.09. Moves nothing, and
 * contacts only the node. Throws if the node does not answer.
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
