/** Resolves in the next turn of the event loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Resolves when the caller may continue. */
export type TakeTurn = () => Promise<void>

/**
 * Returns a function that lets at most `each` callers continue in one turn of the event loop; the others wait, in
 * order. If a thousand callers continued at once, nobody else would be answered until every one of these callers waited
 * for something.
 */
export function createTurns(each: number): TakeTurn {
  const waiting: (() => void)[] = []
  let left = each
  let isOpen = false

  function open(): void {
    if (isOpen) return
    isOpen = true
    setImmediate(() => {
      isOpen = false
      const next = waiting.splice(0, each)
      left = each - next.length
      if (next.length > 0) open()
      for (const goOn of next) goOn()
    })
  }

  return () => {
    open()
    if (left === 0) return new Promise((resolve) => waiting.push(resolve))
    left -= 1
    return Promise.resolve()
  }
}
