import { parseArgs } from 'node:util'
import { LedgerUnavailable } from '../ledger/ledger.ts'
import { codeOf, isDiskTrouble, whySqliteRefuses } from '../lib/database/sqlite/sqlite-file.ts'
import { Problem } from '../lib/problem.ts'
import { helpOfFile } from './satchel-help.ts'

/** Something that runs until it is stopped. */
export interface Running {
  /** Milliseconds for which it keeps serving others before it stops. */
  readonly drainMs?: number
  close(): Promise<void>
}

/** How long a clean stop may take before the process ends anyway; the next start resumes what was left. */
const STOP_TIMEOUT_MS = 15_000

/**
 * Starts something, and stops it cleanly on Ctrl-C or SIGTERM; a second signal ends the process at once. Mistakes that
 * a person can mend end with a sentence and exit code 1, everything else with its stack.
 */
export async function run(start: () => Promise<Running>): Promise<void> {
  // Whatever is written is for this user's eyes.
  process.umask(0o077)
  // Not before the signals are listened to: one may come at any moment.
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
  // Our own timers keep no process alive. While a start waits for one, the process would end without a word (exit code 13).
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
 * npm starts a script through a shell, and a signal that npm gets ends npm and the shell alone. Their children must not
 * live on unseen, so each stops when its parent is gone.
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

/** For a program that knows no options. Throws when it was given one, which `fail` tells in words. */
export function takeNoOptions(): void {
  parseArgs({ options: {} })
}

/** For a program that knows one: `--new-book`, by which an operator allows that a book begins. */
export function takeNewBook(): boolean {
  return parseArgs({ options: { 'new-book': { type: 'boolean', default: false } } }).values['new-book']
}

/** Says what went wrong and ends the process with exit code 1. */
export function fail(error: unknown): never {
  console.error(inWords(error) ?? error)
  const help = isWrongArgument(error) ? helpOfFile(process.argv[1]) : undefined
  if (help !== undefined) console.error(`\n${help}`)
  process.exit(1)
}

/** The sentence for an error that a person can mend; undefined for a bug. */
export function inWords(error: unknown): string | undefined {
  if (error instanceof Problem || isWrongArgument(error)) return error.message
  const cause = error instanceof LedgerUnavailable ? error.cause : error
  // A command that writes into a book without its ledger is refused by SQLite itself.
  const isOfBook = cause !== error || codeOf(cause).startsWith('SQLITE_')
  if (!isOfBook || !isDiskTrouble(cause)) return undefined
  return `The books could not be written: ${whySqliteRefuses(cause)}, then start again. Nothing is lost.`
}

/** Node's own words for an unknown option are good enough. */
function isWrongArgument(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
}
