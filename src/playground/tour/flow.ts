import type { Stage } from './stage.ts'

/** A part of the tour. Each begins where the one before ended, and throws TourBroken when something is not as it must be. */
export interface Flow {
  readonly title: string
  play(stage: Stage): Promise<void>
}
