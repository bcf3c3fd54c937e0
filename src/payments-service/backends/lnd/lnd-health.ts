import { OutgoingError } from '../../../lib/http/outgoing-error.ts'
import type { NodeHealth } from '../backend.ts'
import { type LndApi, LndError, LndUnreadable } from './lnd-api.ts'

type NotReady = Exclude<NodeHealth, { state: 'ready' }>

const HEALTH_TIMEOUT_MS = 3_000

/** gRPC's Unavailable: lnd is starting, or its wallet is locked. */
const UNAVAILABLE = 14

/** The methods that the backend calls, each with lnd's entity and action that also permit it. */
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

const NEW_MACAROON = `Make one with "${BAKE_MACAROON}", and name its file in LND_MACAROON_FILE.`

/** Returns the node's state. `rights` also checks the macaroon. Never throws. */
export async function checkHealth(
  api: LndApi,
  url: string,
  rights: () => Promise<NotReady | undefined>,
): Promise<NodeHealth> {
  try {
    const info = await api.getInfo({ timeoutMs: HEALTH_TIMEOUT_MS })
    if (info.synced_to_chain) return (await rights()) ?? { state: 'ready', height: info.block_height }
    return {
      state: 'syncing',
      reason: `lnd is behind the chain, at block ${info.block_height}. Wait until "lncli getinfo" shows synced_to_chain.`,
    }
  } catch (error) {
    return explain(error, url)
  }
}

/** Explains which rights the macaroon lacks; undefined if none. Moves nothing. Throws if lnd does not answer. */
export async function checkRights(api: LndApi): Promise<NotReady | undefined> {
  const answers = await Promise.all(LND_METHODS.map(async (method) => ({ method, is: await permits(api, method) })))
  const missing = answers.filter(({ is }) => !is).map(({ method }) => method)
  if (missing.length === 0) return undefined
  return { state: 'refused', reason: `The macaroon may not call ${missing.join(', ')}. ${NEW_MACAROON}` }
}

async function permits(api: LndApi, method: LndMethod): Promise<boolean> {
  const [entity, action] = RIGHTS[method]
  try {
    return await api.permits({ entity, action }, method, { timeoutMs: HEALTH_TIMEOUT_MS })
  } catch (error) {
    if (error instanceof LndError) return false
    throw error
  }
}

function explain(error: unknown, url: string): NotReady {
  if (error instanceof LndUnreadable) {
    return {
      state: 'away',
      reason: `The server at ${url} does not answer as lnd's REST interface does. Set LND_REST_URL to lnd's restlisten address. Details: ${error.message}`,
    }
  }
  if (error instanceof LndError) return explainRefusal(error)
  if (error instanceof OutgoingError && error.reason === 'tls') {
    return {
      state: 'refused',
      reason: `The certificate of ${url} is not the one in LND_TLS_CERT_FILE, or does not name this host. Copy tls.cert from lnd's folder once more; add the host to tlsextraip or tlsextradomain in lnd.conf if it is missing. Details: ${error.message}`,
    }
  }
  const details = error instanceof Error ? error.message : String(error)
  return {
    state: 'away',
    reason: `lnd does not answer at ${url}. Start it, and check LND_REST_URL. Details: ${details}`,
  }
}

function explainRefusal({ code, message }: LndError): NotReady {
  if (
    code === UNAVAILABLE ||
    /wallet (is )?(locked|not found|not created)|unlock|starting up|not yet ready/i.test(message)
  ) {
    return {
      state: 'starting',
      reason: `lnd is not ready. Unlock its wallet, or wait until it has started. Details: ${message}`,
    }
  }
  if (/macaroon|permission denied|verification failed/i.test(message)) {
    return {
      state: 'refused',
      reason: `lnd does not accept the macaroon. ${NEW_MACAROON} Details: ${message}`,
    }
  }
  return { state: 'starting', reason: `lnd cannot answer now. Details: ${message}` }
}
