import type { TippingDatabase, Tx } from '../core/database.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { RESTORED } from '../withdrawals/withdrawal-kind.ts'

/** After this time, operations that cannot be read no longer block everybody's outgoing payments. */
const UNREADABLE_TIMEOUT_MS = 24 * 3_600_000
/** In one line of the log. */
const MAX_NAMED = 20

interface Restoring {
  /** When the backup was made. */
  readonly madeAt: string
  readonly now: Date
  /** Nothing leaves before an operator says so either. */
  readonly paused: boolean
}

/**
 * Marks a book that comes from a backup: nothing leaves until it is proven against the wallet, and everything that is
 * open is looked at again, since it may have ended after the backup was made. No key that was sent before is sent
 * again.
 */
export async function markRestored(database: TippingDatabase, { madeAt, now, paused }: Restoring): Promise<void> {
  const reason = `the books were restored from a backup of ${madeAt} and are not proven yet`
  const said = `the books were restored from a backup of ${madeAt}, and what was paid since is being looked for`
  await database.write.$transaction(async (tx) => {
    await tx.outgoingPause.updateMany({ where: { source: 'restore', until: null }, data: { until: now } })
    await tx.outgoingPause.create({ data: { source: 'restore', reason, since: now } })
    await tx.pollJob.updateMany({ where: { nextAt: { not: null } }, data: { nextAt: now, polls: 0 } })
    await holdBackLines(tx)
    // The provider may have been asked with them since the backup, and then they prove nothing any more.
    await tx.replayKey.deleteMany()
    // A person who has signed out since the backup stays signed out.
    await tx.operatorPass.deleteMany()
    // One that was taken away since the backup stays so: each is asked of its operator.
    await tx.operatorPasskey.updateMany({ data: { isConfirmed: false } })
    const byOperators = { source: 'operator', until: null }
    if (!paused || (await tx.outgoingPause.count({ where: byOperators })) > 0) return
    await tx.outgoingPause.create({ data: { source: 'operator', reason: said, since: now } })
  })
}

/** Lines to Lightning Addresses that had not left when the backup was made: they may have since, so no bot sends them. */
async function holdBackLines(tx: Pick<Tx, 'addressLine' | 'withdrawal'>): Promise<void> {
  const reserved = { pool: { not: null }, state: 'reserved' }
  const made = await tx.withdrawal.findMany({ where: reserved, select: { id: true } })
  const id = { in: made.map((withdrawal) => withdrawal.id) }
  await tx.addressLine.updateMany({
    where: { OR: [{ state: 'waiting' }, { id }] },
    data: { restored: true, process: null },
  })
  await tx.withdrawal.updateMany({ where: reserved, data: { process: RESTORED } })
}

/** After the service's book was restored, too: wallets elsewhere cannot claim its vouchers any more, so none is shown how. */
export async function forgetWalletClaims(database: TippingDatabase): Promise<void> {
  await database.write.voucher.updateMany({
    where: { walletRequest: { not: null } },
    data: { walletRequest: null, walletAmount: null },
  })
}

/**
 * Whether everything that was open in a restored book has been read since, with an answer of the provider. Logs
 * payments without an answer, and polls them again now; after a day the wallet alone decides.
 */
export async function allPolledSinceRestore(
  context: Pick<TippingContext, 'database' | 'commit' | 'clock' | 'logger' | 'poller'>,
): Promise<boolean> {
  const { read } = context.database
  const pause = await read.outgoingPause.findFirst({ where: { source: 'restore', until: null } })
  if (pause === null) return true
  const where = { nextAt: { not: null }, polls: 0, bornAt: { lte: pause.since } }
  const unread = await read.pollJob.findMany({ where, take: MAX_NAMED, select: { kind: true, id: true } })
  if (unread.length === 0 || context.clock.now() - pause.since.getTime() >= UNREADABLE_TIMEOUT_MS) return true
  context.logger.warn({ unread }, 'the pause after the restore goes on: not all that was open could be read')
  const nextAt = new Date(context.clock.now())
  await context.commit({
    write: (tx) => tx.pollJob.updateMany({ where: { ...where, nextAt: { gt: nextAt } }, data: { nextAt } }),
  })
  void context.poller.wake()
  return false
}
