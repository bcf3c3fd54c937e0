import { utcMinute } from '../../lib/utc-minute.ts'
import type { TippingDatabase, Tx } from '../core/database.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import { RESTORED } from '../withdrawals/withdrawal-kind.ts'

/** The time after which unreadable operations no longer block everybody's outgoing payments. */
const UNREADABLE_TIMEOUT_MS = 24 * 3_600_000
/** The most operations that are named in one log line. */
const MAX_NAMED = 20

interface Restoring {
  /** When the backup was made. */
  readonly madeAt: string
  readonly now: Date
  /** Whether outgoing payments also wait until an operator permits them. */
  readonly paused: boolean
}

/** The texts that operators get when the bot starts: what waits, and what operators can do. */
const AWAITS_AUDIT =
  'Outgoing payments are paused until an audit has proven the books against the wallet. /admin audit shows what it found.'
const AWAITS_OPERATOR =
  'Outgoing payments are paused. Look for what was paid since, as docs/incidents.md says under “After a restore”, then ' +
  'use /admin resume. They also wait until an audit has proven the books against the wallet: /admin audit.'

/**
 * Marks a book as restored from a backup. Nothing leaves until the book is proven against the wallet. Every open
 * operation is polled again, because it may have ended after the backup. No earlier replay key is sent again.
 */
export async function markRestored(database: TippingDatabase, { madeAt, now, paused }: Restoring): Promise<void> {
  const came = `books were restored from a backup of ${utcMinute(new Date(madeAt))}`
  const reason = `the ${came} and are not proven yet`
  const said = `the ${came}, and what was paid since is being looked for`
  const text = `The ${came}. ${paused ? AWAITS_OPERATOR : AWAITS_AUDIT}`
  await database.write.$transaction(async (tx) => {
    await tx.outgoingPause.updateMany({ where: { source: 'restore', until: null }, data: { until: now } })
    await tx.outgoingPause.create({ data: { source: 'restore', reason, since: now } })
    const about = now.toISOString()
    // An earlier restore that nobody was told of is of no interest any more.
    await tx.alert.deleteMany({ where: { kind: 'restored', OR: [{ toldAt: null }, { about }] } })
    await tx.alert.create({ data: { kind: 'restored', about, text, at: now } })
    await tx.pollJob.updateMany({ where: { nextAt: { not: null } }, data: { nextAt: now, polls: 0 } })
    await holdBackLines(tx)
    // The provider may have been asked with these keys since the backup, so they prove nothing any more.
    await tx.replayKey.deleteMany()
    // Discord would repeat the commands since the backup to these sessions. They were carried out, perhaps by people's own wallets.
    await tx.gatewayShard.updateMany({ data: { session: null, resumeUrl: null, sequence: null, intents: null } })
    // People who have signed out since the backup stay signed out.
    await tx.operatorPass.deleteMany()
    // A passkey may have been removed since the backup, so each needs its operator's confirmation.
    await tx.operatorPasskey.updateMany({ data: { isConfirmed: false } })
    const byOperators = { source: 'operator', until: null }
    if (!paused || (await tx.outgoingPause.count({ where: byOperators })) > 0) return
    await tx.outgoingPause.create({ data: { source: 'operator', reason: said, since: now } })
  })
}

/**
 * Holds back lists' payments to Lightning Addresses that had not been sent before the backup. These payments may have
 * been sent since the backup, so no bot sends them.
 */
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

/**
 * Removes vouchers' LNURLs after the service's book has also been restored: wallets elsewhere can no longer use these
 * LNURLs.
 */
export async function forgetWalletClaims(database: TippingDatabase): Promise<void> {
  await database.write.voucher.updateMany({
    where: { walletRequest: { not: null } },
    data: { walletRequest: null, walletAmount: null },
  })
}

/**
 * Whether the provider has answered about everything that was open in a restored book. Logs operations without an
 * answer, and polls them again now. After a day, resolves to true in any case, so that only the wallet's balance
 * decides.
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
