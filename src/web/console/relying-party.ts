import type { FastifyRequest } from 'fastify'

/** The console's address in a browser, if passkeys work there. */
export interface RelyingParty {
  /** The origin in the form that browsers sign, such as `https://tips.example`. */
  readonly origin: string
  /** The host's name, to which a passkey belongs (WebAuthn, "RP ID"). */
  readonly rpId: string
}

/**
 * Finds the address at which a browser can use passkeys. Browsers permit passkeys over https and at `localhost`, but
 * not at an IP address. Of the https addresses, only the public address counts. Undefined if passkeys cannot work at
 * the browser's address, or if the caller sends no origin because it is not a browser.
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

/** Returns the public address's origin, if passkeys work there. */
export function httpsOrigin(publicUrl: string | undefined): string | undefined {
  if (!publicUrl?.startsWith('https:')) return undefined
  const { origin, hostname } = new URL(publicUrl)
  return /^[\d.]+$|^\[/.test(hostname) ? undefined : origin
}
