import type { Operation } from './operation.ts'

/**
 * A record of a call, of an answer or of a missing answer, for people to read. Nothing in it gives a reader money or
 * access.
 */
export type WireEvent =
  | {
      readonly kind: 'call'
      /** The number that connects a call with its answer. It increases with every attempt. */
      readonly exchange: number
      readonly operation: string
      readonly method: string
      readonly url: string
      readonly headers: Readonly<Record<string, string>>
      readonly body: unknown
    }
  | {
      readonly kind: 'answer'
      readonly exchange: number
      readonly operation: string
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      /** The parsed JSON, or the beginning of any other text. */
      readonly body: unknown
      readonly tookMs: number
    }
  | {
      readonly kind: 'no answer'
      readonly exchange: number
      readonly operation: string
      readonly reason: string
      readonly tookMs: number
    }

const HIDDEN = '•••'
const secretHeaders = new Set(['apikey', 'authorization', 'cookie', 'set-cookie', 'usertoken'])

/** Returns headers with the values of all authorizing headers hidden. */
export function redactHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, secretHeaders.has(name.toLowerCase()) ? HIDDEN : value]),
  )
}

/**
 * Returns a body with the operation's secrets hidden, at any depth. An error's `code` stays visible, because it is not
 * a voucher's code.
 */
export function redactBody(operation: Operation, body: unknown): unknown {
  const hidden = new Set(operation.secrets)
  const isError = typeof body === 'object' && body !== null && 'success' in body && body.success === false
  if (isError) hidden.delete('code')
  return redact(hidden, body, 0)
}

function redact(hidden: ReadonlySet<string>, value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth > 8) return HIDDEN
  if (Array.isArray(value)) return value.map((item) => redact(hidden, item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      hidden.has(name) && inner !== null && inner !== '' ? HIDDEN : redact(hidden, inner, depth + 1),
    ]),
  )
}
