import { getPublicKey } from 'nostr-tools/pure'
import { hexToBytes } from 'nostr-tools/utils'

/** The content of a `nostr+walletconnect://` URI: the wallet, the relays, and the key. */
export interface NwcConnection {
  /** The wallet's public key in hex. */
  readonly walletPubkey: string
  readonly relays: readonly string[]
  /** The connection's secret key, in hex. It grants the right to spend. */
  readonly secret: string
  /** The wallet's Lightning Address, if the URI contains one. It is unchecked. */
  readonly lud16?: string
}

/** What is wrong with a text that should be a connection URI. */
export type ConnectionFaultKind = 'no-connection' | 'no-wallet' | 'no-secret' | 'no-relay' | 'unsafe-relay'

/** Thrown for a text that is not a usable connection URI. The message never contains the secret. */
export class ConnectionFault extends Error {
  override readonly name = 'ConnectionFault'
  readonly fault: ConnectionFaultKind
  /** For `unsafe-relay`, the relay's address; otherwise empty. */
  readonly relay: string

  constructor(fault: ConnectionFaultKind, relay = '') {
    super(`the connection cannot be used: ${fault}`)
    this.fault = fault
    this.relay = relay
  }
}

const KEY = /^[0-9a-f]{64}$/
const SCHEME = /^nostr\+?walletconnect:/i
/** Matches a connection URI anywhere in a text, up to the place where the secret follows. */
const INSIDE_TEXT = /nostr(?:\+|%2b)?walletconnect:\S*secret=/i

/** Whether a text contains a connection URI. Everybody who reads such a text could spend from the wallet. */
export function holdsConnection(text: string): boolean {
  return INSIDE_TEXT.test(text)
}

/** Reads a connection URI (NIP-47, "Nostr Wallet Connect URI"). Throws ConnectionFault if it cannot be used. */
export function readConnection(text: string): NwcConnection {
  const uri = text.trim()
  if (!SCHEME.test(uri) || !URL.canParse(uri)) throw new ConnectionFault('no-connection')
  const url = new URL(uri)
  const walletPubkey = (url.host || url.pathname.replace(/^\/*/, '')).toLowerCase()
  const relays = url.searchParams.getAll('relay')
  const secret = (url.searchParams.get('secret') ?? '').toLowerCase()
  const lud16 = url.searchParams.get('lud16')?.trim()
  return usableConnection({ walletPubkey, relays, secret, ...(lud16 ? { lud16 } : {}) })
}

/** Returns the connection unchanged if it can be used, and throws ConnectionFault otherwise. */
export function usableConnection(connection: NwcConnection): NwcConnection {
  const { walletPubkey, relays, secret } = connection
  if (!KEY.test(walletPubkey)) throw new ConnectionFault('no-wallet')
  if (!KEY.test(secret) || /^0+$/.test(secret)) throw new ConnectionFault('no-secret')
  if (relays.length === 0) throw new ConnectionFault('no-relay')
  for (const relay of relays) refuseUnsafeRelay(relay)
  return connection
}

/**
 * Throws ConnectionFault if the connection to a relay would not be encrypted. A relay itself can delay or withhold
 * messages, but nobody else along the way may be able to.
 */
function refuseUnsafeRelay(relay: string): void {
  const url = URL.canParse(relay) ? new URL(relay) : undefined
  const isLoopback = url !== undefined && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)
  if (url?.protocol === 'wss:' || (url?.protocol === 'ws:' && isLoopback)) return
  throw new ConnectionFault('unsafe-relay', relay.slice(0, 100))
}

/** Returns the public key of this side of a connection, in hex. The key identifies the connection and is not secret. */
export function publicKeyOf({ secret }: Pick<NwcConnection, 'secret'>): string {
  return getPublicKey(hexToBytes(secret))
}
