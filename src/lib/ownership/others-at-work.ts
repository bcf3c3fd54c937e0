import { type Clock, pause } from '../clock.ts'
import { OF_PROCESSES } from './leases.ts'
import { OWNERSHIP_TIMES } from './ownership.ts'

/** The time within which a living process renews its lease. */
const WATCH_MS = OWNERSHIP_TIMES.renewMs + 1_000

/** A book's reader, or a transaction in it. */
interface Book {
  readonly lease: { findMany(query: { where: typeof OF_PROCESSES }): Promise<{ name: string; fence: number }[]> }
}

/**
 * Prepares a check for a command that needs books to itself. Waits as long as a living process needs to renew its
 * lease, unless no process has left a trace. Resolves to the check, a function to be called later with the same books,
 * which resolves to whether another process uses one of them: whether a lease's number has changed, or a lease is new.
 * Neither happens to a dead process's lease.
 */
export async function watchOthers(
  clock: Clock,
  ...books: readonly Book[]
): Promise<(...later: Book[]) => Promise<boolean>> {
  const seen = await leasesIn(books)
  if (seen.length > 0) await pause(clock, WATCH_MS)
  return async (...later) =>
    (await leasesIn(later)).some(({ name, fence }) => !seen.some((row) => row.name === name && row.fence === fence))
}

async function leasesIn(books: readonly Book[]) {
  const found = []
  for (const { lease } of books) found.push(...(await lease.findMany({ where: OF_PROCESSES })))
  return found
}
