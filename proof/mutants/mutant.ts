/** A place in the product's code, and its replacement. */
export interface SourceChange {
  readonly file: string
  /** The original text, which occurs once. */
  readonly text: string
  readonly instead: string
}

/** The tests that must notice: those in a file whose names contain a text. */
export interface NamedTest {
  readonly file: string
  readonly named: string
}

/** Worlds of the simulation that must notice. */
export interface NoticedBySimulation {
  /** The faults that must strike for the mutant to show, by name. */
  readonly faults: readonly string[]
  /** Whether it takes several processes on one book. */
  readonly onServer: boolean
}

/** A mistake that somebody might make and that costs money or breaks a promise, and what must notice it. */
export interface Mutant {
  readonly id: string
  /** The list that it belongs to: a room of the product. */
  readonly room: string
  /** Its action, as a sentence without its subject. */
  readonly does: string
  /** Changes that are made together: if only one is made, another guard may still hold. */
  readonly changes: readonly SourceChange[]
  readonly tests: readonly NamedTest[]
  readonly simulation: NoticedBySimulation | undefined
}
