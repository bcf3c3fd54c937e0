import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ALL_FAULTS } from '../faults/all-faults.ts'
import type { Mutant, NamedTest, NoticedBySimulation, SourceChange } from './mutant.ts'

/** The last number in the list of faults in docs/RELIABILITY.md. */
const LAST_FAULT = 33

/**
 * Reads all lists, `proof/mutants/rooms/ROOM.txt`. A list has the files of the product, each with its mutants:
 *
 *     ## src/the/file.ts
 *     # id: what it does
 *     - as it is written there, once
 *     + what is there instead
 *     src/another/file.ts
 *     - as it is written in that one
 *     test test/the/file.test.ts › what the names of the tests contain that must fail
 *     simulation with a fault, another fault
 *
 * with as many changes, and as many lines of each, as it takes; `simulation on a server` takes several processes on one
 * book. Throws for a line that is none of these.
 */
export function readMutants(): Mutant[] {
  return globSync('rooms/*.txt', { cwd: import.meta.dirname })
    .toSorted()
    .flatMap((path) => readRoom(basename(path, '.txt'), readFileSync(join(import.meta.dirname, path), 'utf8')))
}

function readRoom(room: string, text: string): Mutant[] {
  const [, ...files] = text.split(/^## /m)
  return files.flatMap((section) => {
    const [file = '', ...lines] = section.trimEnd().split('\n')
    const entries = lines.join('\n').split(/\n(?=# )/)
    return entries.map((entry) => readEntry(room, file, entry.split('\n')))
  })
}

function readEntry(room: string, file: string, [title = '', ...lines]: readonly string[]): Mutant {
  const [, id, does] = /^# ([a-z0-9-]+): (.+)$/.exec(title) ?? []
  if (id === undefined || does === undefined) throw new Error(`${room}: no mutant begins with "${title}"`)
  let last = { file, old: [] as string[], instead: [] as string[] }
  const changes = [last]
  const begin = (file: string) => {
    last = { file, old: [], instead: [] }
    changes.push(last)
  }
  const tests: NamedTest[] = []
  let simulation: NoticedBySimulation | undefined
  for (const line of lines) {
    const test = /^test (\S+) › (.+)$/.exec(line)
    const worlds = /^simulation( on a server)?(?: with (.+))?$/.exec(line)
    if (test) tests.push({ file: test[1] ?? '', named: test[2] ?? '' })
    else if (worlds) simulation = { onServer: worlds[1] !== undefined, faults: worlds[2]?.split(', ') ?? [] }
    else if (/^-( |$)/.test(line)) {
      // A line after a replacement begins another place in the same file.
      if (last.instead.length > 0) begin(last.file)
      last.old.push(line.slice(2))
    } else if (/^\+( |$)/.test(line)) last.instead.push(line.slice(2))
    else if (/^[\w./-]+$/.test(line)) begin(line)
    else throw new Error(`${room}: ${id} has a line that says nothing: ${line}`)
  }
  const made = changes.map(({ file, old, instead }) => ({ file, text: old.join('\n'), instead: instead.join('\n') }))
  return { id, room, does, changes: made, tests, simulation }
}

/**
 * Returns the mutants with one of these names or in one of these rooms, or all if no name is given; with `K/N`, only
 * the K-th of N parts. Throws for an unknown name.
 */
export function chooseMutants(all: readonly Mutant[], wanted: readonly string[], part = '1/1'): Mutant[] {
  const unknown = wanted.filter((name) => !all.some(({ id, room }) => name === id || name === room))
  if (unknown.length > 0) throw new Error(`No mutant and no room is named ${unknown.join(', ')}.`)
  const [, k, n] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(part) ?? []
  if (k === undefined || Number(k) > Number(n)) throw new Error(`--part must be such as 2/3, not "${part}".`)
  const chosen = all.filter(({ id, room }) => wanted.length === 0 || wanted.includes(id) || wanted.includes(room))
  return chosen.filter((_, place) => place % Number(n) === Number(k) - 1)
}

/** Returns the faults of the list as it is written, each in one line. */
export function faultsOfList(root: string, mutants: readonly Mutant[]): string[] {
  const twice = mutants.filter(({ id }, n) => mutants.findIndex((other) => other.id === id) !== n)
  const named = mutants.flatMap(({ id, tests }) => (tests.length > 0 ? [id, ...tests.map((test) => test.named)] : []))
  const numbers = Array.from({ length: LAST_FAULT }, (_, n) => n + 1)
  const bare = numbers.filter((fault) => !named.some((name) => new RegExp(`\\bfault[- ]${fault}\\b`).test(name)))
  return [
    ...twice.map(({ id }) => `Two mutants are named ${id}.`),
    ...bare.map((fault) => `No mutant with a test is of fault ${fault}.`),
    ...mutants.flatMap((mutant) => faultsOf(root, mutant).map((fault) => `${mutant.id}: ${fault}`)),
  ]
}

function faultsOf(root: string, { changes, tests, simulation }: Mutant): string[] {
  const unheard = simulation?.faults.filter((name) => !ALL_FAULTS.some((fault) => fault.name === name)) ?? []
  return [
    ...(tests.length === 0 && simulation === undefined ? ['nothing is to notice it'] : []),
    ...unheard.map((name) => `no kind of fault is named "${name}"`),
    ...tests.flatMap((test) => missing(root, test)),
    ...changes.flatMap((change) => misplaced(root, change)),
  ]
}

function missing(root: string, { file, named }: NamedTest): string[] {
  const code = read(join(root, file))?.replaceAll("\\'", "'")
  if (code === undefined) return [`${file} is not there`]
  return code.includes(named) || mayFillIn(code, named) ? [] : [`${file} has no test named "${named}"`]
}

/**
 * Whether a test name in the code with placeholders, such as `is refused: %s`, may become this name, which contains the
 * text before or after a placeholder.
 */
function mayFillIn(code: string, named: string): boolean {
  return [...code.matchAll(/(['`])(.*(?:%[a-z#]|\$).*)\1/g)].some(([, , title = '']) => {
    const [first = '', ...others] = title.split(/%[a-z#]|\$\{?[\w.]+\}?/)
    const isBegun = Array.from(first, (_, at) => first.slice(at)).some(
      (end) => end.length >= 5 && named.startsWith(end),
    )
    return isBegun || [first, ...others].some((part) => part.length >= 5 && named.includes(part))
  })
}

function misplaced(root: string, { file, text }: SourceChange): string[] {
  const code = read(join(root, file))
  if (code === undefined) return [`${file} is not there`]
  const times = code.split(text).length - 1
  return times === 1 ? [] : [`${file} has this ${times} times instead of once: ${text}`]
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
