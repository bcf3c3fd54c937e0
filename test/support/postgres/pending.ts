/** What PostgreSQL was asked and has not answered yet, so that a clock that stands still can wait for it. */
let pending = 0
let waiting: (() => void)[] = []

/** A question that waits for another transaction, which may wait for the clock, is not waited for longer. Milliseconds. */
const ANSWER_TIMEOUT_MS = 250

/** Notes that a question is under way; returns what notes its answer. */
export function asked(): () => void {
  pending += 1
  let open = true
  return () => {
    if (!open) return
    open = false
    pending -= 1
    if (pending > 0) return
    for (const resolve of waiting.splice(0)) resolve()
  }
}

/** Resolves when all that was asked is answered: to true, or at once to false when nothing was under way or nothing answers. */
export async function serversAnswered(): Promise<boolean> {
  if (pending === 0) return false
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => {
    waiting = waiting.filter((each) => each !== answered)
    resolve(false)
  }, ANSWER_TIMEOUT_MS)
  const answered = () => {
    clearTimeout(timer)
    resolve(true)
  }
  waiting.push(answered)
  return await promise
}
