/** One place of the product, and what is there instead. */
export interface SourceChange {
  readonly file: string
  /** As it is written there, once. */
  readonly text: string
  readonly instead: string
}

/** Tests that notice: those of a file whose names contain a text. */
export interface NamedTest {
  readonly file: string
  readonly named: string
}

/** Worlds of the simulation that notice. */
export interface NoticedBySimulation {
  /** The faults that must strike for it to show, by name. */
  readonly faults: readonly string[]
  /** Whether it takes several processes on one book. */
  readonly onServer: boolean
}

/** A mistake that somebody might make, which takes money or breaks a promise, and what must notice it. */
export interface Mutant {
  readonly id: string
  /** The list that it stands in: a room of the product. */
  readonly room: string
  /** Its action, as a sentence without its subject. */
  readonly does: string
  /** Made together: where one alone is made, another guard may still hold. */
  readonly changes: readonly SourceChange[]
  readonly tests: readonly NamedTest[]
  readonly simulation: NoticedBySimulation | undefined
}
