/** One place of the code that a guard is made of, and what stands there without it. */
export interface CodeLocation {
  readonly file: string
  /** As it is written there, once. */
  readonly text: string
  readonly without: string
}

/** What stands between a fault and the money, and the tests that say so. */
export interface Guard {
  /** The fault's number in docs/RELIABILITY.md, or its name where it has none. */
  readonly fault: string
  /** What the guard sees to. */
  readonly holds: string
  /** Taken out together: where one alone is taken out, another may still hold. */
  readonly places: readonly CodeLocation[]
  readonly test: string
  /** What the names of the tests contain that must fail without it. */
  readonly named: string
}
