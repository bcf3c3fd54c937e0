/** The most names in one look-up. SQLite and PostgreSQL both accept this many values in a statement. */
const MAX_NAMES = 500

/**
 * Groups single look-ups: while one group is under way, later look-ups wait for the next. So a flood of look-ups costs
 * a few statements, not one for each. `find` receives each name once, and resolves to its results by name. If it
 * rejects, each name is looked up alone, so that none makes the others fail. The returned function resolves to
 * undefined for a name that was not found.
 */
export function batchLookUps<T>(
  find: (names: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): (name: string) => Promise<T | undefined> {
  let waiting = new Map<string, PromiseWithResolvers<T | undefined>>()
  let isRunning = false

  async function run(): Promise<void> {
    isRunning = true
    while (waiting.size > 0) {
      const all = [...waiting]
      const batch = all.slice(0, MAX_NAMES)
      waiting = new Map(all.slice(MAX_NAMES))
      try {
        const found = await find(batch.map(([name]) => name))
        for (const [name, { resolve }] of batch) resolve(found.get(name))
      } catch (error) {
        if (batch.length === 1) for (const [, { reject }] of batch) reject(error)
        else await Promise.all(batch.map(lookUpAlone))
      }
    }
    isRunning = false
  }

  async function lookUpAlone([name, { resolve, reject }]: [
    string,
    PromiseWithResolvers<T | undefined>,
  ]): Promise<void> {
    await find([name]).then((found) => resolve(found.get(name)), reject)
  }

  return (name) => {
    const asked = waiting.get(name) ?? Promise.withResolvers<T | undefined>()
    waiting.set(name, asked)
    if (!isRunning) void run()
    return asked.promise
  }
}
