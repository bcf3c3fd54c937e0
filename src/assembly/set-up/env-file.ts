import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { Problem } from '../../lib/problem.ts'

/** What an `.env` file sets; nothing where there is none. */
export function readEnvFile(file: string): Readonly<Record<string, string | undefined>> {
  return existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
}

/**
 * Sets variables in an `.env` file and keeps every other line. The file is readable by its owner only (mode 600), and
 * is replaced as a whole, so that a process killed in between leaves the old one. An undefined value removes its line.
 * Throws Problem when it cannot be written.
 */
export function writeEnvFile(file: string, variables: Readonly<Record<string, string | undefined>>): void {
  const old = existsSync(file)
    ? readFileSync(file, 'utf8').split('\n')
    : ['# Satchel. Every variable is explained in .env.example.']
  const stored = old.filter((line) => !Object.keys(variables).some((name) => line.startsWith(`${name}=`)))
  while (stored.at(-1) === '') stored.pop()
  const added = Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
  const fresh = `${file}.new`
  try {
    writeFileSync(fresh, `${[...stored, ...added].join('\n')}\n`, { mode: 0o600 })
    renameSync(fresh, file)
  } catch (error) {
    const why = 'Give this user permission to write in its folder, or set up in another'
    throw new Problem(`${file} cannot be written (${(error as { code?: string }).code}). ${why}.`, { cause: error })
  }
}
