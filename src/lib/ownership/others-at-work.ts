import { type Clock, pause } from '../clock.ts'
import { OF_PROCESSES } from './leases.ts'
import { OWNERSHIP_TIMES } from './ownership.ts'

/** A living process has renewed its lease within this time. */
const WATCH_MS = OWNERSHIP_TIMES.renewMs + 1_000

/** A book's reader, or a transaction in it. */
interface Book {
  readonly lease: { findMany(query: { where: typeof OF_PROCESSES }): Promise<{ name: string; fence: number }[]> }
}

/**
 * Prepares a command that needs books for itself. Waits as long as a living process needs to renew its lease, unless no
 * process has left a trace. Resolves to a check, to be called later on the same books, whether anybody uses one: a
 * lease has grown, or is new. A dead process's lease does neither.
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
