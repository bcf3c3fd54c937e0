/** Answers look-ups that are asked for at the same time with one query. */
export interface BatchLoader<Key, Value> {
  /** The value of one key; undefined when the query found none. Rejects when the query it was part of failed. */
  load(key: Key): Promise<Value | undefined>
}

interface Batch<Key, Value> {
  readonly keys: Set<Key>
  readonly answer: Promise<ReadonlyMap<Key, Value>>
}

/**
 * Collects the keys asked for within one turn of the event loop, `maxBatch` at most (default 500), and has `load` look
 * them up together; a key asked for twice is looked up once. Nothing is kept: the next turn asks again. Keys are told
 * apart as a Map does.
 */
export function createBatchLoader<Key, Value>(options: {
  load: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>
  maxBatch?: number
}): BatchLoader<Key, Value> {
  const { load, maxBatch = 500 } = options
  let open: Batch<Key, Value> | undefined

  function begin(): Batch<Key, Value> {
    const keys = new Set<Key>()
    const answer = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      if (open === batch) open = undefined
      return load([...keys])
    })
    const batch = { keys, answer }
    return batch
  }

  return {
    async load(key) {
      if (open === undefined || (open.keys.size >= maxBatch && !open.keys.has(key))) open = begin()
      const batch = open
      batch.keys.add(key)
      return (await batch.answer).get(key)
    },
  }
}
