import type { Clock } from '../lib/clock.ts'
import type { Entropy } from '../lib/entropy.ts'
import type { Logger } from '../lib/logger.ts'
import type { RecentLines } from '../lib/recent-lines.ts'
import type { Standstill } from '../lib/standstill.ts'

/** The clock, entropy and logger that are passed to every part of the program. */
export interface Runtime {
  readonly clock: Clock
  readonly entropy: Entropy
  readonly logger: Logger
  /** Recent log lines, if they are stored. */
  readonly recent?: Pick<RecentLines, 'list'>
  /** How long the process was unresponsive, if that is measured. */
  readonly standstill?: Standstill
}
