import type { Clock } from '../../lib/clock.ts'
import { watchOthers } from '../../lib/ownership/others-at-work.ts'
import { Problem } from '../../lib/problem.ts'
import { inspectPaymentsDatabase, openPaymentsDatabase } from '../../payments-service/core/database.ts'
import { inspectTippingDatabase, openTippingDatabase } from '../../tipping/core/database.ts'

/** The places of the books; undefined for a book that need not be checked. */
interface Books {
  readonly tipping: string | undefined
  readonly payments: string | undefined
}

/**
 * Throws Problem if a process uses one of the books, on this machine or another. Takes six seconds if a process has
 * left a lease in a book.
 */
export async function refuseWhileRunning({ tipping, payments }: Books, clock: Clock): Promise<void> {
  // Looking creates nothing, so it reports a missing book first.
  if (tipping !== undefined) await (await inspectTippingDatabase(tipping)).close()
  if (payments !== undefined) await (await inspectPaymentsDatabase(payments)).close()
  const bots = tipping === undefined ? undefined : await openTippingDatabase(tipping)
  const services = payments === undefined ? undefined : await openPaymentsDatabase(payments)
  const books = [bots, services].flatMap((database) => (database === undefined ? [] : [database.read]))
  try {
    const someWorkOn = await watchOthers(clock, ...books)
    if (!(await someWorkOn(...books))) return
    throw new Problem(
      'A bot or a service is using these books. Stop every bot and service that uses them, then run this again.',
    )
  } finally {
    await bots?.close()
    await services?.close()
  }
}
