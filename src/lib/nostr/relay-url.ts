import type { LookupFunction } from 'node:net'
import { guardedLookup } from '../http/guarded-connection.ts'
import { mayConnect, readOutgoingUrl } from '../http/outgoing-url.ts'
import type { Resolve } from '../http/resolve-name.ts'

/**
 * Reads a stranger's relay address as an http address. The rules for http addresses apply. Throws FetchRefused for a
 * forbidden address.
 */
export function readRelayUrl(text: string, allowLoopback: boolean): URL {
  // The rules for `wss` and `ws` are those for https and http.
  if (!/^wss?:\/\//i.test(text)) throw new Error('this is not the address of a relay')
  return readOutgoingUrl(text.replace(/^ws/i, 'http'), allowLoopback)
}

/** Whether a relay is permitted, as far as its unresolved name shows. */
export function isRelayUrl(text: string, allowLoopback: boolean): boolean {
  try {
    return readRelayUrl(text, allowLoopback) instanceof URL
  } catch {
    return false
  }
}

/**
 * Returns the look-up for a connection to a stranger's relay: only addresses on the public Internet, or this machine if
 * that is permitted.
 */
export function relayLookup({ protocol }: URL, resolve: Resolve, allowLoopback: boolean): LookupFunction {
  return guardedLookup(resolve, (address) => mayConnect(protocol, address, allowLoopback))
}
