import type { LookupFunction } from 'node:net'
import { guardedLookup } from '../http/guarded-connection.ts'
import { mayConnect, readOutgoingUrl } from '../http/outgoing-url.ts'
import type { Resolve } from '../http/resolve-name.ts'

/**
 * Reads the address of a stranger's relay, and returns it as an http or https address, because the same rules apply to
 * both. Throws FetchRefused if the address is forbidden, and Error if it is not the address of a relay.
 */
export function readRelayUrl(text: string, allowLoopback: boolean): URL {
  // The rules for `wss` and `ws` are those for https and http.
  if (!/^wss?:\/\//i.test(text)) throw new Error('this is not the address of a relay')
  return readOutgoingUrl(text.replace(/^ws/i, 'http'), allowLoopback)
}

/** Whether the address of a relay is permitted, as far as this can be told without resolving its name. */
export function isRelayUrl(text: string, allowLoopback: boolean): boolean {
  try {
    return readRelayUrl(text, allowLoopback) instanceof URL
  } catch {
    return false
  }
}

/**
 * Returns the look-up for a connection to a stranger's relay. It finds only addresses on the public Internet and, if
 * permitted, those of this machine.
 */
export function relayLookup({ protocol }: URL, resolve: Resolve, allowLoopback: boolean): LookupFunction {
  return guardedLookup(resolve, (address) => mayConnect(protocol, address, allowLoopback))
}
