import type { Faults } from './faults.ts'

/** Judges actions that take two operators: nobody decides or books alone, however often they request it. */
export class SecondWords {
  readonly #faults: Faults
  /** The operators who have requested each action since it was last done. */
  readonly #said = new Map<string, Set<string>>()

  constructor(faults: Faults) {
    this.#faults = faults
  }

  /**
   * Notes that an operator requests an action. The returned function must be called when they are told that the action
   * is done.
   */
  says(what: string, operator: string): () => void {
    const said = (this.#said.get(what) ?? new Set()).add(operator)
    this.#said.set(what, said)
    return () => {
      this.#said.delete(what)
      this.#faults.expect(said.size > 1, () => `${operator} alone has done what takes two operators: ${what}`)
    }
  }
}
