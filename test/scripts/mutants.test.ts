import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { chooseMutants, faultsOfList, readMutants } from '../../proof/mutants/list.ts'

const root = join(import.meta.dirname, '../..')
const all = readMutants()
const KIND = 'src/tipping/engine/payouts/payout-kind.ts'

/** Returns a mutant in the form in which a list might contain it. */
function mutant(id: string, text: string, file = KIND) {
  return {
    ...{ id, room: 'tipping', does: 'does nothing' },
    changes: [{ file, text, instead: '' }],
    tests: [],
    simulation,
  }
}
const simulation = { faults: [], onServer: false }

describe('the lists of mutants', () => {
  it('name each mutant’s change and the tests that must notice it', () => {
    expect(all.length).toBeGreaterThan(400)
    expect(all.filter(({ changes }) => changes.length === 0 || changes.some(({ text }) => text === ''))).toEqual([])
    expect(all.filter(({ tests, simulation }) => tests.length === 0 && simulation === undefined)).toEqual([])
  })

  it('quote the code exactly, and have a test for each numbered fault', () => {
    expect(faultsOfList(root, all)).toEqual([])
  })

  it('are faulty if a name is repeated, a quoted line has changed or a file is missing', () => {
    const added = [
      mutant('one', 'export const PAYOUTS'),
      mutant('one', 'what is not there'),
      mutant('two', 'a', 'b.ts'),
    ]
    expect(faultsOfList(root, [...all, ...added])).toEqual([
      'Two mutants are named one.',
      `one: ${KIND} has this 0 times instead of once: what is not there`,
      'two: b.ts is not there',
    ])
  })

  it('can quote a test name with its placeholders filled in, but not a missing test', () => {
    const suites = 'test/scripts/suites.test.ts'
    const noticed = (id: string, named: string, file = suites) => {
      return { ...mutant(id, 'export const PAYOUTS'), tests: [{ file, named }] }
    }
    const filledIn = noticed('one', 'test/cli of a suite matches existing files')
    const renamed = noticed('two', 'of a suite matches files')
    expect(faultsOfList(root, [...all, filledIn, renamed, noticed('three', 'x', 'a.test.ts')])).toEqual([
      `two: ${suites} has no test named "of a suite matches files"`,
      'three: a.test.ts is not there',
    ])
  })

  it('are divided into the requested number of parts, with each mutant in one part', () => {
    const parts = Array.from({ length: 10 }, (_, n) => chooseMutants(all, [], `${n + 1}/10`))
    expect(new Set(parts.flat())).toEqual(new Set(all))
    expect(parts.flat()).toHaveLength(all.length)
    expect(() => chooseMutants(all, ['nobody'])).toThrow('No mutant and no room is named nobody.')
    expect(() => chooseMutants(all, [], '11/10')).toThrow('--part must be such as 2/3')
  })
})
