import type { CoreParts } from '../core/core-parts.ts'

/** The most rows of each kind that one commit deletes, few enough that no payment waits long behind it. */
const BATCH_SIZE = 200
/** How long expired codes and tokens stay, so that late uses are still recognized. */
const RETENTION_MS = 24 * 3_600_000

/** Deletes some codes, tokens and log-ins that expired at least a day ago. Resolves to whether there may be more. */
export async function forgetLogIns({ database, ledger, bookClock }: CoreParts): Promise<boolean> {
  const where = { expiresAt: { lte: new Date(bookClock.earliest() - RETENTION_MS) } }
  const [codes, tokens, grants] = await Promise.all([
    database.read.logInCode.findMany({ where, select: { hash: true }, take: BATCH_SIZE }),
    database.read.logInToken.findMany({ where, select: { hash: true }, take: BATCH_SIZE }),
    database.read.logInGrant.findMany({ where, select: { id: true }, take: BATCH_SIZE }),
  ])
  const most = Math.max(codes.length, tokens.length, grants.length)
  if (most === 0) return false
  await ledger.commit({
    write: async (tx) => {
      await tx.logInCode.deleteMany({ where: { hash: { in: codes.map(({ hash }) => hash) } } })
      await tx.logInToken.deleteMany({ where: { hash: { in: tokens.map(({ hash }) => hash) } } })
      await tx.logInGrant.deleteMany({ where: { id: { in: grants.map(({ id }) => id) }, ...where } })
    },
  })
  return most === BATCH_SIZE
}
