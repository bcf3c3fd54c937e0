import { createHash } from 'node:crypto'
import { ServiceRefusal } from '../../core/service-refusal.ts'

/**
 * Hashes a request, for storage under its Idempotency-Key: SHA-256, hex. Bodies that differ only in the order of their
 * fields have the same hash. Throws ServiceRefusal (invalid_body) for a body that is nested too deeply to be read.
 */
export function requestHash(operation: string, body: unknown): string {
  return hash(operation, body, isFlat(body) ? Object.keys(body).sort() : inOneOrder)
}

/**
 * Whether a stored hash belongs to this request. Earlier versions hashed the fields in the order in which they came,
 * and keys that moved money are never deleted, so a repetition in the first request's order must match.
 */
export function isHashOf(stored: string, operation: string, body: unknown): boolean {
  return stored === requestHash(operation, body) || stored === hash(operation, body)
}

/** The names of the fields in order, or the function that orders each object's fields. */
type Order = string[] | typeof inOneOrder

function hash(operation: string, body: unknown, order?: Order): string {
  return createHash('sha256')
    .update(`${operation}\n${write(body, order)}`)
    .digest('hex')
}

function write(body: unknown, order: Order | undefined): string {
  try {
    // JSON accepts either kind of order, but its type accepts only one at a time.
    return JSON.stringify(body ?? null, order as string[])
  } catch (error) {
    // JSON that was read can be written again, unless the stack is too small for its depth.
    if (error instanceof RangeError)
      throw new ServiceRefusal('invalid_body', 'The body is nested too deeply. Use fewer levels.')
    throw error
  }
}

/** Sorts fields by name. Returns a value without fields, such as a list, unchanged. */
function inOneOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** Whether a body contains no list or object. Most bodies do not, and these are hashed in half the time. */
function isFlat(body: unknown): body is object {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false
  for (const value of Object.values(body)) if (typeof value === 'object' && value !== null) return false
  return true
}
