/** A query to PostgreSQL that has no answer yet. */
interface OpenQuestion {
  readonly at: number
  /**
   * Whether the query waits for another transaction, which may itself wait for the test's clock, so that nobody waits
   * for the query any longer.
   */
  stuck: boolean
}

/** The queries that PostgreSQL has not answered, and for which a manual clock can wait. */
const open = new Set<OpenQuestion>()
const waiting: (() => void)[] = []

/** The time, in milliseconds, after which a query counts as stuck; even a busy machine answers sooner. */
const STUCK_AFTER_MS = 10_000
const LOOK_EVERY_MS = 100

/** Records a query under way; returns a function that records its answer. */
export function asked(): () => void {
  const question = { at: performance.now(), stuck: false }
  open.add(question)
  return () => {
    open.delete(question)
    tellIfAnswered()
  }
}

/**
 * Resolves to true when all queries are answered, or immediately to false if no query that will be answered is under
 * way.
 */
export async function serversAnswered(): Promise<boolean> {
  if (!isUnderWay()) return false
  const { promise, resolve } = Promise.withResolvers<void>()
  waiting.push(resolve)
  const timer = setInterval(giveUpStuck, LOOK_EVERY_MS)
  await promise
  clearInterval(timer)
  return true
}

function isUnderWay(): boolean {
  for (const { stuck } of open) if (!stuck) return true
  return false
}

function giveUpStuck(): void {
  const now = performance.now()
  for (const question of open) if (now - question.at > STUCK_AFTER_MS) question.stuck = true
  tellIfAnswered()
}

function tellIfAnswered(): void {
  if (isUnderWay()) return
  for (const resolve of waiting.splice(0)) resolve()
}
