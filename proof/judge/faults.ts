/**
 * The judge's charges against the product, as sentences. They are reported after the step in which the judge noticed
 * them.
 */
export class Faults {
  readonly found: string[] = []

  add(sentence: string): void {
    this.found.push(sentence)
  }

  /** Reports a fault unless this holds. */
  expect(holds: boolean, sentence: () => string): void {
    if (!holds) this.add(sentence())
  }
}
