/** A limited number of things by name: a new one replaces the least recently used. */
export class NewestNames<Thing> {
  readonly #max: number
  /** In the order in which they were last used. */
  readonly #things = new Map<string, Thing>()

  constructor(max: number) {
    this.#max = max
  }

  get size(): number {
    return this.#things.size
  }

  /** All of them, the one that was not used for longest first. */
  get things(): Thing[] {
    return [...this.#things.values()]
  }

  /** The thing of this name, or the one that `make` makes for it. */
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
