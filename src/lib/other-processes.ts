import { type Clock, pause } from './clock.ts'
import { LEASE_TIMES, type LeaseRow } from './leases.ts'

/** A process that lives has renewed its lease within this. */
const WATCH_MS = LEASE_TIMES.renewMs + 1_000

/**
 * For a command that must have a book for itself. Reads the leases of its processes, waits for as long as a living one needs to
 * renew its own, and resolves to what says of a later reading whether anybody works on the book: a lease has grown, or is new.
 * One that died has left a lease that does neither.
 */
export async function watchOtherProcesses(
  read: () => Promise<readonly LeaseRow[]>,
  clock: Clock,
): Promise<(later: readonly LeaseRow[]) => boolean> {
  const seen = await read()
  if (seen.length > 0) await pause(clock, WATCH_MS)
  return (later) => later.some(({ name, fence }) => !seen.some((row) => row.name === name && row.fence === fence))
}

/** Selects the leases of processes, and not those of jobs. */
export const OF_PROCESSES = { name: { startsWith: 'process:' } } as const
