import { OutgoingError } from '../../../lib/http/outgoing-error.ts'
import type { NodeHealth, NotReady } from '../backend.ts'
import { type LndApi, LndError, LndUnreadable } from './lnd-api.ts'
import { NEW_MACAROON } from './lnd-rights.ts'

const HEALTH_TIMEOUT_MS = 3_000

/** The gRPC code `Unavailable`: lnd is starting, or its wallet is locked. */
const UNAVAILABLE = 14

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
