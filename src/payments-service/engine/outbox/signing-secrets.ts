import { cached } from '../../../lib/cached.ts'
import type { CoreParts } from '../../core/core-parts.ts'

/** How long a secret that was rotated elsewhere may still be used. */
const CACHE_TTL_MS = 1_000
/** The most projects whose secrets are cached, more than have callbacks in delivery at once. */
const MAX_PROJECTS = 10_000

/** Creates the function that returns a project's active signing secrets, newest first. They are cached for a second. */
export function createSigningSecrets({
  database,
  clock,
}: Pick<CoreParts, 'database' | 'clock'>): (projectId: string) => Promise<string[]> {
  async function read(projectId: string): Promise<string[]> {
    const rows = await database.read.callbackSecret.findMany({
      where: { projectId, retiredAt: null },
      orderBy: { createdAt: 'desc' },
    })
    return rows.map((row) => row.secret)
  }

  return cached({ clock, ttlMs: CACHE_TTL_MS, maxKeys: MAX_PROJECTS, read })
}
