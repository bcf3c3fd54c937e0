/** Answers simultaneous look-ups with one query. */
export interface BatchLoader<Key, Value> {
  /** Returns one key's value; undefined if the query found none. Rejects if a query for this key alone failed. */
  load(key: Key): Promise<Value | undefined>
}

interface Batch<Key, Value> {
  readonly keys: Set<Key>
  /** Resolves, once the query has ended, to a function that returns one key's value from the results. */
  readonly answer: Promise<(key: Key) => Promise<Value | undefined>>
}

/**
 * Collects the keys requested within one turn of the event loop, at most `maxBatch` (default 500), and has `load` look
 * them up together. A key that is requested twice is looked up once. If the keys fail together, each is looked up
 * alone, so that a key that the database refuses does not make the others fail. Nothing is cached: the next turn
 * queries again. Keys are compared as in a Map.
 */
export function createBatchLoader<Key, Value>(options: {
  load: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>
  maxBatch?: number
}): BatchLoader<Key, Value> {
  const { load, maxBatch = 500 } = options
  let open: Batch<Key, Value> | undefined

  function begin(): Batch<Key, Value> {
    const keys = new Set<Key>()
    const answer = new Promise<void>((resolve) => setImmediate(resolve)).then(async () => {
      if (open === batch) open = undefined
      try {
        const found = await load([...keys])
        return async (key: Key) => found.get(key)
      } catch (error) {
        if (keys.size === 1) throw error
        const alone = new Map([...keys].map((key) => [key, load([key])]))
        // The caller gets the error.
        for (const each of alone.values()) each.catch(() => undefined)
        return async (key: Key) => (await alone.get(key))?.get(key)
      }
    })
    const batch = { keys, answer }
    return batch
  }

  return {
    async load(key) {
      if (open === undefined || (open.keys.size >= maxBatch && !open.keys.has(key))) open = begin()
      const batch = open
      batch.keys.add(key)
      return await (await batch.answer)(key)
    },
  }
}
