import type { LnurlOptions } from '../../lib/lightning/lnurl.ts'
import type { ServiceParts } from '../engine/service-parts.ts'

/** How codes and addresses that a person types are read: those that lead here need no encryption on the way. */
export function urlRules({ settings, publicUrl }: Pick<ServiceParts, 'settings' | 'publicUrl'>): LnurlOptions {
  return { allowLoopbackHttp: settings.outgoingAllowLoopback, ownHost: new URL(publicUrl).host }
}

/**
 * The path below our public URL that `url` leads to, such as `/.well-known/lnurlp/alice`; undefined for another host.
 */
export function ownPath({ publicUrl }: Pick<ServiceParts, 'publicUrl'>, url: URL): string | undefined {
  const own = new URL(publicUrl)
  if (url.host !== own.host) return undefined
  return own.pathname !== '/' && url.pathname.startsWith(own.pathname)
    ? url.pathname.slice(own.pathname.length)
    : url.pathname
}
