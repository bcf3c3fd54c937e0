import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Problem } from './problem.ts'

/**
 * Keeps a second process from working on the same data: `name.lock` in the folder says which process has it. A lock
 * whose process is gone, killed perhaps, is nobody's. Throws Problem while another process has it. Returns what gives
 * it back.
 */
export function lockFolder(folder: string, name: string): () => void {
  const file = join(folder, `${name}.lock`)
  const holder = holderOf(file)
  if (holder !== undefined) {
    throw new Problem(
      `The data in ${folder} is in use by another process (${holder}). Stop that one first, or name another folder in DATA_FOLDER.`,
    )
  }
  writeFileSync(file, `${process.pid}\n`)
  return () => rmSync(file, { force: true })
}

function holderOf(file: string): number | undefined {
  const pid = Number(readIfThere(file))
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return undefined
  try {
    process.kill(pid, 0)
    return pid
  } catch (error) {
    // No such process; one that belongs to somebody else is there, though.
    return (error as { code?: string }).code === 'EPERM' ? pid : undefined
  }
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
