import { type Clock, pause } from '../clock.ts'
import { OF_PROCESSES } from './leases.ts'
import { OWNERSHIP_TIMES } from './ownership.ts'

/** A process that lives has renewed its lease within this. */
const WATCH_MS = OWNERSHIP_TIMES.renewMs + 1_000

/** A book's reader, or a transaction in it. */
interface Book {
  readonly lease: { findMany(query: { where: typeof OF_PROCESSES }): Promise<{ name: string; fence: number }[]> }
}

/**
 * For a command that must have books for itself. Waits as long as a living process needs to say that it lives, unless no process has left a
 * trace. Resolves to what tells, of the same books later, whether anybody works on one: a lease has grown, or is new. One that died has left
 * a lease that does neither.
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
