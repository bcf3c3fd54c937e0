/**
 * Patterns of text that no log, error or demonstration page may show: keys, tokens, preimages, voucher codes, and the
 * secrets inside URLs and LNURL codes. Covers both field names and patterns in text, because a secret may appear as
 * either. The part that is logged is enough to recognize a text; the rest shows as `[redacted]`.
 */
import { constants } from 'node:os'

const REDACTED = '[redacted]'

/** The pattern of the names of secret fields, in lower case and without `-` and `_`. */
const SECRET_FIELD =
  /(?:apikeys?|tokens?|codeverifier|secrets?|passwords?|preimages?|authorization|cookies?|privatekey|^k1|vouchercodes?|macaroons?|(?<!p)runes?)$/

const SECRET_QUERY =
  '(?:client_)?secret|k1|(?:access_|refresh_)?token|api_?key|key|preimage|password|code(?:_verifier)?'

/**
 * The patterns of secrets in texts. Each pattern retains its first group (the text before the secret) and drops the
 * rest of its match. Repetitions before a secret are bounded, so that a hostile text cannot take quadratic time.
 */
const SECRET_TEXTS: readonly RegExp[] = [
  new RegExp(`([?&;](?:${SECRET_QUERY})=)[^&\\s"'#\\\\]+`, 'gi'),
  // The same inside a percent-encoded URL, as in a LUD-17 or LUD-08 link inside another link.
  new RegExp(`((?:%3F|%26)(?:${SECRET_QUERY})%3D)[^&\\s"'#\\\\%]+`, 'gi'),
  // JSON within text: a body quoted in an error message.
  /((?:api_?key|token|secret|password|preimage|authorization|cookie|code_verifier)\\{0,8}"\s?:\s?\\{0,8}")[^"\\]+/gi,
  /(\b(?:authorization|apikey|usertoken|x-api-key)\s?[:=]\s?)(?:(?:bearer|bot|basic)\s)?[^\s"',;\\]+/gi,
  /(\bcookie\s?[:=]\s?)[^"\n\\]+/gi,
  // A node's credentials, in a header or a quoted setting: `Grpc-Metadata-Macaroon: 0201…`, `"rune":"…"`.
  /((?:macaroon|(?<![a-z])rune)(?:_file)?\\{0,8}["']?\s?[:=,]\s?\[?\\{0,8}["']?)[\w+/-]{16,}=*/gi,
  // An lnd macaroon anywhere, in hex or in base64: version 2, with the location "lnd".
  /()\b0201036c6e64[\da-f]{16,}/gi,
  /()\bAgEDbG5k[\w+/-]{16,}=*/g,
  // HTTP Basic, which phoenixd uses.
  /(\bbasic\s)[\w+/-]{16,}=*/gi,
  /(\b(?:bearer|bot)\s)(?=[\w.-]*\d)[\w.~+/-]{20,}=*/gi,
  /(\bDISCORD_TOKEN=)[^\s"'\\]+/g,
  // A Discord bot token anywhere: three base64url parts.
  /()\b[\w-]{23,30}\.[\w-]{6,7}\.[\w-]{27,45}\b/g,
  // An interaction's or webhook's token is part of the path, also in discord.js error messages.
  /(\/(?:webhooks|interactions)\/\d+\/)[\w-]{20,}/g,
  // The secret address that receives one resource's callbacks.
  /(\/callbacks?\/(?:[\w-]{1,40}\/){0,4})[\w-]{16,}/g,
  // A pay page's address gives access to its code, and a withdrawal's pays the first person who scans it.
  /(\/pay\/)[\da-f-]{36}/gi,
  // The link from `/admin page` opens that page. Discord's errors quote its message.
  /(\/sign-in#)[\w-]{16,}/g,
  // A connection to somebody's wallet (NIP-47) is a right to spend, and its link is the way to set one.
  /(nostr(?:\+|%2b)?walletconnect:)[^\s"'\\]+/gi,
  /(\/connect(?:\?[\w=&-]{1,40})?#)[\w-]{16,}/g,
  // A server's key for programs gives rewards, and Discord's errors quote the message that showed it. A log-in's tokens
  // have the same form.
  /(\bsatchel_(?:(?:client|code|access|refresh)_)?)[\w-]{43}/g,
  // The secrets that sign callbacks.
  /(\bwhsec_)[\w+/-]{20,}=*/g,
  // A password inside a URL, such as a database's or a proxy's.
  /(:\/\/[^\s/:@"'\\]{0,64}:)[^\s/@"'\\]{1,200}(?=@)/g,
  // An LNURL code is a whole URL with its secret, in bech32.
  /(\blnurl1[ac-hj-np-z02-9]{6})[ac-hj-np-z02-9]{20,}/gi,
]

/** The length of the shortest value that is removed from texts. A shorter value could be a word. */
const MIN_HIDDEN_LENGTH = 16
const MAX_HIDDEN = 200
const hidden = new Set<string>()

/**
 * Removes this value from every later text of this process, also in base64 and, if the value is hex, in the other case.
 */
export function hideValue(secret: string): void {
  const isHex = secret.length % 2 === 0 && /^[\da-f]+$/i.test(secret)
  const bytes = Buffer.from(secret, isHex ? 'hex' : 'utf8')
  const writings = isHex ? [secret.toLowerCase(), secret.toUpperCase()] : []
  for (const value of [secret, ...writings, ...base64Of(bytes)]) {
    if (value.length < MIN_HIDDEN_LENGTH) continue
    hidden.add(value)
    const [oldest] = hidden
    if (hidden.size > MAX_HIDDEN && oldest !== undefined) hidden.delete(oldest)
  }
}

/**
 * Returns the forms of bytes in base64. The padded form comes first, because a longer text must be removed before a
 * part of it.
 */
function base64Of(bytes: Buffer): string[] {
  return [bytes.toString('base64'), bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')]
}

/** Returns a text without the secrets in it. */
export function redactText(text: string): string {
  let clean = text
  for (const value of hidden) if (clean.includes(value)) clean = clean.replaceAll(value, REDACTED)
  for (const pattern of SECRET_TEXTS) clean = clean.replace(pattern, `$1${REDACTED}`)
  return clean
}

/**
 * Returns a copy of a value, ready for JSON, with every secret replaced: by field name at any depth and by pattern in
 * every text. Errors become objects with their stacks and causes, big integers become decimal strings, and byte arrays
 * become a text with their length.
 */
export function redact(value: unknown): unknown {
  return copy(value, 0, new Set())
}

/** Whether a field of this name is shown as `[redacted]` if it contains a text, a list or an object. */
export function isSecretField(name: string): boolean {
  return SECRET_FIELD.test(name.toLowerCase().replace(/[-_]/g, ''))
}

const DEEPEST = 10

function copy(value: unknown, depth: number, above: Set<object>): unknown {
  if (typeof value === 'string') return redactText(value)
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null) return value
  if (depth > DEEPEST) return '[deeper]'
  if (above.has(value)) return '[circular]'
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  above.add(value)
  const result = copyObject(value, depth, above)
  above.delete(value)
  return result
}

function copyObject(value: object, depth: number, above: Set<object>): unknown {
  if (Array.isArray(value)) return value.map((item) => copy(item, depth + 1, above))
  if ('toJSON' in value && typeof value.toJSON === 'function') return copy(value.toJSON(), depth + 1, above)
  if (value instanceof Map) return copyFields(value.entries(), depth, above)
  if (value instanceof Set) return [...value].map((item) => copy(item, depth + 1, above))
  if (!(value instanceof Error)) return copyFields(Object.entries(value), depth, above)
  const { name, message, stack, cause } = value
  const described = { type: name, message, stack, ...(cause === undefined ? {} : { cause }) }
  return copyFields([...Object.entries(described), ...Object.entries(value)], depth, above)
}

function copyFields(fields: Iterable<[unknown, unknown]>, depth: number, above: Set<object>): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const [key, item] of fields) {
    const name = String(key)
    const secret = isHidden(name, item)
    Object.defineProperty(result, redactText(name), {
      value: secret ? REDACTED : copy(item, depth + 1, above),
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return result
}

function isHidden(name: string, value: unknown): boolean {
  if (value === '' || (typeof value !== 'string' && typeof value !== 'object') || value === null) return false
  return isSecretField(name) || (name === 'code' && typeof value === 'string' && looksLikeVoucherCode(value))
}

/**
 * Whether the text in a field `code` could be a voucher's code. Far more often, such a field contains an error's code,
 * so only eight characters that no error uses count (`ENOTCONN` is the system's, `conflict` is ours).
 */
function looksLikeVoucherCode(text: string): boolean {
  if (!/^[A-Za-z0-9]{4}-?[A-Za-z0-9]{4}$/.test(text) || text in constants.errno) return false
  return !/^[a-z]+$/.test(text)
}
