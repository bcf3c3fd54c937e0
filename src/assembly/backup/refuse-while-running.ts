import type { Clock } from '../../lib/clock.ts'
import type { LeaseRow } from '../../lib/leases.ts'
import { OF_PROCESSES, watchOtherProcesses } from '../../lib/other-processes.ts'
import { Problem } from '../../lib/problem.ts'
import { inspectPaymentsDatabase, openPaymentsDatabase } from '../../payments-service/core/database.ts'
import { inspectTippingDatabase, openTippingDatabase } from '../../tipping/core/database.ts'

/** Where the books are. */
interface Books {
  readonly tipping: string | undefined
  readonly payments: string | undefined
}

/** Throws Problem when a process works on one of the books, on this machine or another. Takes six seconds where one has left a lease. */
export async function refuseWhileRunning({ tipping, payments }: Books, clock: Clock): Promise<void> {
  // To look makes nothing, so it says first if there is no book.
  if (tipping !== undefined) await (await inspectTippingDatabase(tipping)).close()
  if (payments !== undefined) await (await inspectPaymentsDatabase(payments)).close()
  const bots = tipping === undefined ? undefined : await openTippingDatabase(tipping)
  const services = payments === undefined ? undefined : await openPaymentsDatabase(payments)
  const leases = async (): Promise<LeaseRow[]> => [
    ...((await bots?.read.lease.findMany({ where: OF_PROCESSES })) ?? []),
    ...((await services?.read.lease.findMany({ where: OF_PROCESSES })) ?? []),
  ]
  try {
    const someWorkIn = await watchOtherProcesses(leases, clock)
    if (!someWorkIn(await leases())) return
    throw new Problem('A bot or a service works on these books. Stop every one of them, and do this again.')
  } finally {
    await bots?.close()
    await services?.close()
  }
}
