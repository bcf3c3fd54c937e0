/**
 * The part of PostgreSQL's wire protocol that shows whose turn it is:
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */

/** The message of the error that reports a lost connection. */
export const LOST = 'Connection terminated unexpectedly'

/** Yields the complete messages in one side's bytes; each message begins with a letter and its length. */
export function* messages(bytes: Buffer): Generator<{ readonly letter: string; readonly body: Buffer }> {
  for (let at = 0; at + 5 <= bytes.length; ) {
    const end = at + 1 + bytes.readInt32BE(at + 1)
    if (end > bytes.length) return
    yield { letter: String.fromCharCode(bytes[at] ?? 0), body: bytes.subarray(at + 5, end) }
    at = end
  }
}

/** Returns whether the server has reported `answers` times that it is ready or requires a password. */
export function isWhole(bytes: Buffer, answers: number): boolean {
  let ready = 0
  for (const { letter, body } of messages(bytes)) {
    const asksForPassword = letter === 'R' && body.readInt32BE(0) !== 0
    if (letter === 'Z' || asksForPassword) ready += 1
  }
  return ready >= answers
}

/**
 * Returns how often the server will report that it is ready after these bytes: after each query, each Sync, and each
 * part of a login.
 */
export function answersTo(bytes: Buffer): number {
  let answers = 0
  for (const { letter } of messages(bytes)) if ('QSp'.includes(letter)) answers += 1
  return answers
}

/** Returns the statements of a simple query; undefined for everything else. */
export function questionIn(bytes: Buffer): string | undefined {
  for (const { letter, body } of messages(bytes)) if (letter === 'Q') return body.toString('utf8', 0, body.length - 1)
  return undefined
}

/** Returns the parameters, by name, in a connection's first message. */
export function parametersOf(startup: Buffer): Map<string, string> {
  const parts = startup.toString('utf8', 8).split('\0')
  const all = new Map<string, string>()
  for (let at = 0; at + 1 < parts.length; at += 2) all.set(parts[at] ?? '', parts[at + 1] ?? '')
  return all
}

/** Returns the number of the server's process, which is in the answer to the login; undefined before. */
export function processIn(bytes: Buffer): number | undefined {
  for (const { letter, body } of messages(bytes)) if (letter === 'K') return body.readInt32BE(0)
  return undefined
}
