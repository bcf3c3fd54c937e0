import { getPublicKey } from 'nostr-tools/pure'
import { hexToBytes } from 'nostr-tools/utils'

/** Contents of a `nostr+walletconnect://` URI: the wallet, the relays, and the key. */
export interface NwcConnection {
  /** Hex public key of the wallet. */
  readonly walletPubkey: string
  readonly relays: readonly string[]
  /** Hex. It is the right to spend. */
  readonly secret: string
  /** The wallet's Lightning Address, where the URI names one. Not checked. */
  readonly lud16?: string
}

/** Faults of a text that should be a connection URI. */
export type ConnectionFaultKind = 'no-connection' | 'no-wallet' | 'no-secret' | 'no-relay' | 'unsafe-relay'

/** A text is not a connection URI, or none that can be used. It never quotes the secret. */
export class ConnectionFault extends Error {
  override readonly name = 'ConnectionFault'
  readonly fault: ConnectionFaultKind
  /** For `unsafe-relay`: the relay. */
  readonly relay: string

  constructor(fault: ConnectionFaultKind, relay = '') {
    super(`the connection cannot be used: ${fault}`)
    this.fault = fault
    this.relay = relay
  }
}

const KEY = /^[0-9a-f]{64}$/
const SCHEME = /^nostr\+?walletconnect:/i
/** The start of a connection anywhere in a text; a secret may follow. */
const INSIDE_TEXT = /nostr(?:\+|%2b)?walletconnect:\S*secret=/i

/** Whether a text holds a connection URI: everybody who reads the text could spend. */
export function holdsConnection(text: string): boolean {
  return INSIDE_TEXT.test(text)
}

/** Reads a connection URI (NIP-47, "Nostr Wallet Connect URI"). Throws ConnectionFault. */
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

/** The connection as it is, if it can be used. Throws ConnectionFault. */
export function usableConnection(connection: NwcConnection): NwcConnection {
  const { walletPubkey, relays, secret } = connection
  if (!KEY.test(walletPubkey)) throw new ConnectionFault('no-wallet')
  if (!KEY.test(secret) || /^0+$/.test(secret)) throw new ConnectionFault('no-secret')
  if (relays.length === 0) throw new ConnectionFault('no-relay')
  for (const relay of relays) refuseUnsafeRelay(relay)
  return connection
}

/** A relay could delay or hold back what passes through it, so at least nobody else on the way may. */
function refuseUnsafeRelay(relay: string): void {
  const url = URL.canParse(relay) ? new URL(relay) : undefined
  const isLoopback = url !== undefined && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)
  if (url?.protocol === 'wss:' || (url?.protocol === 'ws:' && isLoopback)) return
  throw new ConnectionFault('unsafe-relay', relay.slice(0, 100))
}

/** The public key of our side of a connection, hex: it tells one connection from another, and is not a secret. */
export function publicKeyOf({ secret }: Pick<NwcConnection, 'secret'>): string {
  return getPublicKey(hexToBytes(secret))
}
