import type { Origin } from '../engine/cards/cards.ts'

/**
 * Public answers that say that a command is done, given in the moment before it is. An answer's first words fix who sees it, and Discord
 * marks each later change. Each answer is noted first. Where the process ends in between, the note remains. The command is then refused
 * for good, and its answer says that nothing happened.
 */
export interface Announcements {
  /** Notes that an answer to this command is about to say that it is done. Resolves to the note's id when that is durable. */
  note(origin: Origin): Promise<string>
  /** The command is over, and its answer is true or was taken back. */
  end(id: string): Promise<void>
}
