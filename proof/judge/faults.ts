/** What the judge holds against the product, as sentences; heard of after the step in which it was noticed. */
export class Faults {
  readonly found: string[] = []

  add(sentence: string): void {
    this.found.push(sentence)
  }

  /** Unless this holds, it is a fault. */
  expect(holds: boolean, sentence: () => string): void {
    if (!holds) this.add(sentence())
  }
}
