import type { Complaint } from '../world/watchful-log.ts'

/** How a world begins, for faults that exist from its first moment. */
export interface WorldSetup {
  /** An older version began the bot's book. */
  readonly oldBook: boolean
  /** People type amounts in other money, and a source tells the bot their value. */
  readonly prices: boolean
}

/** What a world knows about a fault that will strike in it. */
export interface DrawnFault {
  readonly name: string
  readonly setup?: Partial<WorldSetup>
  /** Which complaints of each side the fault excuses. */
  readonly excuses?: Partial<Readonly<Record<'bot' | 'service', (complaint: Complaint) => boolean>>>
}
