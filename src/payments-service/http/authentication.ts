import { createHash } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'
import type { PaymentsDatabase } from '../database.ts'
import type { Caller } from '../operation.ts'
import { Refusal } from '../refusal.ts'

/** How long a key that was revoked elsewhere may still be believed. */
const BELIEVED_MS = 1_000
/** More keys than are in use at once; a flood of made-up keys cannot fill the memory. */
const MOST_KEYS = 10_000

/** Finds out who calls. */
export interface Authentication {
  /** The caller that a key belongs to. Throws Refusal (missing_api_key, unknown_api_key). */
  authenticate(apiKey: string | undefined): Promise<Caller>
}

/** What is stored of an API key: its SHA-256, hex. The key has 256 bits of entropy, so a fast hash is enough. */
export function hashApiKey(apiKey: string): string {
  return createHash('sha256').update(apiKey).digest('hex')
}

/** Keys are looked up by hash and remembered for a second. */
export function createAuthentication(database: PaymentsDatabase, clock: Clock): Authentication {
  const known = new Map<string, { readonly caller: Promise<Caller | undefined>; readonly until: number }>()

  async function find(hash: string): Promise<Caller | undefined> {
    const key = await database.read.apiKey.findUnique({ where: { hash } })
    const now = clock.now()
    if (key === null || key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt.getTime() <= now)) {
      return undefined
    }
    return { projectId: key.projectId, keyId: key.id, scopes: new Set(key.scopes.split(',')) }
  }

  return {
    async authenticate(apiKey) {
      if (apiKey === undefined || apiKey === '') {
        throw new Refusal('missing_api_key', 'Send your API key in the header "apikey".')
      }
      const hash = hashApiKey(apiKey)
      const now = clock.monotonic()
      let entry = known.get(hash)
      if (entry === undefined || entry.until <= now) {
        if (known.size >= MOST_KEYS) known.clear()
        entry = { caller: find(hash), until: now + BELIEVED_MS }
        entry.caller.catch(() => known.delete(hash))
        known.set(hash, entry)
      }
      const caller = await entry.caller
      if (caller === undefined) {
        throw new Refusal(
          'unknown_api_key',
          'This API key is unknown, expired or revoked. Ask the operator for another.',
        )
      }
      return caller
    },
  }
}
