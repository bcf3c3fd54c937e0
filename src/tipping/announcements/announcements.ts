import type { Origin } from '../engine/cards/cards.ts'

/**
 * Notes public answers that announce a result just before it happens. An answer's first text fixes who sees it, and
 * Discord marks each later change. If the process ends in between, the note remains. The command is then permanently
 * refused, and its answer says that nothing happened.
 */
export interface Announcements {
  /**
   * Notes that an answer to this command is about to announce its result. Resolves to the note's id when that is
   * durable.
   */
  note(origin: Origin): Promise<string>
  /** Ends a note: the command is over, and its answer is true or was taken back. */
  end(id: string): Promise<void>
}
