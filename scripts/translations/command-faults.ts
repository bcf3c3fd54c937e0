import type { Sentences } from '../../src/bot/i18n/languages.ts'
import { flatten } from './sentences.ts'

/** https://docs.discord.com/developers/interactions/application-commands#application-command-object-application-command-naming */
const NAME = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u
/** The maximum number of characters of a command and everything in it, with each text in its longest language. */
const MAX_CHARACTERS = 8_000

/** Returns the faults for which Discord would refuse a language's names of commands and options, as `path: what`. */
export function commandFaults(vocabulary: Sentences, english: Sentences): string[] {
  const commands = childOf(vocabulary, 'commands')
  return [
    ...nameFaults(commands, 'commands'),
    ...optionFaults(vocabulary, english),
    ...sizeFaults(commands, childOf(english, 'commands')),
  ]
}

/** Checks that siblings' names differ, and that each is valid for Discord. */
function nameFaults(siblings: Sentences, path: string): string[] {
  const faults: string[] = []
  const taken = new Map<string, string>()
  for (const [key, node] of Object.entries(siblings)) {
    if (typeof node === 'string') continue
    const at = `${path}.${key}`
    const { name = '' } = node
    if (typeof name === 'string' && name !== '') {
      if (!NAME.test(name) || name !== name.toLowerCase()) {
        faults.push(`${at}.name: “${name}” is no name: letters in lower case, digits, - and _, no spaces`)
      }
      const other = taken.get(name)
      if (other !== undefined) faults.push(`${at}.name: “${name}” is the name of ${other} too`)
      taken.set(name, at)
    }
    faults.push(
      ...nameFaults(childOf(node, 'verbs'), `${at}.verbs`),
      ...nameFaults(childOf(node, 'options'), `${at}.options`),
    )
  }
  return faults
}

/** Checks that an option has one name in all commands, since sentences name options without their commands. */
function optionFaults(vocabulary: Sentences, english: Sentences): string[] {
  const own = flatten(vocabulary)
  const first = new Map<string, readonly [path: string, name: string]>()
  const faults: string[] = []
  for (const path of flatten(english).keys()) {
    const [, option] = /^commands\..*options\.([^.]+)\.name$/.exec(path) ?? []
    const name = own.get(path)
    if (option === undefined || name === undefined) continue
    const [firstPath, firstName] = first.get(option) ?? [path, name]
    first.set(option, [firstPath, firstName])
    if (name !== firstName)
      faults.push(`${path}: is “${name}”, but “${firstName}” at ${firstPath}; use one name for both`)
  }
  return faults
}

function sizeFaults(commands: Sentences, english: Sentences): string[] {
  return Object.entries(english).flatMap(([key, node]) => {
    if (typeof node === 'string') return []
    const own = flatten(childOf(commands, key))
    let size = 0
    for (const [path, text] of flatten(node)) size += Math.max([...text].length, [...(own.get(path) ?? '')].length)
    return size > MAX_CHARACTERS
      ? [`commands.${key}: has ${size} characters in all, and ${MAX_CHARACTERS} is the most`]
      : []
  })
}

function childOf(node: Sentences, name: string): Sentences {
  const found = Object.hasOwn(node, name) ? node[name] : undefined
  return typeof found === 'object' ? found : {}
}
