import { describeDoubt, type TimeStore } from '../lib/book-clock.ts'
import { raiseAlert } from './machines/alerts/alerts.ts'
import { forgetReplays } from './machines/outgoing/replays.ts'
import type { TippingContext } from './machines/tipping-context.ts'

/** What waits while the machine's clock is doubted. */
const WAITS = 'tips that nobody claimed, drops and giveaways'

/** Keeps the time of the members' book in its database. Operators are told of a doubt with an alert. */
export function timeOfBook(context: TippingContext): TimeStore {
  const { database, commit } = context
  return {
    read: async () => (await database.read.bookTime.findUnique({ where: { id: 1 } })) ?? undefined,
    async write(at, confirmedAt) {
      await commit({
        write: async (tx) => {
          await tx.bookTime.upsert({ where: { id: 1 }, create: { id: 1, at }, update: { at } })
          if (confirmedAt !== null)
            await tx.bookTime.updateMany({ where: { confirmedAt }, data: { confirmedAt: null } })
        },
      })
    },
    async tell(doubt) {
      const alert = { kind: 'clock', about: doubt.wall.toISOString(), text: describeDoubt(doubt, WAITS) } as const
      await commit({ write: (tx) => raiseAlert(context, tx, alert) })
    },
    beforeSetBack: () => forgetReplays(context),
  }
}
