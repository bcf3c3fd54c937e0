import { now } from '../core/context.ts'
import { TippingRefusal } from '../core/tipping-refusal.ts'
import { logModeration } from '../engine/moderation-log/log-moderation.ts'
import { END, inMs, type Next } from '../engine/polling/poller.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { AskView, CloseAsk } from './asks.ts'
import { viewAsk } from './view-ask.ts'

/** The pause before an ask is checked again while the clocks disagree, so that no ask ends early. */
const UNSTEADY_MS = 60_000

/**
 * Ends an ask before its goal is reached. Earlier gifts remain. Throws TippingRefusal `not-there`, `not-yours` or
 * `ask-over`.
 */
export async function closeAsk(context: TippingContext, command: CloseAsk): Promise<AskView> {
  const { ask: id, member, moderator, guild } = command
  const ask = await context.database.read.ask.findUnique({ where: { id } })
  if (ask === null || ask.guild !== guild) throw new TippingRefusal('not-there', {})
  if (ask.member !== member && !moderator) throw new TippingRefusal('not-yours', {})
  const closedBy = ask.member === member ? null : member
  await context.commit({
    write: async (tx) => {
      const data = { state: 'closed', endedAt: now(context), closedBy }
      const { count } = await tx.ask.updateMany({ where: { id, state: 'open' }, data })
      if (count === 0) throw new TippingRefusal('ask-over', {})
      await tx.pollJob.updateMany({ where: { id }, data: { nextAt: null } })
      await context.cards.raise(tx, [ask.card])
      if (closedBy === null) return
      const about = { ask: id, of: ask.member, amount: ask.goal }
      await logModeration(context, tx, { guild: ask.guild, member, action: 'ask-closed', about })
    },
  })
  return await viewAsk(context, id)
}

/** Ends an ask when it expires. */
export async function pollAsk(context: TippingContext, id: string): Promise<Next> {
  const ask = await context.database.read.ask.findUnique({ where: { id } })
  if (ask?.state !== 'open') return END
  const leftMs = ask.endsAt.getTime() - context.clock.now()
  if (leftMs > 0) return inMs(leftMs)
  if (!context.clockWatch.isSteady()) return inMs(UNSTEADY_MS)
  await context.commit({
    write: async (tx) => {
      const data = { state: 'over', endedAt: now(context) }
      const { count } = await tx.ask.updateMany({ where: { id, state: 'open' }, data })
      if (count > 0) await context.cards.raise(tx, [ask.card])
    },
  })
  return END
}
