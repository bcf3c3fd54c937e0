/** Marks of log levels on a terminal. */
const MARKS: Readonly<Record<string, string>> = { warn: '!', error: '✗', fatal: '✗' }

/**
 * Turns a log line of at least a warning into a line for a person at a terminal; undefined for lines that only programs
 * read.
 */
export function forPeople(line: string): string | undefined {
  const { level, msg, err } = JSON.parse(line) as { level: string; msg?: string; err?: { message?: string } }
  const mark = MARKS[level]
  if (mark === undefined) return undefined
  const why = err?.message === undefined ? '' : `: ${err.message}`
  return `${mark} ${msg ?? ''}${why}`
}

/** Reports after a start where the bot is, and how to add it to more servers. */
export function online(servers: number, invite: string | undefined): string {
  const where = servers === 0 ? 'in no server yet' : servers === 1 ? 'in 1 server' : `in ${servers} servers`
  return `Satchel is online ${where}.${invite === undefined ? '' : ` Invite: ${invite}`}`
}
