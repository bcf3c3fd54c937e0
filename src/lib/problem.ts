/**
 * A mistake that the person who starts a program can correct: a wrong setting, an occupied port, a folder without
 * permission. The message says what is wrong and what to do, so only the message is shown. Every other error is a bug,
 * and is shown with its stack.
 */
export class Problem extends Error {
  override name = 'Problem'
}
