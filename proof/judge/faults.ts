/** The judge's charges against the product, as sentences; reported after the step in which they were noticed. */
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
