import type { TippingContext } from '../context.ts'
import type { TippingDatabase } from '../database.ts'

/**
 * Marks a book that comes from a backup: nothing leaves until it is proven against the wallet, and everything that is
 * open is looked at anew, since it may have ended after the backup was made.
 */
export async function markRestored(
  database: TippingDatabase,
  { madeAt, now }: { readonly madeAt: string; readonly now: Date },
): Promise<void> {
  const reason = `the books were restored from a backup of ${madeAt} and are not proven yet`
  await database.write.$transaction([
    database.write.exitPause.updateMany({ where: { source: 'restore', until: null }, data: { until: now } }),
    database.write.exitPause.create({ data: { source: 'restore', reason, since: now } }),
    database.write.watch.updateMany({ where: { nextAt: { not: null } }, data: { nextAt: now } }),
  ])
}

/** Whether everything that was open in a restored book has been looked at since. */
export async function allLookedAtSinceRestore({
  database: { read },
}: Pick<TippingContext, 'database'>): Promise<boolean> {
  const pause = await read.exitPause.findFirst({ where: { source: 'restore', until: null } })
  if (pause === null) return true
  return (await read.watch.count({ where: { nextAt: { lte: pause.since } } })) === 0
}
