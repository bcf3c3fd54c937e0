import { chmodSync, copyFileSync, existsSync, renameSync, writeFileSync } from 'node:fs'
import { readEnvText } from '../../config/config.ts'
import type { Clock } from '../../lib/clock.ts'
import { Problem } from '../../lib/problem.ts'

/**
 * Sets variables in an `.env` file, and leaves every other line as it is. An undefined value removes the variable's
 * line. Only the file's owner can read it (mode 600). The file is replaced as a whole, so a kill in between leaves the
 * old one. A copy of the old file stays beside it, named with the date, because a key in it may exist nowhere else.
 * Returns the copy's name; undefined if there was no file or nothing changed. Throws Problem if the file cannot be
 * written.
 */
export function writeEnvFile(
  file: string,
  variables: Readonly<Record<string, string | undefined>>,
  clock: Clock,
): string | undefined {
  const text = readEnvText(file)
  const old = text?.split('\n') ?? ['# Satchel. Every variable is explained in .env.example.']
  const isSet = (line: string) => Object.keys(variables).includes(/^\s*(?:export\s+)?(\w+)\s*=/.exec(line)?.[1] ?? '')
  const stored = old.filter((line) => !isSet(line))
  while (stored.at(-1) === '') stored.pop()
  const added = Object.entries(variables).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${inQuotes(name, value)}`],
  )
  const written = `${[...stored, ...added].join('\n')}\n`
  const before = `${file}.before-${new Date(clock.now()).toISOString().replace(/[:.]/g, '-')}`
  const keeps = text !== undefined && text !== written
  try {
    writeFileSync(`${file}.new`, written, { mode: 0o600, flush: true })
    if (keeps && !existsSync(before)) {
      copyFileSync(file, before)
      chmodSync(before, 0o600)
    }
    renameSync(`${file}.new`, file)
    return keeps ? before : undefined
  } catch (error) {
    const why =
      'Give the user that runs Satchel permission to write in the folder of this file, or set SETTINGS_FILE to another file'
    throw new Problem(`${file} cannot be written (${(error as { code?: string }).code}). ${why}.`, { cause: error })
  }
}

/**
 * Writes a value so that `readEnvFile` reads the same value: without quotes if that is unambiguous, and otherwise in
 * quotes of a kind that the value does not contain. Throws Problem if no form is possible.
 */
function inQuotes(name: string, value: string): string {
  if (value === '' || /^[^\s#"'`]+$/.test(value)) return value
  const quote = ["'", '"', '`'].find((each) => !value.includes(each) && !(each === '"' && value.includes('\\n')))
  if (quote !== undefined && !/[\r\n]/.test(value)) return `${quote}${value}${quote}`
  throw new Problem(
    `No .env file can hold the value of ${name}, because it contains a line break or all three kinds of quotes. Put the value in a file of its own, and set ${name}_FILE to that file.`,
  )
}
