import type { CoreContext } from '../../core/context.ts'
import { now } from '../../core/context.ts'
import type { Tx } from '../../core/database.ts'
import type { CardBook } from '../cards/card-book.ts'

/** A moderator's action in a server: on its settings, its pool, or members' gifts. */
export type ModerationAction =
  | 'setting'
  | 'budget'
  | 'wallet-connected'
  | 'wallet-disconnected'
  | 'fund'
  | 'fundraiser'
  | 'fundraiser-closed'
  | 'reward'
  | 'reward-asked'
  | 'approve'
  | 'deny'
  | 'export'
  | 'api-key'
  | 'api-key-revoked'
  | 'webhook-given-up'
  | 'rule'
  | 'schedule'
  | 'schedule-stopped'
  | 'rule-started'
  | 'rule-stopped'
  | 'pool-return'
  | 'giveaway-cancelled'
  | 'giveaway-ended-early'
  | 'giveaway-edited'
  | 'giveaway-redrawn'
  | 'drop-closed'
  | 'ask-closed'
  | 'split'
  | 'split-changed'
  | 'split-deleted'

export interface NewModerationLogEntry {
  readonly guild: string
  /** The member who acted; empty if Satchel acted automatically. */
  readonly member: string
  readonly action: ModerationAction
  /** Other facts that distinguish an entry. Amounts are in msats. */
  readonly about: Readonly<Record<string, unknown>>
  /** Whether a rule acted. The rule's own card then shows the entry, so the log's channel does not. */
  readonly isByRule?: boolean
  /** Another channel that shows the entry, besides the server's own log channel. */
  readonly alsoTo?: string | undefined
}

/**
 * Adds an entry to the moderation log, in the transaction that performs the action. If the server has a channel for its
 * log, a card shows the entry there.
 */
export async function logModeration(
  context: Pick<CoreContext, 'clock' | 'entropy'> & { readonly cards: Pick<CardBook, 'values'> },
  tx: Tx,
  { guild, member, action, about: facts, isByRule = false, alsoTo }: NewModerationLogEntry,
): Promise<void> {
  const about = JSON.stringify(facts, (_, value) => (typeof value === 'bigint' ? value.toString() : value))
  const { id } = await tx.moderationLogEntry.create({ data: { guild, member, action, about, at: now(context) } })
  if (isByRule) return
  const server = await tx.server.findFirst({ where: { guild } })
  for (const channel of new Set([server?.logChannel, alsoTo])) {
    if (channel == null) continue
    // It belongs to the server, so it uses the server's language, and it answers no command.
    const origin = { interaction: `log ${id}`, guild, channel, reply: '', locale: 'en' }
    const card = { id: context.entropy.uuid(), kind: 'moderation-log', record: `${id} ${channel}`, origin } as const
    await tx.card.create({ data: context.cards.values({ ...card, audience: { channel } }) })
  }
}
