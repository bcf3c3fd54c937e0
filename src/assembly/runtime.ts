import type { Clock } from '../lib/clock.ts'
import type { Entropy } from '../lib/entropy.ts'
import type { Logger } from '../lib/logger.ts'

/** What everything is given: time, randomness, a log. */
export interface Runtime {
  readonly clock: Clock
  readonly entropy: Entropy
  readonly logger: Logger
}
