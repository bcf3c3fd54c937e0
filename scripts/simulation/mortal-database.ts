import type { Chance } from './chance.ts'

/** One life of a process. Once it is over, nothing that the process does has an effect, and nothing answers it. */
export class Life {
  over = false
  /** Transactions that were begun; what a dead process left open is ended before the next one starts. */
  open = 0
  readonly #end = Promise.withResolvers<never>()
  readonly #onDeath: () => void

  constructor(onDeath: () => void) {
    this.#onDeath = onDeath
    this.#end.promise.catch(() => undefined)
  }

  /** Rejects with Died when the life is over. */
  get death(): Promise<never> {
    return this.#end.promise
  }

  end(): void {
    if (this.over) return
    this.over = true
    this.#onDeath()
    this.#end.reject(new Died())
  }
}

/** The process died before it could answer. */
export class Died extends Error {
  override name = 'Died'
}

/** What is never heard. A promise of its own each time, so that nothing is kept alive by it. */
export function silence(): Promise<never> {
  return new Promise<never>(() => undefined)
}

interface Transacting {
  $transaction(run: (tx: unknown) => Promise<unknown>, options?: object): Promise<unknown>
}

/**
 * The writing side of a database, whose process may die at each commit: just before it, or just after it. A transaction
 * that is open when the process is killed from outside is rolled back, or committed unheard.
 */
export function mortal<Client extends object>(client: Client, life: Life, chance: Chance, risk: () => number): Client {
  const transaction = (client as unknown as Transacting).$transaction.bind(client)
  const transact = async (run: (tx: unknown) => Promise<unknown>, options?: object): Promise<unknown> => {
    if (!life.over && chance.happens(risk() / 2)) life.end()
    if (life.over) return silence()
    life.open += 1
    const committing = transaction(async (tx) => {
      const value = await run(tx)
      if (life.over && chance.happens(0.5)) throw new Died()
      return value
    }, options)
    const ended = await committing.then(
      (value) => () => value,
      (error: unknown) => () => {
        throw error
      },
    )
    life.open -= 1
    if (!life.over && chance.happens(risk() / 2)) life.end()
    return life.over ? silence() : ended()
  }
  return new Proxy(client, {
    get: (target, name) => (name === '$transaction' ? transact : Reflect.get(target, name)),
  })
}
