import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { chooseBugs, faultsOfBugs, WATCHED_BUGS } from '../../scripts/bugs/all-bugs.ts'

const root = join(import.meta.dirname, '../..')
const bug = (id: string, text = '/** Reads a success.', file = 'src/tipping/machines/payouts/payout-kind.ts') => {
  return { id, does: 'does nothing', places: [{ file, text, instead: '' }] }
}

describe('the list of known bugs', () => {
  it('has each bug once, and each of its places exactly once in the code', () => {
    expect(faultsOfBugs(root)).toEqual([])
  })

  it('tells of a name that is there twice, a place that has changed, and a file that is gone', () => {
    const bugs = [
      bug('one'),
      bug('one'),
      bug('two', 'what is not there'),
      bug('three', 'import'),
      bug('four', 'a', 'b.ts'),
    ]
    expect(faultsOfBugs(root, bugs)).toEqual([
      'Two bugs are named one.',
      expect.stringMatching(/^two: .*payout-kind\.ts has this 0 times instead of once: what is not there$/),
      expect.stringMatching(/^three: .* times instead of once: import$/),
      'four: b.ts is not there; it should have this once: a',
    ])
  })

  it('must have forty noticed at least; a gap is tried by its name alone', () => {
    expect(WATCHED_BUGS.length).toBeGreaterThanOrEqual(40)
    const [watched, gap] = [bug('watched'), bug('gap')]
    const gaps = new Map([['gap', 'It is rare.']])
    expect(chooseBugs([], [watched, gap], gaps)).toEqual([watched])
    expect(chooseBugs(['gap'], [watched, gap], gaps)).toEqual([gap])
  })

  it('falls into as many parts as are wanted, each bug in one of them', () => {
    const parts = Array.from({ length: 10 }, (_, n) => chooseBugs([`${n + 1}/10`]))
    expect(new Set(parts.flat())).toEqual(new Set(WATCHED_BUGS))
    expect(parts.flat()).toHaveLength(WATCHED_BUGS.length)
  })

  it('gives those that are named, and says so when there is none of a name, or no such part', () => {
    const bugs = [bug('one'), bug('two'), bug('three')]
    expect(chooseBugs(['three', 'one'], bugs).map(({ id }) => id)).toEqual(['one', 'three'])
    expect(() => chooseBugs(['four'], bugs)).toThrow('No known bug is named four')
    expect(() => chooseBugs(['11/10'], bugs)).toThrow('No known bug is named 11/10')
  })
})
