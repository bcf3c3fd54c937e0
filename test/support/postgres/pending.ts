/** A question to PostgreSQL that has no answer yet. */
interface OpenQuestion {
  readonly at: number
  /** It waits for another transaction, which may wait for the test's clock, so nobody waits for it any longer. */
  stuck: boolean
}

/** PostgreSQL's unanswered queries, so that a manual clock can wait for them. */
const open = new Set<OpenQuestion>()
const waiting: (() => void)[] = []

/** A busy machine can take this long for an answer; nothing else does. Milliseconds. */
const STUCK_AFTER_MS = 10_000
const LOOK_EVERY_MS = 100

/** Notes a question under way; returns a function that notes its answer. */
export function asked(): () => void {
  const question = { at: performance.now(), stuck: false }
  open.add(question)
  return () => {
    open.delete(question)
    tellIfAnswered()
  }
}

/**
 * Resolves to true when all questions are answered; immediately to false if none is under way that will be answered.
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
