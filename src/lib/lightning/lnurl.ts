import { bech32 } from '@scure/base'
import { readPasted } from '../pasted-text.ts'

/**
 * The error for a text that is not a code or address that a Lightning wallet can use. `message` is a sentence for a
 * person.
 */
export class InvalidLnurl extends Error {
  override readonly name = 'InvalidLnurl'
}

export interface LnurlOptions {
  /**
   * Whether plain http is accepted for loopback hosts, for development on one machine. Onion hosts always use http
   * (LUD-01).
   */
  readonly allowLoopbackHttp?: boolean
  /** The reader's own host, with its port. A code that leads there is not fetched, so any web scheme is accepted. */
  readonly ownHost?: string
}

export interface LightningAddress {
  /** The whole address, `user@host` or `user+tag@host`, in lower case. */
  readonly address: string
  /** The name before the `@`, with the tag if there is one. */
  readonly user: string
  /** The host name, with the port if there is one. */
  readonly host: string
  /** The URL of the pay parameters (LUD-16). */
  readonly url: URL
}

/** A length far beyond what any QR code can hold. */
const MAX_LENGTH = 8_192

/** LUD-17's schemes for the kinds of codes that we can use. */
const SCHEMES = /^(lnurlp|lnurlw):(\/\/)?/i

/**
 * Converts a URL to a bech32 code in lower case (LUD-01). The code of a fast withdrawal is far longer than bech32's 90
 * characters.
 */
export function encodeLnurl(url: string | URL): string {
  return bech32.encode('lnurl', bech32.toWords(new TextEncoder().encode(String(url))), false)
}

/**
 * Converts a bech32 code (an invoice or an LNURL) to upper case for a QR picture, which then needs fewer dots
 * (BIP-173).
 */
export function forQr(code: string): string {
  return code.toUpperCase()
}

/** Returns a code (an invoice or an LNURL) as a link that opens a wallet. */
export function lightningUri(code: string): string {
  return `lightning:${code}`
}

/**
 * Returns the URL in a code: bech32 in either case (LUD-01), `lnurlp:` and `lnurlw:` (LUD-17), each with or without
 * `lightning:` before it, or a link with a code in its `lightning` parameter. Throws InvalidLnurl.
 */
export function decodeLnurl(input: string, options: LnurlOptions = {}): URL {
  const text = withoutScheme(input)
  if (text.length > MAX_LENGTH) throw new InvalidLnurl('This is too long to be an LNURL code. Copy only the code.')
  if (SCHEMES.test(text)) return fromScheme(text, options)
  const code = /^https?:/i.test(text) ? fallbackOf(text) : text
  if (!/^lnurl1/i.test(code)) {
    throw new InvalidLnurl('This is not an LNURL code. Such a code starts with "LNURL1".')
  }
  return allowed(parseUrl(fromBech32(code)), options)
}

/** Whether a text looks like input for `decodeLnurl`. The text may still be damaged. */
export function looksLikeLnurl(input: string): boolean {
  const text = withoutScheme(input)
  return /^lnurl1/i.test(text) || SCHEMES.test(text) || (/^https?:/i.test(text) && /[?&]lightning=lnurl1/i.test(text))
}

/**
 * Reads a Lightning Address (LUD-16): `user@host` or `user+tag@host`, in either case. Throws InvalidLnurl for any other
 * text. Fetches nothing, so success does not show that anybody answers at the address.
 */
export function parseLightningAddress(input: string, options: LnurlOptions = {}): LightningAddress {
  const text = withoutScheme(input).toLowerCase()
  const match = /^([a-z0-9._-]{1,64}(?:\+[a-z0-9._+-]{1,64})?)@([^\s@/?#\\]{1,260})$/.exec(text)
  if (match === null) throw notAnAddress()
  const [, user = '', written = ''] = match
  const scheme = speaksHttp(hostname(written), options) ? 'http' : 'https'
  const url = parseUrl(`${scheme}://${written}/.well-known/lnurlp/${user}`)
  if (!url.hostname.includes('.') && !isLoopback(url.hostname)) throw notAnAddress()
  return { address: `${user}@${url.host}`, user, host: url.host, url }
}

/**
 * Returns a Lightning Address's name without its tag (LUD-16). A tag does not change who is paid; it is a note for the
 * address's owner.
 */
export function withoutTag(name: string): string {
  const [whose = ''] = name.split('+', 1)
  return whose
}

function notAnAddress(): InvalidLnurl {
  return new InvalidLnurl(
    'This is not a Lightning Address. A Lightning Address looks like an e-mail address: name@example.com.',
  )
}

function withoutScheme(input: string): string {
  return readPasted(input)
    .replace(/^lightning:(\/\/)?/i, '')
    .trim()
}

function fromScheme(text: string, options: LnurlOptions): URL {
  const rest = text.replace(SCHEMES, '')
  return parseUrl(`${speaksHttp(hostname(rest), options) ? 'http' : 'https'}://${rest}`)
}

function fallbackOf(link: string): string {
  return parseUrl(link).searchParams.get('lightning') ?? ''
}

function fromBech32(code: string): string {
  try {
    const { words } = bech32.decode(code as `${string}1${string}`, MAX_LENGTH)
    return new TextDecoder('utf-8', { fatal: true }).decode(bech32.fromWords(words))
  } catch (cause) {
    throw new InvalidLnurl('This LNURL code is damaged or incomplete. Copy it again, in full.', { cause })
  }
}

function parseUrl(text: string): URL {
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.password !== '') {
    throw new InvalidLnurl('This code does not lead to a web address. Ask for another code.')
  }
  return url
}

function allowed(url: URL, options: LnurlOptions): URL {
  if (url.protocol === 'https:') return url
  if (url.protocol === 'http:' && (speaksHttp(url.hostname, options) || url.host === options.ownHost)) return url
  throw new InvalidLnurl(
    'This code leads to an address that does not use https, so it cannot be trusted. Ask for another code.',
  )
}

function speaksHttp(host: string, { allowLoopbackHttp = false }: LnurlOptions): boolean {
  return host.endsWith('.onion') || (allowLoopbackHttp && isLoopback(host))
}

function isLoopback(host: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(host)
}

/** Returns the host name at the start of a text without scheme. */
function hostname(text: string): string {
  return URL.parse(`https://${text}`)?.hostname ?? ''
}
