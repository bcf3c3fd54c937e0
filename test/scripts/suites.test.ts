import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SERVER, SLOW, THOROUGH, THOROUGH_IN_BROWSER } from '../suites.ts'

const cwd = join(import.meta.dirname, '../..')

/** Expands a pattern into each of its alternatives: `a/{b,c}.ts` becomes `a/b.ts` and `a/c.ts`. */
function alternatives(pattern: string): string[] {
  const [, before = pattern, names, after = ''] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(pattern) ?? []
  return names === undefined ? [pattern] : names.split(',').map((name) => before + name + after)
}

it.each([...SLOW, ...SERVER, ...THOROUGH, ...THOROUGH_IN_BROWSER].flatMap(alternatives))(
  'the pattern %s of a suite matches existing files',
  (pattern) => {
    expect(globSync(pattern, { cwd })).not.toEqual([])
  },
)
