import { accessSync, constants, mkdirSync } from 'node:fs'
import { Problem } from './problem.ts'

/** Makes the folder for what must survive a restart. Throws Problem when it cannot be made or written. */
export function openDataFolder(folder: string): string {
  try {
    // Books, secrets of callbacks and members' balances are nobody's business but this user's.
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK)
    return folder
  } catch (error) {
    const code = (error as { code?: string }).code
    const what =
      code === 'EEXIST' || code === 'ENOTDIR'
        ? 'there is a file of that name'
        : code === 'ENOSPC'
          ? 'the disk is full'
          : 'there is no permission to write there'
    const remedy = 'Make it a folder that this user may write, or name another in DATA_FOLDER'
    throw new Problem(`The data folder ${folder} cannot be used: ${what}. ${remedy}.`, { cause: error })
  }
}
