import { chmodSync, copyFileSync, existsSync, renameSync, writeFileSync } from 'node:fs'
import { readEnvText } from '../../config/config.ts'
import type { Clock } from '../../lib/clock.ts'
import { Problem } from '../../lib/problem.ts'

/**
 * Sets variables in an `.env` file and keeps every other line. The file is readable by its owner only (mode 600), and
 * is replaced as a whole, so that a process killed in between leaves the old one. An undefined value removes its line. The file
 * as it was stays beside it under a name with the date: a key in it may be nowhere else. Returns that name; undefined where
 * nothing was there or nothing changed. Throws Problem when it cannot be written.
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
    const why = 'Give this user permission to write in its folder, or name another file in SETTINGS_FILE'
    throw new Problem(`${file} cannot be written (${(error as { code?: string }).code}). ${why}.`, { cause: error })
  }
}

/**
 * A value as it is read back (`readEnvFile`): bare where it means itself, else in a quote that it does not contain. Throws Problem
 * if it cannot be written.
 */
function inQuotes(name: string, value: string): string {
  if (value === '' || /^[^\s#"'`]+$/.test(value)) return value
  const quote = ["'", '"', '`'].find((each) => !value.includes(each) && !(each === '"' && value.includes('\\n')))
  if (quote !== undefined && !/[\r\n]/.test(value)) return `${quote}${value}${quote}`
  throw new Problem(
    `The value of ${name} has a line break, or all three kinds of quotes, and no .env file can hold it. Put it in a file of its own, and name that in ${name}_FILE.`,
  )
}
