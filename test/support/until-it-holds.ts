import { serversAnswered } from './postgres/pending.ts'

/**
 * The longest wait, in real time, for background work, which takes milliseconds, or longer on a busy machine. How often
 * this process could check says nothing about a server. The wait ends before the test's own time limit, so that the
 * error can say what was awaited.
 */
export const TIMEOUT_MS = process.env.DATABASE === 'postgres' ? 30_000 : 10_000

/** The maximum number of turns of the event loop between an answer and the next query. */
const QUIET_TURNS = 25

/** Waits, in real time, until background work has made the condition true. */
export async function untilItHolds(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + TIMEOUT_MS; !(await holds()); ) {
    if (performance.now() > deadline) throw new Error(`it never happened: ${holds}`)
    // Where a server is asked, it gets the processor.
    if (!(await serversAnswered())) await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Waits until a database has answered all queries, and those that follow from the answers. */
export async function untilQuiet(): Promise<void> {
  for (let turns = 0; turns < QUIET_TURNS; turns += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    if (await serversAnswered()) turns = 0
  }
}
