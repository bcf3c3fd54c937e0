import type { LnurlOptions } from '../../lib/lightning/lnurl.ts'
import type { ServiceParts } from '../engine/service-parts.ts'

/**
 * Returns the rules for reading typed codes and addresses. Codes and addresses of this service itself may use plain
 * http.
 */
export function urlRules({ settings, publicUrl }: Pick<ServiceParts, 'settings' | 'publicUrl'>): LnurlOptions {
  return { allowLoopbackHttp: settings.outgoingAllowLoopback, ownHost: new URL(publicUrl).host }
}

/** Returns the path of `url` below our public URL, such as `/.well-known/lnurlp/alice`; undefined for another host. */
export function ownPath({ publicUrl }: Pick<ServiceParts, 'publicUrl'>, url: URL): string | undefined {
  const own = new URL(publicUrl)
  if (url.host !== own.host) return undefined
  return own.pathname !== '/' && url.pathname.startsWith(own.pathname)
    ? url.pathname.slice(own.pathname.length)
    : url.pathname
}
