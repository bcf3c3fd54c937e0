import type { Stage } from './stage.ts'

/**
 * A part of the tour. Each part begins where the previous part ended, and throws TourBroken on any unexpected result.
 */
export interface Flow {
  readonly title: string
  play(stage: Stage): Promise<void>
}
