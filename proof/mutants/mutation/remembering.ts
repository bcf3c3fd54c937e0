import { readFileSync, writeFileSync } from 'node:fs'

/** Something that a module fills, or sets, while its code runs. */
const MODULE_STATE = /^(?:export )?(?:let\s|const \w+(?:: [^=\n]+)? = new (?:Weak)?(?:Map|Set)(?:<[^\n]*>)?\(\))/m

/**
 * Whether a module remembers something for as long as its process lives. What was remembered before a mutant of it can hide
 * that mutant from its tests, and what the mutant leaves there can fail the tests of those that come after it.
 */
export function remembers(source: string): boolean {
  return MODULE_STATE.test(source)
}

/** Writes down, beside a record, by Stryker's numbers, which mutants have a process of their own. */
export function noteAlone(record: string, ids: readonly string[]): void {
  writeFileSync(noteOf(record), JSON.stringify(ids))
}

/** Reads that; none where nothing was written down. */
export function readAlone(record: string): ReadonlySet<string> {
  try {
    return new Set(JSON.parse(readFileSync(noteOf(record), 'utf8')) as string[])
  } catch {
    return new Set()
  }
}

function noteOf(record: string): string {
  return `${record}.alone.json`
}
