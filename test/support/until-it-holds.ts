import { serversAnswered } from './postgres/pending.ts'

/**
 * What happens by itself takes milliseconds; a machine with much else to do may let it wait. It is real time that counts: how
 * often this process could look meanwhile says nothing about a server. It ends before its test would: then it says what it waited for.
 */
export const TIMEOUT_MS = process.env.DATABASE === 'postgres' ? 30_000 : 10_000

/** So many turns of the event loop lie at most between an answer and the next question. */
const QUIET_TURNS = 25

/** Waits, in real time, until something that happens by itself has happened. */
export async function untilItHolds(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + TIMEOUT_MS; !(await holds()); ) {
    if (performance.now() > deadline) throw new Error(`it never happened: ${holds}`)
    // Where a server is asked, it gets the processor.
    if (!(await serversAnswered())) await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Waits until all that a database was asked is answered, and what follows from the answers was asked, and so on. */
export async function untilQuiet(): Promise<void> {
  for (let turns = 0; turns < QUIET_TURNS; turns += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    if (await serversAnswered()) turns = 0
  }
}
