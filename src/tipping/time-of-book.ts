import { describeDoubt } from '../lib/book-clock.ts'
import { createTimeStore, type TimeStore } from '../lib/book-time-store.ts'
import type { Tx } from './core/database.ts'
import { raiseAlert } from './engine/alerts/alerts.ts'
import { forgetReplaysIn } from './engine/outgoing/replays.ts'
import type { TippingContext } from './engine/tipping-context.ts'

/** The work that waits while the machine's clock is in doubt. */
const WAITS = 'tips that nobody claimed, drops and giveaways'

/**
 * Maintains the book's time in the book's database, and alerts operators if the clock is in doubt. If the time is set
 * back, no key that was already sent is sent again, because it would seem younger than it is.
 */
export function timeOfBook(context: TippingContext, serverTime?: () => Promise<number>): TimeStore {
  const { database, commit } = context
  return createTimeStore<Tx>({
    tableOf: ({ bookTime }) => bookTime,
    read: database.read,
    write: (run) => commit({ write: run }),
    serverTime,
    setBackIn: (tx) => forgetReplaysIn(tx, context),
    async afterSetBack(now) {
      await commit({ write: (tx) => forgetReplaysIn(tx, context, { sentAt: { gt: now } }) })
    },
    async tell(doubt) {
      const alert = { kind: 'clock', about: doubt.wall.toISOString(), text: describeDoubt(doubt, WAITS) } as const
      await commit({ write: (tx) => raiseAlert(context, tx, alert) })
    },
  })
}
