import type { Instance } from './fronts-stage.ts'

/**
 * Words of a process that ends itself, or does not start, because its database is gone or nobody knows what became of a
 * COMMIT.
 */
const DATABASE_TO_BLAME =
  /was lost while a change was committed|cannot be reached|broke off the connection|is starting up|recovers from a crash|has to wait for a standby/

/** Starts processes again that end, as a service manager does. */
export class Keeper {
  /** How many ended over a database that was lost. */
  endedThemselves = 0
  /** From then on a process may end itself. */
  databaseWasLost = false
  readonly #all: readonly Instance[]

  constructor(all: readonly Instance[]) {
    this.#all = all
  }

  /** Starts again who has ended. Throws where one had no reason to. */
  async raiseAll(): Promise<void> {
    await Promise.all(this.#all.map((instance) => this.#raise(instance)))
  }

  /** Kills a process and starts another in its place. */
  async kill(instance: Instance): Promise<void> {
    await this.#raise(instance)
    await instance.process.kill().catch((error: unknown) => this.#excuse(instance, String(error)))
    await this.#start(instance)
  }

  async #raise(instance: Instance): Promise<void> {
    const end = await instance.process.endsByItself(1)
    if (end === undefined) return
    this.#excuse(instance, end.lastWords)
    await this.#start(instance)
  }

  async #start(instance: Instance): Promise<void> {
    for (;;) {
      try {
        return await instance.process.start()
      } catch (error) {
        this.#excuse(instance, String(error))
      }
    }
  }

  #excuse({ name }: Instance, words: string): void {
    if (!this.databaseWasLost || !DATABASE_TO_BLAME.test(words)) throw new Error(`${name} ended by itself: ${words}`)
    this.endedThemselves += 1
  }
}
