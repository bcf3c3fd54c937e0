import { accessSync, chmodSync, constants, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Problem } from './problem.ts'

/**
 * Creates the folder for data that must survive a restart. Throws Problem if the folder, or a file in it, cannot be
 * created or written.
 */
export function openDataFolder(folder: string): string {
  let looked = folder
  try {
    // Only this user may read the books, the callbacks' secrets and members' balances.
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    closeToOthers(folder)
    accessSync(folder, constants.W_OK)
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (!entry.isFile()) continue
      looked = join(folder, entry.name)
      accessSync(looked, constants.R_OK | constants.W_OK)
    }
    return folder
  } catch (error) {
    const code = (error as { code?: string }).code ?? ''
    throw new Problem(
      `The data folder ${folder} cannot be used: ${whatIsWrong(code, looked)}, or set DATA_FOLDER to another folder.`,
      { cause: error },
    )
  }
}

/**
 * Closes an existing folder to this machine's other users. Leaves the program's working directory as it is, because
 * that contains more than our files.
 */
function closeToOthers(folder: string): void {
  const { mode, uid } = statSync(folder)
  const isOurs = uid === process.getuid?.() && resolve(folder) !== process.cwd()
  if (isOurs && (mode & 0o077) !== 0) chmodSync(folder, 0o700)
}

function whatIsWrong(code: string, path: string): string {
  if (code === 'EEXIST' || code === 'ENOTDIR') return 'there is a file with that name. Move it away'
  if (code === 'ENOSPC') return 'the disk is full. Free some space'
  if (code === 'EROFS') return 'it is on a read-only file system. Mount it so that it can be written'
  return `there is no permission to write ${path}. Give the folder, with everything in it, to the user that runs Satchel`
}
