/**
 * A store of a limited number of things by name. When the store is full, a new thing replaces the least recently used
 * one.
 */
export class NewestNames<Thing> {
  readonly #max: number
  /** The things in the order of their last use. */
  readonly #things = new Map<string, Thing>()

  constructor(max: number) {
    this.#max = max
  }

  get size(): number {
    return this.#things.size
  }

  /** All things, the least recently used first. */
  get things(): Thing[] {
    return [...this.#things.values()]
  }

  /** Returns the thing with this name, or a new one that `make` creates. */
  use(name: string, make: () => Thing): Thing {
    const thing = this.#things.get(name) ?? make()
    this.set(name, thing)
    return thing
  }

  get(name: string): Thing | undefined {
    return this.#things.get(name)
  }

  set(name: string, thing: Thing): void {
    this.#things.delete(name)
    this.#things.set(name, thing)
    const [oldest] = this.#things.size > this.#max ? this.#things.keys() : []
    if (oldest !== undefined) this.#things.delete(oldest)
  }

  delete(name: string): void {
    this.#things.delete(name)
  }
}
