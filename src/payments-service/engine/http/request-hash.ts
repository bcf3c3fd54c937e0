import { createHash } from 'node:crypto'
import { ServiceRefusal } from '../../core/service-refusal.ts'

/**
 * Hash of a request, stored under its Idempotency-Key: SHA-256, hex. The same content is the same request, in any order
 * of its fields. Throws ServiceRefusal (invalid_body) for a body nested so deep that it cannot be read.
 */
export function requestHash(operation: string, body: unknown): string {
  return hash(operation, body, isFlat(body) ? Object.keys(body).sort() : inOneOrder)
}

/**
 * Whether a stored hash is of this request. Hashes of earlier versions are of the fields in the order in which they
 * came, and keys that moved money are never forgotten: a repeat that is written as the first one was must match.
 */
export function isHashOf(stored: string, operation: string, body: unknown): boolean {
  return stored === requestHash(operation, body) || stored === hash(operation, body)
}

/** The names of the fields in their order, or what gives each object its own. */
type Order = string[] | typeof inOneOrder

function hash(operation: string, body: unknown, order?: Order): string {
  return createHash('sha256')
    .update(`${operation}\n${write(body, order)}`)
    .digest('hex')
}

function write(body: unknown, order: Order | undefined): string {
  try {
    // Either kind of order is one that JSON takes; its type knows only one of them at a time.
    return JSON.stringify(body ?? null, order as string[])
  } catch (error) {
    // JSON that could be read can be written again, except for the depth that the stack sets.
    if (error instanceof RangeError)
      throw new ServiceRefusal('invalid_body', 'The body is nested too deep; write it flatter.')
    throw error
  }
}

/** Fields in the order of their names; a value without fields, such as a list, unchanged. */
function inOneOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** Most bodies hold no list or object, and are written in half the time. */
function isFlat(body: unknown): body is object {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false
  for (const value of Object.values(body)) if (typeof value === 'object' && value !== null) return false
  return true
}
