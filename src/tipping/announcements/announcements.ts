import type { Origin } from '../engine/cards/cards.ts'

/**
 * Notes about public answers that announce a command's result before the command has run. Such answers come early
 * because an answer's first text fixes who sees it, and Discord marks each later change. If the process ends between
 * the answer and the command, the note remains. The command is then permanently refused, and its answer says that
 * nothing happened.
 */
export interface Announcements {
  /**
   * Notes that an answer to this command is about to announce the command's result. Resolves to the note's id when the
   * note is durable.
   */
  note(origin: Origin): Promise<string>
  /** Ends a note: the command is over, and its answer is true or was taken back. */
  end(id: string): Promise<void>
}
