import type { Clock } from '../lib/clock.ts'
import type { Entropy } from '../lib/entropy.ts'
import type { Logger } from '../lib/logger.ts'

/** The clock, entropy and logger that every part gets. */
export interface Runtime {
  readonly clock: Clock
  readonly entropy: Entropy
  readonly logger: Logger
}
