import type { Complaint } from '../world/watchful-log.ts'

/** How a world begins, for faults that exist from its first moment. */
export interface WorldSetup {
  /** Whether an older version began the bot's book. */
  readonly oldBook: boolean
  /** Whether people type amounts in other currencies, whose values the bot gets from a source. */
  readonly prices: boolean
}

/** The properties of a fault that its world needs before the fault strikes. */
export interface DrawnFault {
  readonly name: string
  readonly setup?: Partial<WorldSetup>
  /** Which complaints of each side the fault excuses. */
  readonly excuses?: Partial<Readonly<Record<'bot' | 'service', (complaint: Complaint) => boolean>>>
}
