import type { CoreContext } from '../../core/context.ts'
import { now } from '../../core/context.ts'
import type { Tx } from '../../core/database.ts'

/** What moderators did in a server: to its settings, with its pool, and to what members give away. */
export type ModerationAction =
  | 'setting'
  | 'budget'
  | 'fund'
  | 'fundraiser'
  | 'fundraiser-closed'
  | 'reward'
  | 'reward-asked'
  | 'approve'
  | 'deny'
  | 'export'
  | 'rule'
  | 'schedule'
  | 'schedule-stopped'
  | 'rule-started'
  | 'rule-stopped'
  | 'giveaway-cancelled'
  | 'giveaway-ended-early'
  | 'drop-closed'

export interface NewModerationLogEntry {
  readonly guild: string
  readonly member: string
  readonly action: ModerationAction
  /** Whatever tells one entry from another; amounts in msats. */
  readonly about: Readonly<Record<string, unknown>>
}

/** Adds an entry to the moderation log, in the transaction that does what it tells. */
export async function logModeration(
  context: Pick<CoreContext, 'clock'>,
  tx: Tx,
  entry: NewModerationLogEntry,
): Promise<void> {
  const about = JSON.stringify(entry.about, (_, value) => (typeof value === 'bigint' ? value.toString() : value))
  await tx.moderationLogEntry.create({
    data: { guild: entry.guild, member: entry.member, action: entry.action, about, at: now(context) },
  })
}
