import { Problem } from './problem.ts'

/** The sentence with which a command refuses a file or folder without a name. */
export const EMPTY_NAME = 'The name is empty: perhaps a variable of the shell is not set. Nothing was changed.'

/** Whether a name was given but is empty. To the file system, an empty name would mean the present folder. */
export function isEmptyName(name: string | undefined): boolean {
  return name?.trim() === ''
}

/** Throws Problem for an empty name. `remedy` is a sentence that says what to name. */
export function refuseEmptyName(name: string | undefined, remedy: string): void {
  if (isEmptyName(name)) throw new Problem(`${EMPTY_NAME} ${remedy}`)
}
