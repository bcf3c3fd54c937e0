import { isIP } from 'node:net'
import { FetchRefused } from './outgoing-error.ts'
import { addressKind } from './public-address.ts'

/**
 * Ports above 1023 that the Fetch standard ("bad port") forbids to clients. Lower ports are forbidden here anyway,
 * except the scheme's own.
 */
const BAD_PORTS = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080,
])

/**
 * Reads a stranger's address, and judges it as far as possible before its name is resolved. Throws FetchRefused for an
 * address that is forbidden whatever its name resolves to. `base` is the address that redirects here, and `sent` says
 * whether anything was sent before. `URL` itself normalizes hosts such as 0x7f.1.
 */
export function readOutgoingUrl(text: string, allowLoopback: boolean, from: { base?: URL; sent?: boolean } = {}): URL {
  const { base, sent = false } = from
  const url = URL.canParse(text, base?.href) ? new URL(text, base) : undefined
  if (url === undefined) throw new FetchRefused('not-a-url', 'this is not a URL', sent)
  if (url.protocol !== 'https:' && !(allowLoopback && url.protocol === 'http:')) {
    throw new FetchRefused('scheme', `only https is allowed, not ${url.protocol.slice(0, 20)}`, sent)
  }
  if (url.username !== '' || url.password !== '') {
    throw new FetchRefused('credentials', 'a URL must not contain a user name or password', sent)
  }
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  if (BAD_PORTS.has(port) || (port < 1024 && url.port !== '')) {
    throw new FetchRefused('port', `port ${port} is not a port for web servers`, sent)
  }
  const address = literalAddress(url.hostname)
  if (address !== undefined && !mayConnect(url.protocol, address, allowLoopback)) {
    throw notPublic(url.hostname, sent)
  }
  return url
}

/** Whether an address is permitted, as far as its unresolved name shows. */
export function mayBeAsked(text: string, allowLoopback: boolean): boolean {
  try {
    return readOutgoingUrl(text, allowLoopback) instanceof URL
  } catch {
    return false
  }
}

/** Whether an address leads to the machine of the person who opens it, as far as its unresolved name shows. */
export function isOfThisMachine(url: string): boolean {
  const address = literalAddress(new URL(url).hostname)
  return address !== undefined && addressKind(address) === 'loopback'
}

/**
 * Whether a connection to an IP address is permitted: with https to public addresses; if loopback is permitted, with
 * either scheme to this machine.
 */
export function mayConnect(protocol: string, address: string, allowLoopback: boolean): boolean {
  const kind = addressKind(address)
  return (kind === 'public' && protocol === 'https:') || (kind === 'loopback' && allowLoopback)
}

/** Returns the refusal of a host that is not public. */
export function notPublic(hostname: string, sent = false): FetchRefused {
  return new FetchRefused('address', `${hostname} is not on the public Internet`, sent)
}

/** Returns the IP address that a host names without a resolver. `localhost` is always this machine (RFC 6761, §6.3). */
function literalAddress(hostname: string): string | undefined {
  if (/(^|\.)localhost\.?$/.test(hostname)) return '127.0.0.1'
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(bare) === 0 ? undefined : bare
}
