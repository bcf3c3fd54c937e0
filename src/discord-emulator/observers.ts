import type { EmulatorEvent } from './views.ts'

/** Listeners of all events. */
export class Observers {
  readonly #listeners = new Set<(event: EmulatorEvent) => void>()

  add(listener: (event: EmulatorEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Sends an event to all listeners. The event is made only if there are any. */
  tell(make: () => EmulatorEvent): void {
    if (this.#listeners.size === 0) return
    const event = make()
    for (const listener of [...this.#listeners]) listener(event)
  }

  clear(): void {
    this.#listeners.clear()
  }
}
