import type { Config } from '../config/config.ts'
import type { Logger } from '../lib/logger.ts'

/** A public address of this installation, and the variable that contains it. */
export interface PublicAddress {
  readonly variable: 'SERVICE_PUBLIC_URL' | 'CALLBACK_PUBLIC_URL'
  readonly url: string | undefined
}

/**
 * Warns if a public address belongs to a proxy that TRUST_PROXY does not name. Satchel's servers use http, so an https
 * address belongs to a proxy. If TRUST_PROXY does not name the proxy, all callers look like one.
 */
export function warnOfUnnamedProxy(
  { variable, url }: PublicAddress,
  { trustProxy }: Pick<Config['service'], 'trustProxy'>,
  logger: Logger,
): void {
  if (trustProxy !== false || !url?.startsWith('https:')) return
  logger.warn(
    { publicUrl: url },
    `${variable} is an https address, so a proxy stands before it, but TRUST_PROXY does not name it: all callers count as ` +
      'one, and one stranger can use up the limit of all. Set TRUST_PROXY=true for a proxy on this machine or its private ' +
      'network, otherwise to its address',
  )
}
