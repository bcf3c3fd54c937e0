import { type Msats, msats } from '../../../lib/money/amount.ts'
import type { CoreContext } from '../../core/context.ts'
import type { Tx } from '../../core/database.ts'
import type { CardBook } from '../cards/card-book.ts'
import { logModeration } from '../moderation-log/log-moderation.ts'

/** Sats of a gift that come back to the pool that paid for it. */
export interface ReturnToPool {
  /** The server whose pool paid; null if a balance paid, which does not concern moderators. */
  readonly pool: string | null
  /** The person who took the sats back; null if Satchel did so automatically, such as when the gift expired. */
  readonly by: string | null
  /** The id under which the gift's reward is found. */
  readonly record: string
  /** The returned sum, in msats. */
  readonly amount: Msats
}

type LogContext = Pick<CoreContext, 'clock' | 'entropy'> & { readonly cards: Pick<CardBook, 'values'> }

/** Logs a return in its server's moderation log. Call this in the transaction that returns the sats. */
export async function logReturn(context: LogContext, tx: Tx, { pool, by, record, amount }: ReturnToPool) {
  await log(context, tx, { pool, by, record, amount }, {})
}

/** The returned parts of a gift with many parts. */
interface ReturnedParts extends Omit<ReturnToPool, 'by'> {
  /**
   * Resolves to the person who took the parts back, or to null as in `ReturnToPool`. Called only if a return is logged.
   */
  readonly by: () => Promise<string | null>
}

/**
 * Logs those returned sats of a gift with many parts, such as codes, that are not in the log yet. `amount` is the sum
 * of all parts that have ever been returned. Call this when a part ends and no other part is being returned. Parts that
 * are returned together then make one line, and the lines add up to the returned sum, however often this is called.
 */
export async function logReturnedParts(context: LogContext, tx: Tx, { pool, by, record, amount }: ReturnedParts) {
  if (pool === null || amount === 0n) return
  const lines = await tx.moderationLogEntry.findMany({
    where: {
      guild: pool,
      action: 'pool-return',
      about: { contains: JSON.stringify({ partsOf: record }).slice(1, -1) },
    },
    select: { about: true },
  })
  const logged = lines.reduce((sum, { about }) => sum + BigInt((JSON.parse(about) as { amount: string }).amount), 0n)
  // A log never refuses what moves the sats.
  if (amount <= logged) return
  await log(context, tx, { pool, by: await by(), record, amount: msats(amount - logged) }, { partsOf: record })
}

/**
 * Returns those of these payments whose sats came back because operators decided that the payments had failed. The pool
 * keeps those sats even if the decision is corrected.
 */
export async function returnedByDecision(tx: Tx, payments: string[]): Promise<string[]> {
  const where = { payment: { in: payments }, state: 'done', outcome: 'failed' }
  return (await tx.decision.findMany({ where, select: { payment: true } })).map(({ payment }) => payment)
}

async function log(context: LogContext, tx: Tx, { pool: guild, by, record, amount }: ReturnToPool, facts: object) {
  if (guild === null || amount === 0n) return
  // The reward of one person has no other record.
  const where = { OR: [{ record }, { id: record }] }
  const reward = await tx.reward.findFirst({ where, select: { kind: true, reason: true, rule: true } })
  const about = { ...facts, record, kind: reward?.kind, amount, reason: reward?.reason }
  const isByRule = reward !== null && reward.rule !== null
  await logModeration(context, tx, { guild, member: by ?? '', action: 'pool-return', about, isByRule })
}
