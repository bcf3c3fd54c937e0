/**
 * Limits a function to `limit` calls at once; further calls wait, in order. A thousand commands in one second thus
 * share a few connections to Discord, instead of opening a thousand.
 */
export function limitConcurrency<Given extends unknown[], Result>(
  limit: number,
  call: (...given: Given) => Promise<Result>,
): (...given: Given) => Promise<Result> {
  const waiting: (() => void)[] = []
  let free = limit
  return async (...given) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await call(...given)
    } finally {
      const next = waiting.shift()
      if (next === undefined) free += 1
      else next()
    }
  }
}
