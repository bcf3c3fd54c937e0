import type { SourceChange } from '../copies/change.ts'

/** A mistake that somebody might make, which takes money or breaks a promise. The simulation must notice it. */
export interface KnownBug {
  readonly id: string
  /** What it does, as a sentence without its subject: `pays every 25th payout to somebody else`. */
  readonly does: string
  /** The faults that must strike for it to show, by name. */
  readonly faults?: readonly string[]
  /** Made together. */
  readonly places: readonly SourceChange[]
}
