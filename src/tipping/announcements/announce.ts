import { type Book, now } from '../core/context.ts'
import type { Origin } from '../engine/cards/cards.ts'
import { operationRow } from '../engine/once-only/once-only.ts'
import { END, type Next, schedulePoll } from '../engine/polling/poller.ts'
import type { TippingContext } from '../engine/tipping-context.ts'
import type { PollJob } from '../generated/client.ts'
import type { Announcements } from './announcements.ts'

/** The time after which a command that is neither done nor given up counts as lost with its process. */
const LOST_AFTER_MS = 60_000

export function bindAnnouncements(context: TippingContext): Announcements {
  return {
    note: (origin) => note(context, origin),
    end: (id) => end(context, id),
  }
}

/**
 * Writes the card that can take the answer back, while the answer's place is known. The card is shown only if needed.
 */
async function note(context: TippingContext, origin: Origin): Promise<string> {
  const noted = () =>
    context.database.read.card.findFirst({ where: { kind: 'interrupted', record: origin.interaction } })
  const before = await noted()
  if (before !== null) return before.id
  const id = context.entropy.uuid()
  const at = now(context)
  const audience = { channel: origin.channel }
  const card = context.cards.values({ id, kind: 'interrupted', record: origin.interaction, audience, origin })
  const lostAt = new Date(at.getTime() + LOST_AFTER_MS)
  try {
    await context.commit({
      rows: [{ table: 'Card', values: { ...card, pending: false } }],
      write: (tx) => schedulePoll(tx, { id, kind: 'announcement', bornAt: at }, lostAt),
    })
  } catch (error) {
    // Discord may deliver a command twice at the same moment.
    const first = await noted()
    if (first === null) throw error
    return first.id
  }
  void context.poller.wake()
  return id
}

async function end({ commit }: Book, id: string): Promise<void> {
  await commit({
    write: async (tx) => {
      await tx.card.deleteMany({ where: { id, kind: 'interrupted', pending: false, shown: 0 } })
      await tx.pollJob.deleteMany({ where: { id } })
    },
  })
}

/**
 * Takes back the answer to a command that never ran. First uses the command's own key, so that a process that was only
 * slow is then refused, as if the command had already run.
 */
export async function pollAnnouncement(context: TippingContext, { id }: PollJob): Promise<Next> {
  const { database, commit, once, cards, entropy } = context
  const card = await database.read.card.findUnique({ where: { id } })
  if (card === null || card.pending || card.shown > 0) return END
  const isDone = () => once.has(card.record)
  if (!(await isDone())) {
    const row = {
      id: entropy.uuid(),
      verb: 'interrupted',
      record: id,
      interaction: card.record,
      createdAt: now(context),
    }
    try {
      await commit({ rows: [operationRow(row)], write: (tx) => cards.raise(tx, [id]) })
      return END
    } catch (error) {
      if (!(await isDone())) throw error
    }
  }
  await end(context, id)
  return END
}
