import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { SATCHEL_COMMANDS } from './satchel-commands.ts'
import { completionScript, SHELLS } from './satchel-completion.ts'
import { help } from './satchel-help.ts'

/** `satchel COMMAND …`: runs any of the operator's commands. In the project's folder, `npx satchel` finds it. */
async function main([name, ...rest]: readonly string[]): Promise<void> {
  if (name === undefined || ['help', '--help', '-h'].includes(name)) return void console.log(help(rest[0]))
  if (name === 'completion') return void console.log(completion(rest[0]))
  const command = SATCHEL_COMMANDS[name]
  if (command === undefined) return refuse(`There is no command "${name}".`)
  if (rest.some((word) => ['--help', '-h'].includes(word)) && name !== 'admin') return void console.log(help(name))
  const file = join(import.meta.dirname, '..', '..', command.file)
  if (!existsSync(file))
    return refuse(`"${name}" is not part of this installation: it comes with the project's checkout.`)
  // The command reads its own arguments at the place where Node puts them.
  process.argv.splice(1, 2, file)
  await import(pathToFileURL(file).href)
}

function completion(shell: string | undefined): string {
  const script = shell === undefined ? undefined : completionScript(shell)
  if (script !== undefined) return script
  return refuse(`Name a shell: satchel completion ${SHELLS.join('|')}. Add its output to the shell’s start-up file.`)
}

function refuse(problem: string): never {
  console.error(`${problem}\n\n${help()}`)
  process.exit(1)
}

await main(process.argv.slice(2))
