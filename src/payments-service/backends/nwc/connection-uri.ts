import { Problem } from '../../../lib/problem.ts'

/** What a `nostr+walletconnect://` URI says: whom to ask, over which relays, and with which key. */
export interface NwcConnection {
  /** Hex public key of the wallet. */
  readonly walletPubkey: string
  readonly relays: readonly string[]
  /** Hex. It is the right to spend. */
  readonly secret: string
}

const KEY = /^[0-9a-f]{64}$/
const HOW =
  'Make a new connection in your wallet (it calls it Nostr Wallet Connect, NWC, or app connection) and put the whole text, which begins with nostr+walletconnect://, into NWC_URI_FILE.'

/** Reads a connection URI (NIP-47, "Nostr Wallet Connect URI"). Throws Problem, without showing the secret. */
export function readConnectionUri(text: string): NwcConnection {
  const uri = text.trim()
  if (!/^nostr\+?walletconnect:/i.test(uri) || !URL.canParse(uri)) {
    throw new Problem(`NWC_URI is not a Nostr Wallet Connect URI. ${HOW}`)
  }
  const url = new URL(uri)
  const walletPubkey = (url.host || url.pathname.replace(/^\/*/, '')).toLowerCase()
  const relays = url.searchParams.getAll('relay')
  const secret = (url.searchParams.get('secret') ?? '').toLowerCase()
  if (!KEY.test(walletPubkey)) throw new Problem(`NWC_URI has no public key of a wallet. ${HOW}`)
  if (!KEY.test(secret)) throw new Problem(`NWC_URI has no secret, or only a part of it. ${HOW}`)
  if (relays.length === 0) throw new Problem(`NWC_URI names no relay. ${HOW}`)
  for (const relay of relays) refuseUnsafeRelay(relay)
  return { walletPubkey, relays, secret }
}

/** A relay could delay or hold back what passes through it, so at least nobody else on the way may. */
function refuseUnsafeRelay(relay: string): void {
  const url = URL.canParse(relay) ? new URL(relay) : undefined
  const isLoopback = url !== undefined && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)
  if (url?.protocol === 'wss:' || (url?.protocol === 'ws:' && isLoopback)) return
  throw new Problem(`NWC_URI names the relay ${relay}. Only wss:// is safe, or ws:// on this machine. ${HOW}`)
}
