import type { Instance } from './fronts-stage.ts'

/**
 * Matches the messages of a process that ends or fails to start because its database is gone or a COMMIT's outcome is
 * unknown.
 */
const DATABASE_TO_BLAME =
  /was lost while a change was committed|cannot be reached|broke off the connection|is starting up|is recovering from a crash|has to wait for a standby/

/** Restarts processes that end, as a service manager does. */
export class Keeper {
  /** The number of processes that ended because a database was lost. */
  endedThemselves = 0
  /** Whether a database was lost, after which a process may end on its own. */
  databaseWasLost = false
  readonly #all: readonly Instance[]

  constructor(all: readonly Instance[]) {
    this.#all = all
  }

  /** Restarts every process that has ended. Throws if a process had no reason to end. */
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
