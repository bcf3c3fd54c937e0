/** The mark of each log level on a terminal. */
const MARKS: Readonly<Record<string, string>> = { warn: '!', error: '✗', fatal: '✗' }

/**
 * Turns a warning or an error in the log into a line for a person at a terminal; returns undefined for other log lines.
 */
export function forPeople(line: string): string | undefined {
  const { level, msg, err } = JSON.parse(line) as { level: string; msg?: string; err?: { message?: string } }
  const mark = MARKS[level]
  if (mark === undefined) return undefined
  const why = err?.message === undefined ? '' : `: ${err.message}`
  return `${mark} ${msg ?? ''}${why}`
}

/** Returns the text for the end of a start: in how many servers the bot is, and the link that invites it to another. */
export function online(servers: number, invite: string | undefined): string {
  const where = servers === 0 ? 'in no server yet' : servers === 1 ? 'in 1 server' : `in ${servers} servers`
  return `Satchel is online ${where}.${invite === undefined ? '' : ` Invite: ${invite}`}`
}
