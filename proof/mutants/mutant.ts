/** A place in the product's code, and its replacement. */
export interface SourceChange {
  readonly file: string
  /** The original text, which occurs once. */
  readonly text: string
  readonly instead: string
}

/** The tests that must notice a mutant: those in a file whose names contain a text. */
export interface NamedTest {
  readonly file: string
  readonly named: string
}

/** The worlds of the simulation that must notice a mutant. */
export interface NoticedBySimulation {
  /** The names of the faults that must strike so that the mutant has an effect. */
  readonly faults: readonly string[]
  /** Whether the mutant has an effect only with several processes on one book. */
  readonly onServer: boolean
}

/** A mistake that somebody might make and that costs money or breaks a promise, and what must notice it. */
export interface Mutant {
  readonly id: string
  /** The room of the product in whose list the mutant is. */
  readonly room: string
  /** The mistake, as a sentence without its subject. */
  readonly does: string
  /** The changes that are made together: if only one were made, another guard might still hold. */
  readonly changes: readonly SourceChange[]
  readonly tests: readonly NamedTest[]
  readonly simulation: NoticedBySimulation | undefined
}
