/**
 * The most characters in an address to which a program has users return. See
 * https://www.rfc-editor.org/rfc/rfc9700#section-2.1, https://www.rfc-editor.org/rfc/rfc8252#section-7
 */

const MAX_LENGTH = 500
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost'])
/** The three parts of a loopback URL: scheme and host, port, and the rest. */
const ANY_PORT = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::(\d{1,5}))?(\/[^#]*)?$/

/**
 * Returns what is wrong with an address that a program wants to register, as the rest of a sentence; undefined if it is
 * valid.
 */
export function faultOfRedirectUri(uri: string): string | undefined {
  if (uri.length > MAX_LENGTH) return `has more than ${MAX_LENGTH} characters`
  if (!/^[\x21-\x7e]+$/.test(uri)) return 'contains characters that an address cannot contain'
  if (uri.includes('#')) return 'contains a fragment (#)'
  if (uri.includes('*')) return 'contains a *, but each address must be registered in full'
  const url = URL.parse(uri)
  if (url === null) return 'is not an address'
  if (url.username !== '' || url.password !== '') return 'contains a user name or a password'
  // Programs and browsers must not read it as two different addresses.
  if (uri !== url.href && uri !== url.href.replace(`${url.origin}/`, url.origin))
    return `must be written as ${url.href}`
  if (url.protocol === 'https:') return undefined
  if (url.protocol === 'http:') return LOOPBACK.has(url.hostname) ? undefined : 'must begin with https'
  // RFC 8252, 7.1: the reversed domain of its maker, so that two apps never share one by chance.
  return url.protocol.includes('.') ? undefined : 'must begin with https, or with a scheme such as com.example.app:'
}

/**
 * Whether an address matches a registered one, character by character. `anyPort`: for a program on the user's own
 * machine, ignores a loopback address's port, which nobody knows before the program runs (RFC 8252, 7.3).
 */
export function isRegistered(uri: string, registered: readonly string[], anyPort: boolean): boolean {
  if (registered.includes(uri)) return true
  if (!anyPort) return false
  const asked = ANY_PORT.exec(uri)
  if (asked === null || Number(asked[2] ?? 80) < 1 || Number(asked[2] ?? 80) > 65_535) return false
  return registered.some((each) => {
    const known = ANY_PORT.exec(each)
    return known !== null && known[1] === asked[1] && (known[3] ?? '') === (asked[3] ?? '')
  })
}

/** Appends an answer to an address, and changes nothing in the address itself. */
export function withAnswer(uri: string, answer: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(answer).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams(given)}`
}

/** Returns the host to which a user returns; undefined for a program on the user's own device. */
export function hostOf(uri: string): string | undefined {
  const url = new URL(uri)
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  return isWeb && !LOOPBACK.has(url.hostname) ? url.host : undefined
}
