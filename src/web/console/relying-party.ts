import type { FastifyRequest } from 'fastify'

/** The console's address in a browser, if passkeys work there. */
export interface RelyingParty {
  /** In the browsers' form of what is signed, such as `https://tips.example`. */
  readonly origin: string
  /** The host's name: to what a passkey belongs (WebAuthn, "RP ID"). */
  readonly rpId: string
}

/**
 * Browsers permit passkeys over https, and at `localhost` on the machine itself; an IP address has none. Only the
 * public address counts, whatever a request's host. Undefined if passkeys cannot work at the address, or if
 * a program other than a browser sends none.
 */
export function placeOf(
  { headers }: Pick<FastifyRequest, 'headers'>,
  publicUrl: string | undefined,
): RelyingParty | undefined {
  const url = URL.parse(headers.origin ?? '')
  if (url === null) return undefined
  const isPublic = url.origin === httpsOrigin(publicUrl)
  return isPublic || url.hostname === 'localhost' ? { origin: url.origin, rpId: url.hostname } : undefined
}

/** The public address, where passkeys work there. */
export function httpsOrigin(publicUrl: string | undefined): string | undefined {
  if (!publicUrl?.startsWith('https:')) return undefined
  const { origin, hostname } = new URL(publicUrl)
  return /^[\d.]+$|^\[/.test(hostname) ? undefined : origin
}
