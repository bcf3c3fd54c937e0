import type { NwcMethod } from '../../../lib/nostr/wallet-connect/nwc-messages.ts'
import type { NotReady } from '../backend.ts'

/** The advice to an operator whose connection lacks a right. */
export const NEW_CONNECTION =
  'Make a new connection in the wallet that may receive, send, read its balance and list transactions, and put its URI into NWC_URI_FILE.'

/** The methods that the service's own wallet must permit. */
export const NEEDED_METHODS = [
  'get_info',
  'get_balance',
  'make_invoice',
  'lookup_invoice',
  'pay_invoice',
  'list_transactions',
] as const satisfies readonly NwcMethod[]

/** Returns the needed methods that the connection does not permit. */
export function missingMethods(methods: readonly string[]): NwcMethod[] {
  return NEEDED_METHODS.filter((method) => !methods.includes(method))
}

export function explainMissingMethods(missing: readonly NwcMethod[]): NotReady {
  return { state: 'refused', reason: `The connection may not use ${missing.join(', ')}. ${NEW_CONNECTION}` }
}
