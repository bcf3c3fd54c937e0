/** Sentences by key. The keys differ between languages, because plural forms do. */
export interface Sentences {
  readonly [name: string]: string | Sentences
}

/** The ids of the commands that are registered at Discord, by the commands' English names. */
export type CommandIds = ReadonlyMap<string, string>

/**
 * Replaces the English names of commands and options, which translators retain, with the names that speakers of this
 * language see while they type, so that no sentence names a command that does not exist. Applies to a command such as
 * `/voucher redeem` anywhere, to the options after it in code or with a colon, and to an option alone in code. With the
 * commands' ids, a command in code becomes clickable.
 */
export function withOwnNames(vocabulary: Sentences, english: Sentences, ids: CommandIds = new Map()): Sentences {
  const own = below(vocabulary, 'commands')
  const original = below(english, 'commands')
  const options = new Map(optionNames(own, original))
  const inCode = (code: string) =>
    mentioned(code, { original, options, ids }) ?? `\`${options.get(code) ?? withCommands(code, own, original, true)}\``
  const translate = (text: string) => {
    // Most sentences name nothing, and stay one text in memory.
    if (!text.includes('/') && !text.includes('`')) return text
    const named = text
      .split(/`([^`]*)`/)
      .map((part, index) => (index % 2 === 1 ? inCode(part) : withCommands(part, own, original, false)))
    return withParticles(named.join(''))
  }
  const walk = (node: Sentences): Sentences =>
    Object.fromEntries(
      Object.entries(node).map(([name, value]) => [name, typeof value === 'string' ? translate(value) : walk(value)]),
    )
  return walk(vocabulary)
}

interface Naming {
  readonly original: Sentences
  /** Each option's name in this language, by its English name. */
  readonly options: ReadonlyMap<string, string>
  readonly ids: CommandIds
}

/**
 * Builds a clickable command followed by code: `/tip to amount` becomes `</tip:1>` and `to amount`. Returns undefined
 * if the command cannot be clickable: its id is unknown, or it has verbs and none is given. In every language, only a
 * command's English name is clickable (discord/discord-api-docs#5518).
 */
function mentioned(code: string, { original, options, ids }: Naming): string | undefined {
  const [first = '', ...words] = code.split(' ')
  const name = first.slice(1)
  const id = first.startsWith('/') ? ids.get(name) : undefined
  if (id === undefined) return undefined
  const verbs = below(below(original, name), 'verbs')
  const path = Object.keys(verbs).length === 0 ? [name] : [name, words.shift() ?? '']
  if (path.length > 1 && !Object.hasOwn(verbs, path[1] ?? '')) return undefined
  const rest = words.map((word) => word.replace(/^[a-z-]+(?=:|$)/, (option) => options.get(option) ?? option))
  return `</${path.join(' ')}:${id}>${rest.length === 0 ? '' : ` \`${rest.join(' ')}\``}`
}

/** A command with the words after it. A slash in an address or a date does not begin a command. */
const COMMAND = /(?<![\w/:.<])\/([a-z]+)((?: [a-z-]+:?)*)/g

function withCommands(text: string, own: Sentences, original: Sentences, isCode: boolean): string {
  return text.replace(COMMAND, (found, command: string, after: string) => {
    if (!(command in original)) return found
    const words = after.split(' ').slice(1)
    let place = below(own, command)
    const said = [`/${nameOf(place, command)}`]
    const [verb = ''] = words
    if (verb in below(below(original, command), 'verbs')) {
      place = below(below(place, 'verbs'), verb)
      said.push(nameOf(place, words.shift() ?? ''))
    }
    for (const word of words) {
      const option = word.replace(':', '')
      const isOption = isCode || word.endsWith(':')
      said.push(isOption ? word.replace(option, nameOf(below(below(place, 'options'), option), option)) : word)
    }
    return said.join(' ')
  })
}

/** Yields each option's English name and its name in this language. An option has the same name in all commands. */
function* optionNames(own: Sentences, original: Sentences): Generator<[string, string]> {
  for (const [name, node] of Object.entries(original)) {
    if (typeof node === 'string') continue
    if (name === 'options') {
      for (const option of Object.keys(node)) yield [option, nameOf(below(below(own, name), option), option)]
    } else yield* optionNames(below(own, name), node)
  }
}

function below(node: Sentences, name: string): Sentences {
  const found = Object.hasOwn(node, name) ? node[name] : undefined
  return typeof found === 'object' ? found : {}
}

function nameOf(node: Sentences, otherwise: string): string {
  return typeof node.name === 'string' ? node.name : otherwise
}

/**
 * Pairs of Korean particles: the first follows a syllable that ends in a consonant, the second follows any other
 * syllable.
 */
const PAIRS = [
  ['은', '는'],
  ['을', '를'],
  ['이', '가'],
  ['과', '와'],
  ['으로', '로'],
] as const
const AFTER_A_NAME = /(?<=([가-힣])`)(은|는|을|를|이|가|과|와|으로|로)(?![가-힣])/g

/** The order of Korean syllables by their final consonants (The Unicode Standard, 3.12): none comes first, ㄹ ninth. */
const FIRST_SYLLABLE = 0xac_00
const ENDS = 28
const RIEUL = 8

/**
 * Adapts Korean particles to the name in the preceding code: translators write them for a command's English name, which
 * may appear as `/tip` or as `/팁`. Leaves other languages as they are.
 */
function withParticles(text: string): string {
  return text.replace(AFTER_A_NAME, (particle, syllable: string) => {
    const [closed, open] = PAIRS.find((pair) => pair.some((each) => each === particle)) ?? [particle, particle]
    const end = ((syllable.codePointAt(0) ?? 0) - FIRST_SYLLABLE) % ENDS
    return end === 0 || (end === RIEUL && open === '로') ? open : closed
  })
}
