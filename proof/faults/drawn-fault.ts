import type { Complaint } from '../world/watchful-log.ts'

/** How a world begins, for faults that are there from its first moment. */
export interface WorldSetup {
  /** The bot's book was begun by an older version. */
  readonly oldBook: boolean
  /** People type amounts in other money, and somebody tells the bot what it is worth. */
  readonly prices: boolean
}

/** A world's facts about a fault that will strike in it. */
export interface DrawnFault {
  readonly name: string
  readonly setup?: Partial<WorldSetup>
  /** A side's complaints that the fault justifies. */
  readonly excuses?: Partial<Readonly<Record<'bot' | 'service', (complaint: Complaint) => boolean>>>
}
