/** A caller, or all callers together, already have the maximum work under way. Nothing was done. */
export class Busy extends Error {
  override name = 'Busy'
}

/** Runs a piece of work for a caller. Throws Busy, and does nothing, while too much is under way. */
export type LimitPerCaller = <T>(caller: string, work: () => Promise<T>) => Promise<T>

/**
 * Limits the work under way to `each` pieces for one caller, and to `all` pieces for everybody. A caller whose work
 * never ends occupies at most `each` places.
 */
export function limitPerCaller({ each, all }: { readonly each: number; readonly all: number }): LimitPerCaller {
  const underWay = new Map<string, number>()
  let total = 0
  return async (caller, work) => {
    const own = underWay.get(caller) ?? 0
    if (own >= each || total >= all)
      throw new Busy(`this caller has ${own} tasks under way, and all callers together have ${total}`)
    underWay.set(caller, own + 1)
    total += 1
    try {
      return await work()
    } finally {
      total -= 1
      const left = (underWay.get(caller) ?? 1) - 1
      if (left === 0) underWay.delete(caller)
      else underWay.set(caller, left)
    }
  }
}
