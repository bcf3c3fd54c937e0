import { OutgoingError } from '../../../lib/http/outgoing-error.ts'
import type { NodeHealth } from '../backend.ts'
import { type LndApi, LndError, LndUnreadable } from './lnd-api.ts'

type NotReady = Exclude<NodeHealth, { state: 'ready' }>

const HEALTH_TIMEOUT_MS = 3_000

/** gRPC's Unavailable: lnd is starting, or its wallet is locked. */
const UNAVAILABLE = 14

/** The methods that the backend calls; the macaroon needs a right to each of them. */
export const LND_METHODS = [
  '/lnrpc.Lightning/GetInfo',
  '/lnrpc.Lightning/ChannelBalance',
  '/lnrpc.Lightning/ListChannels',
  '/lnrpc.Lightning/AddInvoice',
  '/lnrpc.Lightning/LookupInvoice',
  '/lnrpc.Lightning/ListInvoices',
  '/lnrpc.Lightning/SubscribeInvoices',
  '/lnrpc.Lightning/CheckMacaroonPermissions',
  '/invoicesrpc.Invoices/CancelInvoice',
  '/routerrpc.Router/SendPaymentV2',
  '/routerrpc.Router/TrackPaymentV2',
] as const

/** The command that makes a macaroon which can do what the backend needs, and nothing else. */
export const BAKE_MACAROON = `lncli bakemacaroon --save_to satchel.macaroon ${LND_METHODS.map((name) => `uri:${name}`).join(' ')}`

/** How the node is. Never throws. */
export async function checkHealth(api: LndApi, url: string): Promise<NodeHealth> {
  try {
    const info = await api.getInfo({ timeoutMs: HEALTH_TIMEOUT_MS })
    if (info.synced_to_chain) return { state: 'ready', height: info.block_height }
    return {
      state: 'syncing',
      reason: `lnd is behind the chain, at block ${info.block_height}. Wait until "lncli getinfo" shows synced_to_chain.`,
    }
  } catch (error) {
    return explain(error, url)
  }
}

/** The methods of `LND_METHODS` that the macaroon does not permit. Moves nothing. Throws when lnd does not answer. */
export async function missingRights(api: LndApi): Promise<string[]> {
  const missing: string[] = []
  for (const method of LND_METHODS) if (!(await permits(api, method))) missing.push(method)
  return missing
}

async function permits(api: LndApi, method: string): Promise<boolean> {
  try {
    return await api.permits(method)
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
      reason: `lnd does not accept the macaroon. Make one with: ${BAKE_MACAROON} – and name it in LND_MACAROON_FILE. Details: ${message}`,
    }
  }
  return { state: 'starting', reason: `lnd cannot answer now. Details: ${message}` }
}
