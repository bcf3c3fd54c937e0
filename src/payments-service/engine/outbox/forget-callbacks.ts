import type { CoreParts } from '../../core/core-parts.ts'

/** How long a delivered callback stays in the database, for inspection. */
const RETENTION_MS = 7 * 24 * 3_600_000
/** The most rows that one commit deletes, few enough that no payment waits long behind it. */
const BATCH_SIZE = 200

/**
 * Deletes some callbacks that were delivered long ago. Waiting and dead-lettered callbacks stay, at any age. Resolves
 * to whether there may be more.
 */
export async function forgetCallbacks({ database, ledger, clock }: CoreParts): Promise<boolean> {
  const where = { deliveredAt: { lte: new Date(clock.now() - RETENTION_MS) } }
  const found = await database.read.callback.findMany({ where, select: { id: true }, take: BATCH_SIZE })
  if (found.length === 0) return false
  const id = { in: found.map((callback) => callback.id) }
  await ledger.commit({ write: async (tx) => void (await tx.callback.deleteMany({ where: { id } })) })
  return found.length === BATCH_SIZE
}
