import type { Faults } from './faults.ts'

/** Actions that take two operators: nobody decides or books alone, however often they ask. */
export class SecondWords {
  readonly #faults: Faults
  /** Operators who have asked for each thing since it was last done. */
  readonly #said = new Map<string, Set<string>>()

  constructor(faults: Faults) {
    this.#faults = faults
  }

  /** An operator says something; the result is to be called when they are told that it is done. */
  says(what: string, operator: string): () => void {
    const said = (this.#said.get(what) ?? new Set()).add(operator)
    this.#said.set(what, said)
    return () => {
      this.#said.delete(what)
      this.#faults.expect(said.size > 1, () => `${operator} alone has done what takes two operators: ${what}`)
    }
  }
}
