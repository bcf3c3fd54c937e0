/**
 * A mistake that the person who starts a program can correct: a wrong setting, an occupied port, a folder without
 * permission. Its message says what is wrong and what to do, so it is shown alone. Every other error is a bug, shown
 * with its stack.
 */
export class Problem extends Error {
  override name = 'Problem'
}
