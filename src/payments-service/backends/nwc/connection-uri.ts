import { ConnectionFault, type NwcConnection, readConnection } from '../../../lib/nostr/wallet-connect/connection.ts'
import { Problem } from '../../../lib/problem.ts'

const HOW =
  'Make a new connection in your wallet (which calls it Nostr Wallet Connect, NWC, or app connection) and put the whole text, which begins with nostr+walletconnect://, into NWC_URI_FILE.'

/** Reads the node's connection URI. Throws Problem for an invalid URI, without showing the secret. */
export function readConnectionUri(text: string): NwcConnection {
  try {
    return readConnection(text)
  } catch (error) {
    if (!(error instanceof ConnectionFault)) throw error
    throw new Problem(`NWC_URI ${inWords(error)}. ${HOW}`)
  }
}

function inWords({ fault, relay }: ConnectionFault): string {
  switch (fault) {
    case 'no-connection':
      return 'is not a Nostr Wallet Connect URI'
    case 'no-wallet':
      return 'has no public key of a wallet'
    case 'no-secret':
      return 'has no secret, or only a part of it'
    case 'no-relay':
      return 'contains no relay'
    case 'unsafe-relay':
      return `names the relay ${relay}. Only wss:// is safe, or ws:// on this machine`
  }
}
