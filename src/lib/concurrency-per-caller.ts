/** Somebody, or everybody together, has as much under way as is allowed. Nothing was done. */
export class Busy extends Error {
  override name = 'Busy'
}

/** Does a piece of work for a caller; throws Busy, with nothing done, while too much is under way. */
export type LimitPerCaller = <T>(caller: string, work: () => Promise<T>) => Promise<T>

/**
 * Lets each caller have `each` pieces of work under way at once, and all callers together `all`: who waits for something
 * that never answers takes nothing from the others.
 */
export function limitPerCaller({ each, all }: { readonly each: number; readonly all: number }): LimitPerCaller {
  const underWay = new Map<string, number>()
  let total = 0
  return async (caller, work) => {
    const own = underWay.get(caller) ?? 0
    if (own >= each || total >= all) throw new Busy(`${own} of one caller, ${total} of all are under way already`)
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
