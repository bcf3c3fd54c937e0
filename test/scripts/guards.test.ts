import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ALL_GUARDS, faultsOfList } from '../../scripts/guards/all-guards.ts'

const root = join(import.meta.dirname, '../..')

describe('the list of guards', () => {
  it('has one for each fault, each where it says', () => {
    expect(faultsOfList(root)).toEqual([])
  })

  it('tells of a fault that lost its only guard, and of one whose place has changed', () => {
    const others = ALL_GUARDS.filter(({ fault }) => fault !== '33' && fault !== '7')
    const resolver = 'src/payments-service/machines/sending/resolver.ts'
    const places = [{ file: resolver, text: 'what is not there', without: '' }]
    const changed = { fault: '33', holds: 'time alone ends no payment', places, test: '', named: '' }
    expect(faultsOfList(root, [...others, changed])).toEqual([
      'Fault 7 has no guard.',
      expect.stringMatching(/resolver\.ts has this 0 times instead of once: what is not there$/),
    ])
  })
})
