import { batchLookUps } from '../../../lib/batch-look-ups.ts'
import { cached } from '../../../lib/cached.ts'
import { hashSecret } from '../../core/secrets.ts'
import { ServiceRefusal } from '../../core/service-refusal.ts'
import type { RateLimit } from '../limits/rate-limit.ts'
import type { ServiceParts } from '../service-parts.ts'
import type { Caller } from './operation.ts'

/** How long a key that was revoked elsewhere may still be accepted. */
const CACHE_TTL_MS = 1_000
/** The most keys that are cached, more than are in use at once. */
const MAX_KEYS = 10_000

/** Identifies callers. */
export interface Authentication {
  /**
   * Returns the caller to whom a key belongs. `ip` is the request's origin: each address can guess only a limited
   * number of keys. A key that exists does not count as a guess, so one person's guesses do not shut out others behind
   * the same address. Throws ServiceRefusal (missing_api_key, unknown_api_key, rate_limited).
   */
  authenticate(apiKey: string | undefined, ip: string): Promise<Caller>
}

/**
 * Looks keys up by hash, and remembers them for a second. Only valid keys stay in memory, and only invalid ones are
 * counted, so a flood of invented keys neither fills the memory nor shuts out clients behind the same address. Needs
 * few statements: all look-ups that arrive during one query share the next query.
 */
export function createAuthentication(
  { database, clock, bookClock }: Pick<ServiceParts, 'database' | 'clock' | 'bookClock'>,
  guesses: RateLimit,
): Authentication {
  const find = batchLookUps<Caller>(async (hashes) => {
    const keys = await database.read.apiKey.findMany({ where: { hash: { in: [...hashes] }, revokedAt: null } })
    const now = bookClock.latest()
    const valid = keys.filter(({ expiresAt }) => expiresAt === null || expiresAt.getTime() > now)
    return new Map(
      valid.map(({ id, hash, projectId, scopes }) => [
        hash,
        { projectId, keyId: id, scopes: new Set(scopes.split(',')) },
      ]),
    )
  })

  const callerOf = cached({
    clock,
    ttlMs: CACHE_TTL_MS,
    maxKeys: MAX_KEYS,
    read: find,
    keeps: (caller) => caller !== undefined,
  })

  return {
    async authenticate(apiKey, ip) {
      if (apiKey === undefined || apiKey === '') {
        throw new ServiceRefusal('missing_api_key', 'Send your API key in the header "apikey".')
      }
      const caller = await callerOf(hashSecret(apiKey))
      if (caller === undefined) {
        guesses.take(ip)
        throw new ServiceRefusal(
          'unknown_api_key',
          'This API key is unknown, expired or revoked. Ask the operator for another key.',
        )
      }
      return caller
    },
  }
}
