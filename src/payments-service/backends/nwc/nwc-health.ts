import { NwcNoAnswer, NwcUnreadable, NwcWalletError } from '../../../lib/nostr/wallet-connect/nwc-client.ts'
import type { NotReady } from '../backend.ts'
import { NEW_CONNECTION } from './nwc-rights.ts'

/** Explains to the operator why a wallet did not answer as expected. */
export function explainNwcError(error: unknown, relays: readonly string[]): NotReady {
  if (error instanceof NwcWalletError) {
    return {
      state: 'refused',
      reason: `The wallet refuses this connection. ${NEW_CONNECTION} Details: ${error.message}`,
    }
  }
  if (error instanceof NwcNoAnswer && error.missing === 'relays') {
    const reason = `No relay of NWC_URI takes a request (${relays.join(', ')}). Check that this machine reaches them; if a relay is gone, make a new connection in the wallet.`
    return { state: 'away', reason }
  }
  if (error instanceof NwcUnreadable) {
    return { state: 'away', reason: `The wallet answers in a way that Satchel cannot read. Details: ${error.message}` }
  }
  const reason =
    'The wallet does not answer over its relays. Check that it runs and is connected to the Internet, and that the connection was not deleted there. An old wallet that publishes nothing about itself needs NWC_ENCRYPTION=nip04.'
  return { state: 'away', reason }
}
