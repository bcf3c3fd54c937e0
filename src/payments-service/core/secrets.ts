import { hash } from 'node:crypto'
import type { CoreParts } from './core-parts.ts'

/** NTP sets a clock back by so little that nothing is to end. */
export const CLOCK_TOLERANCE_MS = 60_000

/**
 * Hashes a key, token, code or session for storage: its SHA-256, hex. Nobody can guess one, so a fast hash is enough.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex')
}

/**
 * Whether something that lives `lifetimeMs` is valid now. A clock that stood ahead may have made it: then it would be valid too long,
 * and is not.
 */
export function isAlive(
  { bookClock }: Pick<CoreParts, 'bookClock'>,
  { expiresAt }: { readonly expiresAt: Date },
  lifetimeMs: number,
): boolean {
  const leftMs = expiresAt.getTime() - bookClock.latest()
  return leftMs > 0 && leftMs <= lifetimeMs + CLOCK_TOLERANCE_MS
}
