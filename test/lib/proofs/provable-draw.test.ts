import { createHash, createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type DrawProof, faultsOfDraw } from '../../../src/lib/proofs/draw-proof.ts'
import { commitmentTo, drawLine, hashOfEntrants, inOrder } from '../../../src/lib/proofs/provable-draw.ts'

const seed = Buffer.alloc(32, 7)
const entrants = Array.from({ length: 9 }, (_, i) => ({ member: `m${i}`, interaction: String(9_998 + i) }))

type OldProof = Extract<DrawProof, { version: 1 }>

function proofOf(change: Partial<OldProof> = {}): OldProof {
  const entrantsHash = hashOfEntrants('g', entrants)
  const line = drawLine(seed, entrantsHash, entrants).map(({ member }) => member)
  return {
    kind: 'satchel-giveaway',
    version: 1,
    giveaway: 'g',
    startedBy: 'alice',
    startedAt: '2030-01-01T00:00:00.000Z',
    endedAt: '2030-01-01T01:00:00.000Z',
    prizeMsats: '1000',
    winners: 3,
    commitment: commitmentTo(seed),
    entrants,
    entrantsHash,
    seed: seed.toString('hex'),
    won: line.slice(0, 3),
    drawnAgain: line.slice(3, 5),
    ...change,
  }
}

describe('a draw', () => {
  it('follows docs/VERIFY.md step by step', () => {
    const text = ['satchel giveaway g', ...entrants.map((each) => `${each.interaction} ${each.member}`)]
    const hash = createHash('sha256')
      .update(`${text.join('\n')}\n`)
      .digest()
    expect(hashOfEntrants('g', entrants)).toBe(hash.toString('hex'))
    // Nine entrants need eight numbers that matter and a ninth below one: two blocks.
    const numbers = [0, 1].flatMap((block) => {
      const bytes = createHmac('sha256', seed)
        .update(hash)
        .update(Buffer.from([0, 0, 0, block]))
        .digest()
      return Array.from({ length: 8 }, (_, i) => bytes.readUInt32BE(i * 4))
    })
    const line = [...entrants]
    for (const place of line.keys()) {
      const below = line.length - place
      const other = place + ((numbers[place] ?? 0) % below)
      expect(numbers[place]).toBeLessThan(2 ** 32 - (2 ** 32 % below))
      ;[line[place], line[other]] = [line[other] as never, line[place] as never]
    }
    expect(drawLine(seed, hash.toString('hex'), entrants)).toEqual(line)
  })

  it('orders entrants by interaction id, whatever order they are given in', () => {
    expect(inOrder(entrants.toReversed())).toEqual(entrants)
    expect(inOrder(entrants)[0]?.interaction).toBe('9998')
  })

  it('ranks every entrant once, or only the first few in the same order', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.integer({ min: 0, max: 60 }), (bytes, count) => {
        const people = Array.from({ length: count }, (_, i) => ({ member: `m${i}`, interaction: String(i) }))
        const hash = hashOfEntrants('x', people)
        const line = drawLine(bytes, hash, people)
        expect(new Set(line.map(({ member }) => member)).size).toBe(count)
        expect(drawLine(bytes, hash, people, 3)).toEqual(line.slice(0, 3))
      }),
      { numRuns: 100 },
    )
  })

  it('favours no entrant over another', () => {
    const wins = new Map<string, number>()
    for (let i = 0; i < 3_000; i += 1) {
      const [winner] = drawLine(
        createHash('sha256').update(String(i)).digest(),
        hashOfEntrants('g', entrants),
        entrants,
        1,
      )
      wins.set(winner?.member ?? '', (wins.get(winner?.member ?? '') ?? 0) + 1)
    }
    for (const { member } of entrants) expect(wins.get(member)).toBeGreaterThan(260)
  })
})

describe('the proof of a draw', () => {
  it('is valid if nothing in it was changed', () => {
    expect(faultsOfDraw(proofOf())).toEqual([])
  })

  it.each([
    ['an entrant left out', { entrants: entrants.slice(1) }],
    ['an entrant added late', { entrants: [...entrants, { member: 'eve', interaction: '99999' }] }],
    ['an entrant twice', { entrants: [...entrants, { member: 'm1', interaction: '99999' }] }],
    ['entrants in another order', { entrants: entrants.toReversed() }],
    ['an entrant renamed', { entrants: [{ member: 'eve', interaction: '9998' }, ...entrants.slice(1)] }],
    ['another seed', { seed: Buffer.alloc(32, 8).toString('hex') }],
    ['another commitment', { commitment: commitmentTo(Buffer.alloc(32, 8)) }],
    ['another hash', { entrantsHash: hashOfEntrants('h', entrants) }],
    ['another giveaway', { giveaway: 'h' }],
    ['other winners', { won: ['m0', 'm1', 'm2'] }],
    ['one winner fewer', { won: proofOf().won.slice(0, 2) }],
    ['more winners promised', { winners: 4 }],
    ['somebody else drawn again', { drawnAgain: ['eve'] }],
    ['a winner drawn again', { drawnAgain: proofOf().won.slice(0, 1) }],
  ] as const)('is invalid with %s', (_, change) => {
    expect(faultsOfDraw(proofOf(change as never))).not.toEqual([])
  })

  it('is invalid with another seed even if the commitment matches', () => {
    const other = Buffer.alloc(32, 8)
    const forged = proofOf({ seed: other.toString('hex'), commitment: commitmentTo(other) })
    expect(faultsOfDraw(forged)).not.toEqual([])
  })
})
