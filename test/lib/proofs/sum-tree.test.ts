import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_MSATS } from '../../../src/lib/money/amount.ts'
import { climb, sumTree } from '../../../src/lib/proofs/sum-tree.ts'

const salted = (label: string) => createHash('sha256').update(label).digest()
const leaf = (label: string, amount: bigint) => ({ label, salt: salted(label), amount })

describe('a sum tree', () => {
  it('proves that the root and the sum include each leaf, for any number of leaves', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: 0n, max: 10n ** 15n }), { minLength: 1, maxLength: 40 }), (amounts) => {
        const leaves = amounts.map((amount, i) => leaf(`l${i}`, amount))
        const tree = sumTree(leaves)
        expect(tree.sum).toBe(amounts.reduce((sum, amount) => sum + amount, 0n))
        for (const [i, each] of leaves.entries()) {
          expect(climb(each, tree.pathOf(i), leaves.length)).toEqual({ root: tree.root, sum: tree.sum })
        }
      }),
      { numRuns: 60 },
    )
  })

  it('hashes three leaves as docs/VERIFY.md says', () => {
    const eight = (amount: bigint) => {
      const bytes = Buffer.alloc(8)
      bytes.writeBigUInt64BE(amount)
      return bytes
    }
    const hash = (kind: number, ...parts: Buffer[]) =>
      createHash('sha256')
        .update(Buffer.concat([Buffer.from([kind]), ...parts]))
        .digest()
    const nodes = [1n, 20n, 300n]
      .map((amount) => ({
        sum: amount,
        hash: hash(0, eight(amount), salted(`l${amount}`), Buffer.from(`l${amount}`)),
      }))
      .toSorted((one, other) => one.hash.compare(other.hash))
    const [a, b, c] = nodes as [(typeof nodes)[0], (typeof nodes)[0], (typeof nodes)[0]]
    const pair = { sum: a.sum + b.sum, hash: hash(1, eight(a.sum), a.hash, eight(b.sum), b.hash) }
    const top = hash(1, eight(pair.sum), pair.hash, eight(c.sum), c.hash)
    const tree = sumTree([1n, 20n, 300n].map((amount) => leaf(`l${amount}`, amount)))
    expect(tree.root).toEqual(hash(2, eight(3n), eight(321n), top))
    expect(tree.sum).toBe(321n)
  })

  it('has the same root whatever the order of its leaves', () => {
    const leaves = ['a', 'b', 'c', 'd'].map((label) => leaf(label, 5n))
    expect(sumTree(leaves).root).toEqual(sumTree(leaves.toReversed()).root)
  })

  it('commits to the sums of both children, not only to their total', () => {
    const tree = sumTree([leaf('a', 10n), leaf('b', 20n)])
    expect(sumTree([leaf('a', 20n), leaf('b', 10n)]).sum).toBe(tree.sum)
    expect(sumTree([leaf('a', 20n), leaf('b', 10n)]).root).not.toEqual(tree.root)
  })

  it('refuses negative amounts and a sum above 21 million bitcoin', () => {
    expect(() => sumTree([leaf('a', -1n), leaf('b', 2n)])).toThrow(RangeError)
    expect(() => sumTree([leaf('a', MAX_MSATS), leaf('b', 1n)])).toThrow(RangeError)
    expect(() => climb(leaf('a', 1n), [{ side: 'left', hash: Buffer.alloc(32), sum: -1n }], 2)).toThrow(RangeError)
  })

  it('has a sum of 0 if it has no leaves', () => {
    expect(sumTree([])).toMatchObject({ sum: 0n, leaves: 0 })
  })
})
