import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')
export const read = (file: string) => readFileSync(join(root, file), 'utf8')

export const { version } = JSON.parse(read('package.json')) as { version: string }

const settings = new Set([...read('.env.example').matchAll(/^# ?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name))

/** Returns the names that are not settings of .env.example. `NAME_FILE` counts as the setting NAME. */
export function unknownSettings(names: readonly string[]): string[] {
  return names.filter((name) => !settings.has(name) && !settings.has(name.replace(/_FILE$/, '')))
}

/** Returns the words after this instruction in each line of the Dockerfile that begins with it. */
export function wordsOf(verb: string): string[] {
  return [...read('Dockerfile').matchAll(new RegExp(`^${verb} (.*)$`, 'gm'))].flatMap(([, rest = '']) =>
    rest.split(/\s+/),
  )
}
