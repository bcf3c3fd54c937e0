import { parseArgs } from 'node:util'
import { LedgerUnavailable } from '../ledger/ledger.ts'
import { codeOf, isDiskTrouble, whySqliteRefuses } from '../lib/database/sqlite/sqlite-file.ts'
import { Problem } from '../lib/problem.ts'
import { helpOfFile } from './satchel-help.ts'

/** A program that runs until it is stopped. */
export interface Running {
  /** How many milliseconds the program keeps serving before it stops. */
  readonly drainMs?: number
  close(): Promise<void>
}

/** How long a clean stop may take before the process ends anyway. The next start resumes unfinished work. */
const STOP_TIMEOUT_MS = 15_000

/**
 * Starts a program, and stops it cleanly on Ctrl-C or SIGTERM; a second signal ends the process immediately. Mistakes
 * that a person can fix end with a sentence and exit code 1, and everything else with its stack.
 */
export async function run(start: () => Promise<Running>): Promise<void> {
  // Only this user may read the files that this process writes.
  process.umask(0o077)
  // Start only after the signal handlers are set, because a signal may come at any moment.
  const starting = Promise.resolve().then(start)
  let stopping = false
  const stop = async () => {
    if (stopping) process.exit(130)
    stopping = true
    const tooLong = () => {
      console.error('Stopping took too long. The next start continues the unfinished work.')
      process.exit(1)
    }
    const timeout = setTimeout(tooLong, STOP_TIMEOUT_MS).unref()
    const running = await starting.catch(() => undefined)
    if (running?.drainMs) {
      clearTimeout(timeout)
      setTimeout(tooLong, running.drainMs + STOP_TIMEOUT_MS).unref()
    }
    await running?.close()
    process.exit(0)
  }
  process.on('SIGINT', () => void stop())
  process.on('SIGTERM', () => void stop())
  stopWithNpm(stop)
  // Our own timers keep no process alive. While a start waits for one, the process would end without a message (exit
  // code 13).
  const alive = setInterval(() => undefined, 3_600_000)
  try {
    await starting
  } catch (error) {
    if (!stopping) fail(error)
  } finally {
    clearInterval(alive)
  }
}

/**
 * Stops when the parent process is gone. npm starts a script through a shell, and a signal that npm gets ends only npm
 * and the shell. Their children must not stay alive unseen.
 */
function stopWithNpm(stop: () => Promise<void>): void {
  const parent = process.ppid
  if (process.env.npm_lifecycle_event === undefined || parent === 1) return
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    void stop()
  }, 250)
  watch.unref()
}

/** Checks that a program without options got none. Throws otherwise, and `fail` reports it in words. */
export function takeNoOptions(): void {
  parseArgs({ options: {} })
}

/** Reads the only option, `--new-book`, with which an operator allows a new book. */
export function takeNewBook(): boolean {
  return parseArgs({ options: { 'new-book': { type: 'boolean', default: false } } }).values['new-book']
}

/** Prints the error and ends the process with exit code 1. */
export function fail(error: unknown): never {
  console.error(inWords(error) ?? error)
  const help = isWrongArgument(error) ? helpOfFile(process.argv[1]) : undefined
  if (help !== undefined) console.error(`\n${help}`)
  process.exit(1)
}

/** Returns the sentence for an error that a person can fix; undefined for a bug. */
export function inWords(error: unknown): string | undefined {
  if (error instanceof Problem || isWrongArgument(error)) return error.message
  const cause = error instanceof LedgerUnavailable ? error.cause : error
  // SQLite itself refuses a command that writes into a book without its ledger.
  const isOfBook = cause !== error || codeOf(cause).startsWith('SQLITE_')
  if (!isOfBook || !isDiskTrouble(cause)) return undefined
  return `The books could not be written: ${whySqliteRefuses(cause)}, then start again. Nothing is lost.`
}

/** Node's message for an unknown option is good enough. */
function isWrongArgument(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
}
