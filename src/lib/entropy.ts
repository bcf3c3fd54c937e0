import { randomBytes, randomFillSync, randomUUID } from 'node:crypto'

/** Randomness is handed in, so that a simulation can replay a day from its seed. */
export interface Entropy {
  /** A UUID: the identifier of everything that has one. No secret: it tells when it was made. */
  uuid(): string
  /** Unpredictable bytes, for keys, tokens, preimages and draws. */
  bytes(length: number): Buffer
}

export const systemEntropy: Entropy = {
  uuid: timeOrderedUuid,
  bytes: (length) => (length > POOL_BYTES / 8 ? randomBytes(length) : fromPool(length)),
}

/** Asking the system for a few bytes takes as long as asking for thousands. */
const POOL_BYTES = 4_096
const pool = Buffer.alloc(POOL_BYTES)
let used = POOL_BYTES

/** Bytes that nobody else gets, and that are not kept here. */
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
 * A UUID of version 7 (RFC 9562): milliseconds since 1970, then 74 random bits. New ones go to the end of an index, so
 * that writing costs the same however large a table has grown.
 */
function timeOrderedUuid(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

/** An unguessable token that is safe in a URL; 32 bytes of entropy are 43 characters. */
export function token(entropy: Entropy, length = 32): string {
  return entropy.bytes(length).toString('base64url')
}

/** A whole number from 0 up to, not including, `below`, every one equally likely (rejection sampling: no modulo bias). */
export function uniform(entropy: Entropy, below: number): number {
  if (!Number.isSafeInteger(below) || below < 1 || below > 2 ** 32) throw new RangeError(`no draw below ${below}`)
  const limit = 2 ** 32 - (2 ** 32 % below)
  for (;;) {
    const value = entropy.bytes(4).readUInt32BE()
    if (value < limit) return value % below
  }
}
