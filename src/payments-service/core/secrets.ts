import { hash } from 'node:crypto'
import type { CoreParts } from './core-parts.ts'

/** How far NTP may set a clock back without ending the validity of anything. */
export const CLOCK_TOLERANCE_MS = 60_000

/**
 * Hashes a key, token, code or session for storage: its SHA-256, hex. Such a secret cannot be guessed, so a fast hash
 * is enough.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex')
}

/**
 * Returns whether a record with the lifetime `lifetimeMs` is valid now. A record that was made while a clock was fast
 * would be valid for too long, so it counts as invalid.
 */
export function isAlive(
  { bookClock }: Pick<CoreParts, 'bookClock'>,
  { expiresAt }: { readonly expiresAt: Date },
  lifetimeMs: number,
): boolean {
  const leftMs = expiresAt.getTime() - bookClock.latest()
  return leftMs > 0 && leftMs <= lifetimeMs + CLOCK_TOLERANCE_MS
}
