/** Answers look-ups that are asked for at the same time with one query. */
export interface BatchLoader<Key, Value> {
  /** The value of one key; undefined when the query found none. Rejects when a query for this key alone failed. */
  load(key: Key): Promise<Value | undefined>
}

interface Batch<Key, Value> {
  readonly keys: Set<Key>
  /** Gets one key's value out of what was found. */
  readonly answer: Promise<(key: Key) => Promise<Value | undefined>>
}

/**
 * Collects the keys asked for within one turn of the event loop, `maxBatch` at most (default 500), and has `load` look
 * them up together; a key asked for twice is looked up once. Where they fail together, each is looked up alone: one that the
 * database refuses fails nobody else's. Nothing is kept: the next turn asks again. Keys are told apart as a Map does.
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
        // The caller hears of the failure.
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
