import type { Msats } from '../../lib/money/amount.ts'
import type { TipCommand } from '../engine/gifts/gifts.ts'

interface TipRecord {
  readonly id: string
  /** All of its shares together. */
  readonly total: Msats
  readonly card: string
  readonly at: Date
  /** The message that was tipped. */
  readonly message?: string | null | undefined
  /** The server whose pool or wallet pays. */
  readonly pool?: string | null
}

/** A tip as the book stores it, no matter what pays it. */
export function tipValues(command: TipCommand, { id, total, card, at, message = null, pool = null }: TipRecord) {
  const { from, note = '', joins, anonymous = false, origin } = command
  return {
    ...{ id, sender: from, note, total, guild: origin.guild, channel: origin.channel, card },
    ...{ message, pool, joins: joins?.tip ?? null, anonymous, createdAt: at },
  }
}
