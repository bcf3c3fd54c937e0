import { randomBytes, randomFillSync, randomUUID } from 'node:crypto'

/** The source of randomness. A simulation has its own, so that it can replay a day from a seed. */
export interface Entropy {
  /** Returns a UUID to identify a record. A UUID is not secret: it shows when it was made. */
  uuid(): string
  /** Returns unpredictable bytes, for keys, tokens, preimages and draws. */
  bytes(length: number): Buffer
}

export const systemEntropy: Entropy = {
  uuid: timeOrderedUuid,
  bytes: (length) => (length > POOL_BYTES / 8 ? randomBytes(length) : fromPool(length)),
}

/** The number of bytes that are requested from the system at once, because a few bytes take as long as thousands. */
const POOL_BYTES = 4_096
const pool = Buffer.alloc(POOL_BYTES)
let used = POOL_BYTES

/** Returns bytes from the pool, and erases them there, so nobody else gets them. */
function fromPool(length: number): Buffer {
  if (used + length > POOL_BYTES) {
    randomFillSync(pool)
    used = 0
  }
  const bytes = Buffer.alloc(length)
  pool.copy(bytes, 0, used, used + length)
  pool.fill(0, used, used + length)
  used += length
  return bytes
}

/**
 * Returns a UUID of version 7 (RFC 9562): milliseconds since 1970, then 74 random bits. New UUIDs go to the end of an
 * index, so a write costs the same however large a table is.
 */
function timeOrderedUuid(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

/** Returns an unguessable token that is safe in a URL. 32 bytes of entropy become 43 characters. */
export function token(entropy: Entropy, length = 32): string {
  return entropy.bytes(length).toString('base64url')
}

/**
 * Returns a whole number from 0 up to but excluding `below`, each equally likely (rejection sampling: no modulo bias).
 */
export function uniform(entropy: Entropy, below: number): number {
  if (!Number.isSafeInteger(below) || below < 1 || below > 2 ** 32)
    throw new RangeError(`cannot draw a number below ${below}`)
  const limit = 2 ** 32 - (2 ** 32 % below)
  for (;;) {
    const value = entropy.bytes(4).readUInt32BE()
    if (value < limit) return value % below
  }
}
