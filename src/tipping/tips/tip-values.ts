import type { Msats } from '../../lib/money/amount.ts'
import type { TipCommand } from '../engine/gifts/gifts.ts'

interface TipRecord {
  readonly id: string
  /** The total of all the tip's shares. */
  readonly total: Msats
  readonly card: string
  readonly at: Date
  /** The tipped message. */
  readonly message?: string | null | undefined
  /** The server whose pool or wallet pays. */
  readonly pool?: string | null
}

/** Returns the columns of a tip's row, whether a balance, a pool or a wallet pays. */
export function tipValues(command: TipCommand, { id, total, card, at, message = null, pool = null }: TipRecord) {
  const { from, note = '', joins, anonymous = false, origin } = command
  return {
    ...{ id, sender: from, note, total, guild: origin.guild, channel: origin.channel, card },
    ...{ message, pool, joins: joins?.tip ?? null, anonymous, createdAt: at },
  }
}
