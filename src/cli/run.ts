import { parseArgs } from 'node:util'
import { LedgerUnavailable } from '../ledger/ledger.ts'
import { codeOf, isDiskTrouble, whySqliteRefuses } from '../lib/database/sqlite/sqlite-file.ts'
import { Problem } from '../lib/problem.ts'
import { helpOfFile } from './satchel-help.ts'

/** A program that runs until it is stopped. */
export interface Running {
  /** For how many milliseconds `close` keeps serving before it stops the program. */
  readonly drainMs?: number
  close(): Promise<void>
}

/** How long a clean stop may take before the process ends without it. The next start resumes unfinished work. */
const STOP_TIMEOUT_MS = 15_000

/**
 * Starts a program, and stops it cleanly on Ctrl-C or SIGTERM; a second signal ends the process immediately. After a
 * mistake that a person can fix, prints a message; after any other error, prints the stack. The exit code is 1 in both
 * cases.
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
 * Calls `stop` when the parent process has ended. npm starts a script through a shell, and a signal to npm ends only
 * npm and the shell, so this process would continue to run unnoticed.
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

/**
 * Throws if a program that has no options was given an option or another argument. `fail` reports the error as a
 * message.
 */
export function takeNoOptions(): void {
  parseArgs({ options: {} })
}

/** Reads the program's only option, `--new-book`, with which an operator permits a new book. */
export function takeNewBook(): boolean {
  return parseArgs({ options: { 'new-book': { type: 'boolean', default: false } } }).values['new-book']
}

/** Prints an error and ends the process with exit code 1. */
export function fail(error: unknown): never {
  console.error(inWords(error) ?? error)
  const help = isWrongArgument(error) ? helpOfFile(process.argv[1]) : undefined
  if (help !== undefined) console.error(`\n${help}`)
  process.exit(1)
}

/** Returns the message of an error that a person can fix; undefined for a bug. */
export function inWords(error: unknown): string | undefined {
  if (error instanceof Problem || isWrongArgument(error)) return error.message
  const cause = error instanceof LedgerUnavailable ? error.cause : error
  // SQLite itself refuses a command that writes into a book without its ledger.
  const isOfBook = cause !== error || codeOf(cause).startsWith('SQLITE_')
  if (!isOfBook || !isDiskTrouble(cause)) return undefined
  return `The books could not be written: ${whySqliteRefuses(cause)}, then start again. Nothing is lost.`
}

/** Whether Node refused the command line's arguments. Node's message about them is good enough for people. */
function isWrongArgument(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
}
