import { hash } from 'node:crypto'
import type { CoreParts } from './core-parts.ts'

/** NTP may set a clock back by this much, and this must not end anything's validity. */
export const CLOCK_TOLERANCE_MS = 60_000

/**
 * Hashes a key, token, code or session for storage: its SHA-256, hex. None of them can be guessed, so a fast hash is
 * enough.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex')
}

/**
 * Whether something with the lifetime `lifetimeMs` is valid now. Something that a fast clock created would be valid for
 * too long, so it is not valid.
 */
export function isAlive(
  { bookClock }: Pick<CoreParts, 'bookClock'>,
  { expiresAt }: { readonly expiresAt: Date },
  lifetimeMs: number,
): boolean {
  const leftMs = expiresAt.getTime() - bookClock.latest()
  return leftMs > 0 && leftMs <= lifetimeMs + CLOCK_TOLERANCE_MS
}
