import { describeDoubt } from '../lib/book-clock.ts'
import { createTimeStore, type TimeStore } from '../lib/book-time-store.ts'
import { startWorker, type Worker } from '../lib/worker.ts'
import type { Tx } from './core/database.ts'
import type { ServiceParts } from './engine/service-parts.ts'

const EVERY_MS = 60_000
/** The words for what waits while the machine's clock is doubted. */
const WAITS = 'withdrawal requests, charges, idempotency keys and reserved names'

/**
 * Creates the store that maintains the book's time in the service's database, and reports doubts to operators in the
 * log.
 */
export function timeOfBook(
  { database, ledger, logger }: Pick<ServiceParts, 'database' | 'ledger' | 'logger'>,
  serverTime?: () => Promise<number>,
): TimeStore {
  return createTimeStore<Pick<Tx, 'bookTime'>>({
    tableOf: ({ bookTime }) => bookTime,
    read: database.read,
    write: (run) => ledger.commit({ write: run }),
    serverTime,
    async tell(doubt) {
      logger.error({ alert: 'clock', about: doubt.wall.toISOString() }, describeDoubt(doubt, WAITS))
    },
  })
}

/** Updates the book's time every minute, and logs when the machine's clock becomes doubtful or trusted again. */
export function startTimekeeping({ bookClock, clock, logger }: ServiceParts): Worker {
  let steady = bookClock.isSteady()
  async function round(): Promise<void> {
    await bookClock.keep().catch((error) => logger.warn({ err: error }, 'the time could not be written into the book'))
    if (bookClock.isSteady() === steady) return
    steady = !steady
    if (steady) logger.info('the machine’s clock is believed again')
    else logger.warn(`the machine's clock was set: ${WAITS} wait for a day, or for npm run confirm-clock`)
  }
  const failed = (error: unknown) => logger.error({ err: error }, 'the time of the book cannot be kept')
  return startWorker({ clock, round, pauseMs: EVERY_MS, failed })
}
