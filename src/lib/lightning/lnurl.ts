import { bech32 } from '@scure/base'
import { readPasted } from '../pasted-text.ts'

/** Not a code or address that a Lightning wallet could use. `message` is a sentence for a person. */
export class InvalidLnurl extends Error {
  override readonly name = 'InvalidLnurl'
}

export interface LnurlOptions {
  /** Development on one machine: plain http is accepted for loopback hosts. Onion hosts always speak http (LUD-01). */
  readonly allowLoopbackHttp?: boolean
  /** Host, with its port, of the one who reads: a code that leads there is not fetched, so any web scheme will do. */
  readonly ownHost?: string
}

export interface LightningAddress {
  /** `user@host` or `user+tag@host`, lower case. */
  readonly address: string
  /** With the tag, when it has one. */
  readonly user: string
  /** With the port, when it has one. */
  readonly host: string
  /** Where the pay parameters are (LUD-16). */
  readonly url: URL
}

/** Far longer than any QR code can hold. */
const MAX_LENGTH = 8_192

/** The scheme that LUD-17 gives to each kind of code that we can use. */
const SCHEMES = /^(lnurlp|lnurlw):(\/\/)?/i

/** A URL as a bech32 code, lower case (LUD-01); a fast withdrawal makes codes far longer than bech32's 90 characters. */
export function encodeLnurl(url: string | URL): string {
  return bech32.encode('lnurl', bech32.toWords(new TextEncoder().encode(String(url))), false)
}

/** A bech32 code (an invoice or an LNURL) as a QR picture carries it: upper case packs into fewer dots (BIP-173). */
export function forQr(code: string): string {
  return code.toUpperCase()
}

/** The same code as a link that opens a wallet. */
export function lightningUri(code: string): string {
  return `lightning:${code}`
}

/**
 * The URL behind a code: bech32 in either case (LUD-01), `lnurlp:` and `lnurlw:` (LUD-17), each with or without
 * `lightning:` before it, or a link that carries a code in its `lightning` parameter. Throws InvalidLnurl.
 */
export function decodeLnurl(input: string, options: LnurlOptions = {}): URL {
  const text = withoutScheme(input)
  if (text.length > MAX_LENGTH) throw new InvalidLnurl('This is too long to be an LNURL code.')
  if (SCHEMES.test(text)) return fromScheme(text, options)
  const code = /^https?:/i.test(text) ? fallbackOf(text) : text
  if (!/^lnurl1/i.test(code)) {
    throw new InvalidLnurl('This is not an LNURL code. Such a code starts with "LNURL1".')
  }
  return allowed(parseUrl(fromBech32(code)), options)
}

/** Whether a text looks like something `decodeLnurl` is for; it may still turn out to be damaged. */
export function looksLikeLnurl(input: string): boolean {
  const text = withoutScheme(input)
  return /^lnurl1/i.test(text) || SCHEMES.test(text) || (/^https?:/i.test(text) && /[?&]lightning=lnurl1/i.test(text))
}

/**
 * A Lightning Address (LUD-16): `user@host` or `user+tag@host`, in either case. Throws InvalidLnurl if it is no such
 * code. Nothing is fetched: whether anybody answers there is another question.
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

/** The name of a Lightning Address without its tag (LUD-16): both are paid at the same place, and the tag is its owner's. */
export function withoutTag(name: string): string {
  const [whose = ''] = name.split('+', 1)
  return whose
}

function notAnAddress(): InvalidLnurl {
  return new InvalidLnurl('This is not a Lightning Address. It looks like an e-mail address: name@example.com.')
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
    throw new InvalidLnurl('This code leads to something that is not a web address.')
  }
  return url
}

function allowed(url: URL, options: LnurlOptions): URL {
  if (url.protocol === 'https:') return url
  if (url.protocol === 'http:' && (speaksHttp(url.hostname, options) || url.host === options.ownHost)) return url
  throw new InvalidLnurl('This code leads to an address without encryption (https), so it cannot be trusted.')
}

function speaksHttp(host: string, { allowLoopbackHttp = false }: LnurlOptions): boolean {
  return host.endsWith('.onion') || (allowLoopbackHttp && isLoopback(host))
}

function isLoopback(host: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(host)
}

/** The host name at the start of a text without scheme. */
function hostname(text: string): string {
  return URL.parse(`https://${text}`)?.hostname ?? ''
}
