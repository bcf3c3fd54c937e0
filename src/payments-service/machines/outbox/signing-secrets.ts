import type { CoreParts } from '../../core/core-parts.ts'

/** How long a secret that was rotated elsewhere may still be used. */
const CACHE_TTL_MS = 1_000

/** Finds a project's active signing secrets, newest first; remembered for a second. */
export function createSigningSecrets({
  database,
  clock,
}: Pick<CoreParts, 'database' | 'clock'>): (projectId: string) => Promise<string[]> {
  const known = new Map<string, { readonly secrets: Promise<string[]>; readonly until: number }>()

  async function read(projectId: string): Promise<string[]> {
    const rows = await database.read.callbackSecret.findMany({
      where: { projectId, retiredAt: null },
      orderBy: { createdAt: 'desc' },
    })
    return rows.map((row) => row.secret)
  }

  return (projectId) => {
    const now = clock.monotonic()
    const entry = known.get(projectId)
    if (entry !== undefined && entry.until > now) return entry.secrets
    const secrets = read(projectId)
    known.set(projectId, { secrets, until: now + CACHE_TTL_MS })
    secrets.catch(() => known.delete(projectId))
    return secrets
  }
}
