import type { NotReady } from '../backend.ts'
import { type LndApi, LndError } from './lnd-api.ts'

const CHECK_TIMEOUT_MS = 3_000

/** The methods that the backend calls, each with the entity and the action that also permit it in lnd. */
const RIGHTS = {
  '/lnrpc.Lightning/GetInfo': ['info', 'read'],
  '/lnrpc.Lightning/ChannelBalance': ['offchain', 'read'],
  '/lnrpc.Lightning/ListChannels': ['offchain', 'read'],
  '/lnrpc.Lightning/AddInvoice': ['invoices', 'write'],
  '/lnrpc.Lightning/LookupInvoice': ['invoices', 'read'],
  '/lnrpc.Lightning/ListInvoices': ['invoices', 'read'],
  '/lnrpc.Lightning/SubscribeInvoices': ['invoices', 'read'],
  '/lnrpc.Lightning/ListPayments': ['offchain', 'read'],
  '/lnrpc.Lightning/CheckMacaroonPermissions': ['macaroon', 'read'],
  '/invoicesrpc.Invoices/CancelInvoice': ['invoices', 'write'],
  '/routerrpc.Router/SendPaymentV2': ['offchain', 'write'],
  '/routerrpc.Router/TrackPaymentV2': ['offchain', 'read'],
} as const

export type LndMethod = keyof typeof RIGHTS
export const LND_METHODS = Object.keys(RIGHTS) as LndMethod[]

/** The command that makes a macaroon with exactly the rights that the backend needs. */
export const BAKE_MACAROON = `lncli bakemacaroon --save_to satchel.macaroon ${LND_METHODS.map((name) => `uri:${name}`).join(' ')}`

/** The advice to an operator whose macaroon lacks a right. */
export const NEW_MACAROON = `Make one with "${BAKE_MACAROON}", and name its file in LND_MACAROON_FILE.`

/**
 * Explains which rights the macaroon lacks; resolves to undefined if it lacks none. Moves nothing. Throws if lnd does
 * not answer.
 */
export async function checkRights(api: LndApi): Promise<NotReady | undefined> {
  const answers = await Promise.all(LND_METHODS.map(async (method) => ({ method, is: await permits(api, method) })))
  const missing = answers.filter(({ is }) => !is).map(({ method }) => method)
  if (missing.length === 0) return undefined
  return { state: 'refused', reason: `The macaroon may not call ${missing.join(', ')}. ${NEW_MACAROON}` }
}

async function permits(api: LndApi, method: LndMethod): Promise<boolean> {
  const [entity, action] = RIGHTS[method]
  try {
    return await api.permits({ entity, action }, method, { timeoutMs: CHECK_TIMEOUT_MS })
  } catch (error) {
    if (error instanceof LndError) return false
    throw error
  }
}
