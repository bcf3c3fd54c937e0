import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { whyFilesRefuse } from '../../lib/file-trouble.ts'
import { Problem } from '../../lib/problem.ts'
import type { BackupFile } from './contents.ts'

/** The suffixes of a database's files: its own file, its write-ahead log, and the log's index. */
const SUFFIXES = ['', '-wal', '-shm']

interface Rename {
  readonly from: string
  readonly to: string
}

/**
 * Puts the files in `staging` in their places, and moves the files that were there into folders named `asideName`
 * beside them. First copies each file next to its place, which needs room and time, and then only renames files.
 * Returns the folders that contain the old files. Throws Problem on failure; the old files are then back in place, or
 * the message says where they are.
 */
export function putInPlace(staging: string, backupFiles: readonly BackupFile[], asideName: string): string[] {
  const fresh = backupFiles.filter(({ name }) => existsSync(join(staging, name)))
  const asides = new Set<string>()
  const done: Rename[] = []
  const move = (from: string, to: string) => {
    renameSync(from, to)
    done.push({ from, to })
  }
  try {
    for (const { name, file } of fresh) copyBeside(join(staging, name), file)
    for (const { name, file } of backupFiles) {
      // A database may be on another disk than the data folder, where a rename is impossible.
      const aside = join(dirname(file), asideName)
      for (const suffix of SUFFIXES.filter((suffix) => existsSync(file + suffix))) {
        asides.add(aside)
        mkdirSync(aside, { recursive: true, mode: 0o700 })
        move(file + suffix, join(aside, name + suffix))
      }
    }
    for (const { file } of fresh) move(besideOf(file), file)
    for (const folder of new Set([...asides, ...fresh.map(({ file }) => dirname(file))])) sync(folder)
    return [...asides]
  } catch (error) {
    const stuck = undo(done)
    for (const { file } of fresh) attempt(() => rmSync(besideOf(file)))
    for (const aside of asides) attempt(() => rmdirSync(aside))
    throw new Problem(whatIsWhere(error, stuck), { cause: error })
  }
}

const besideOf = (file: string) => `${file}.restoring`

function copyBeside(from: string, file: string): void {
  const beside = besideOf(file)
  mkdirSync(dirname(file), { recursive: true })
  rmSync(beside, { force: true })
  copyFileSync(from, beside)
  chmodSync(beside, 0o600)
  sync(beside)
}

/** Flushes a file, or the names of the files in a folder, to the disk. */
function sync(path: string): void {
  const opened = openSync(path, 'r')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}

/** Undoes renames, the last one first. Returns the renames that could not be undone. */
function undo(done: readonly Rename[]): Rename[] {
  return done.toReversed().filter(({ from, to }) => !attempt(() => renameSync(to, from)))
}

function attempt(action: () => void): boolean {
  try {
    action()
    return true
  } catch {
    return false
  }
}

function whatIsWhere(error: unknown, stuck: readonly Rename[]): string {
  const why = whyFilesRefuse(error) ?? `${String(error)}. Check what is there`
  if (stuck.length === 0) {
    return `The backup could not be put in place: ${why}, then restore again. Nothing was changed: what was there before is in its place.`
  }
  const back = stuck.map(({ from, to }) => `\n  - ${to} to ${from}`).join('')
  return `The backup could not be put in place, and neither could all of what was there before: ${why}, then move these back, and restore again:${back}`
}
