import { codeOf, whySqliteRefuses } from './database/sqlite/sqlite-file.ts'
import { Problem } from './problem.ts'

/**
 * Explains a refusal of the file system or SQLite, and the remedy, as a clause without a full stop at its end. Returns
 * undefined for every other error, because any other error is a bug.
 */
export function whyFilesRefuse(error: unknown): string | undefined {
  const code = codeOf(error)
  const { path, dest, message } = error as { path?: unknown; dest?: unknown; message?: unknown }
  if (code.startsWith('SQLITE_')) return whySqliteRefuses(error)
  if (!/^(E(?!RR_)|ERR_FS_)/.test(code)) return undefined
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'the disk is full. Free some space'
  if (code === 'EACCES' || code === 'EPERM') {
    return `there is no permission for ${dest ?? path}. Give it to the user that runs Satchel`
  }
  if (code === 'EROFS') return `${dest ?? path} is on a read-only file system. Mount it so that it can be written`
  return `${message}. Check what is there`
}

/**
 * Performs file operations. If the file system or SQLite refuses one, throws Problem with `what` (what failed), the
 * reason, the remedy, and `again` (what to do after that).
 */
export async function withFiles<T>(what: string, again: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const why = error instanceof Problem ? undefined : whyFilesRefuse(error)
    if (why === undefined) throw error
    throw new Problem(`${what}: ${why}, then ${again}`, { cause: error })
  }
}
