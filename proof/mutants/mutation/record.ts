import { createHash } from 'node:crypto'
import { appendFileSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileOf, type ShownMutant, showMutant } from './mutant.ts'

/**
 * What became of each mutant of a part, one line each, written as soon as it is known: so a run that is broken off goes
 * on where it stopped. A result counts as long as the file that was changed is the same; that nothing was noticed, as
 * long as the tests are the same, too, or it is explained. That tests ran out of time may only mean that the machine was busy, so it counts until
 * somebody has more patience.
 */
type Line =
  /** What the results that follow are about: hashes of the files and of all tests. */
  | (State & { readonly kind: 'state' })
  /** The names of all mutants there are. */
  | { readonly kind: 'all'; readonly names: readonly string[] }
  | { readonly kind: 'result'; readonly name: string; readonly status: string }

interface State {
  /** Hashes of the files that are mutated, by their paths from the root, and of all tests. */
  readonly files: Readonly<Record<string, string>>
  readonly tests: string
  /** How long a test may take. */
  readonly timeoutMs: number
}

export interface RecordedRun {
  readonly all: readonly string[]
  /** Stryker's statuses, by the names of the mutants. */
  readonly statuses: ReadonlyMap<string, string>
}

/**
 * A mutant with which a test waits for what never comes (Hung) or runs out of time was noticed; one that no test reaches was
 * not.
 */
export function wasNoticed(status: string): boolean {
  return status === 'Killed' || status === 'Hung' || status === 'Timeout'
}

/** The files of a part as they are now, by their paths from the root, and a hash of its tests. */
export function readPresent(root: string, code: readonly string[], tests: readonly string[]) {
  const texts = (patterns: readonly string[]) =>
    globSync([...patterns], { cwd: root })
      .toSorted()
      .map((file) => [file, readFileSync(join(root, file), 'utf8')] as const)
  return { sources: new Map(texts(code)), tests: hashOf(JSON.stringify(texts(tests))) }
}

export type Present = ReturnType<typeof readPresent>

interface Beginning {
  readonly resume: boolean
  readonly timeoutMs: number
  /** Whether a survivor is explained: no later test is expected to notice it. */
  readonly isExplained: (mutant: ShownMutant) => boolean
}

/** Begins a record, with what still counts of an earlier one if it is to be gone on with. */
export function beginRecord(
  path: string,
  { sources, tests }: Present,
  { resume, timeoutMs, isExplained }: Beginning,
): void {
  const files = Object.fromEntries([...sources].map(([file, text]) => [file, hashOf(text)]))
  const state = { kind: 'state', files, tests, timeoutMs } as const
  const staysUnnoticed = (name: string) => isExplained(showMutant(name, sources.get(fileOf(name)) ?? ''))
  const remaining: Line[] = resume ? whatCounts(readLines(path), state, staysUnnoticed) : []
  writeFileSync(path, [state, ...remaining].map(lineOf).join(''))
}

function whatCounts(lines: readonly Line[], now: State, staysUnnoticed: (name: string) => boolean): Line[] {
  let then: State | undefined
  return lines.filter((line) => {
    if (line.kind === 'state') then = line
    if (line.kind !== 'result' || then === undefined) return false
    const file = fileOf(line.name)
    if (then.files[file] !== now.files[file]) return false
    if (line.status === 'Timeout') return then.timeoutMs >= now.timeoutMs
    return wasNoticed(line.status) || then.tests === now.tests || staysUnnoticed(line.name)
  })
}

/** What was left out on purpose, or could not be run, has no result: it may be tried another time. */
const RESULTS = ['Killed', 'Hung', 'Timeout', 'Survived', 'NoCoverage', 'Ignored']

/** Adds all mutants' names, or what became of one of them. */
export function addNames(path: string, names: readonly string[]): void {
  appendFileSync(path, lineOf({ kind: 'all', names }))
}

export function addResult(path: string, name: string, status: string): void {
  if (RESULTS.includes(status)) appendFileSync(path, lineOf({ kind: 'result', name, status }))
}

/** Reads what is recorded of the mutants that there are. */
export function readRecord(path: string): RecordedRun {
  const lines = readLines(path)
  const all = lines.findLast((line) => line.kind === 'all')?.names ?? []
  const known = new Set(all)
  const results = lines.flatMap((line) => (line.kind === 'result' ? [[line.name, line.status] as const] : []))
  return { all, statuses: new Map(results.filter(([name]) => all.length === 0 || known.has(name))) }
}

function readLines(path: string): Line[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return []
  }
  // A process that was killed may have left half a line.
  return text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line) as Line]
    } catch {
      return []
    }
  })
}

function lineOf(line: Line): string {
  return `${JSON.stringify(line)}\n`
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
