import { serversAnswered } from './postgres/pending.ts'

/**
 * Background work takes milliseconds; a busy machine may need longer. This is real time: how often this process could
 * check says nothing about a server. It ends before its test would, so that it can say what it waited for.
 */
export const TIMEOUT_MS = process.env.DATABASE === 'postgres' ? 30_000 : 10_000

/** At most this many turns of the event loop lie between an answer and the next question. */
const QUIET_TURNS = 25

/** Waits, in real time, until background work has made something true. */
export async function untilItHolds(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + TIMEOUT_MS; !(await holds()); ) {
    if (performance.now() > deadline) throw new Error(`it never happened: ${holds}`)
    // Where a server is asked, it gets the processor.
    if (!(await serversAnswered())) await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Waits until a database has answered all questions, and those that follow from the answers. */
export async function untilQuiet(): Promise<void> {
  for (let turns = 0; turns < QUIET_TURNS; turns += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    if (await serversAnswered()) turns = 0
  }
}
