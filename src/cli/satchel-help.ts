import { SATCHEL_COMMANDS } from './satchel-commands.ts'
import { SHELLS } from './satchel-completion.ts'

/** Returns the help for `satchel`, or for one of its commands. */
export function help(name?: string): string {
  const one = name === undefined ? undefined : SATCHEL_COMMANDS[name]
  if (name !== undefined && one !== undefined)
    return `${`satchel ${name} ${one.usage ?? ''}`.trim()}\n\n  ${one.summary}`
  const width = Math.max(...Object.keys(SATCHEL_COMMANDS).map((each) => each.length)) + 2
  const lines = Object.entries(SATCHEL_COMMANDS).map(([each, { summary }]) => `  ${each.padEnd(width)}${summary}`)
  return [
    'satchel COMMAND [--help]',
    '',
    'Examples:',
    '    npx satchel setup',
    '    npx satchel start',
    '    npx satchel backup backups/2030-01-31',
    '',
    ...lines,
    `  ${'completion'.padEnd(width)}prints completions for a shell: ${SHELLS.join(', ')}`,
    '',
    'Call it in the project’s folder. Each command is an npm script, too: npm run audit.',
  ].join('\n')
}

/**
 * Returns the help for the command that a file runs, however it was started; undefined for other files, and for
 * `admin`, which has a help of its own.
 */
export function helpOfFile(path = ''): string | undefined {
  const plain = path.replaceAll('\\', '/')
  const [name] = Object.entries(SATCHEL_COMMANDS).find(([, { file }]) => plain.endsWith(`/${file}`)) ?? []
  return name === undefined || name === 'admin' ? undefined : help(name)
}
