import type { EmulatorEvent } from './views.ts'

/** The listeners to all events of the emulator. */
export class Observers {
  readonly #listeners = new Set<(event: EmulatorEvent) => void>()

  add(listener: (event: EmulatorEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Sends an event to all listeners. The event is created only if there are listeners. */
  tell(make: () => EmulatorEvent): void {
    if (this.#listeners.size === 0) return
    const event = make()
    for (const listener of [...this.#listeners]) listener(event)
  }

  clear(): void {
    this.#listeners.clear()
  }
}
