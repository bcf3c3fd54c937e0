import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { QUICKNET } from '../../../src/lib/proofs/beacon.ts'
import { type DrawProof, drawProofShape, faultsOfDraw, strengthOfDraw } from '../../../src/lib/proofs/draw-proof.ts'
import { commitmentTo, drawLine, hashOfEntrants, keyOfDraw } from '../../../src/lib/proofs/provable-draw.ts'

type BeaconProof = Extract<DrawProof, { version: 2 }>

/**
 * The round of quicknet that was published at 14:13:39 UTC on 2026-09-21; a giveaway that ends 30 to 33 s earlier uses
 * this round.
 */
const ROUND = 32_398_885
const ROUND_MS = 1_790_000_019_000
const SIGNATURE = '8f6d5ddd520329a4ce9a25db41c0552a5ac04bd56577138cbb0ec2b9326af2b8012c7dc2c5bcddc439d922c93a281d24'
const END_MS = ROUND_MS - 32_000
const seed = Buffer.alloc(32, 7)
const entrants = Array.from({ length: 9 }, (_, i) => ({
  member: `m${i}`,
  interaction: snowflakeAt(END_MS - 9_000 + i),
}))

/** Returns an id such as Discord would have created at that time. */
function snowflakeAt(ms: number): string {
  return String(BigInt(ms - 1_420_070_400_000) << 22n)
}

const iso = (ms: number) => new Date(ms).toISOString()

function proofOf(change: Partial<BeaconProof> = {}): BeaconProof {
  const entrantsHash = hashOfEntrants('g', entrants)
  const beacon = change.beacon === undefined ? { chain: 'quicknet', round: ROUND, signature: SIGNATURE } : change.beacon
  const line = drawLine(keyOfDraw(seed, beacon?.signature ?? null), entrantsHash, entrants).map(({ member }) => member)
  return {
    kind: 'satchel-giveaway',
    version: 2,
    giveaway: 'g',
    startedBy: 'alice',
    startedAt: iso(END_MS - 3_600_000),
    endsAt: iso(END_MS),
    shortenedAt: null,
    endedAt: iso(ROUND_MS + 1_000),
    prizeMsats: '1000',
    winners: 3,
    commitment: commitmentTo(seed),
    entrants,
    entrantsHash,
    entrantsMessage: snowflakeAt(END_MS + 2_000),
    seed: seed.toString('hex'),
    won: line.slice(0, 3),
    drawnAgain: line.slice(3, 5),
    ...change,
    beacon,
  }
}

describe('a draw with a beacon', () => {
  it('hashes the seed and the signature’s hash as docs/VERIFY.md says', () => {
    const random = createHash('sha256').update(Buffer.from(SIGNATURE, 'hex')).digest()
    const key = createHash('sha256')
      .update(Buffer.concat([seed, random]))
      .digest()
    expect(Buffer.from(keyOfDraw(seed, SIGNATURE))).toEqual(key)
    expect(keyOfDraw(seed, null)).toBe(seed)
    const proof = proofOf()
    expect(drawProofShape.parse(JSON.parse(JSON.stringify(proof)))).toEqual(proof)
    expect(faultsOfDraw(proof)).toEqual([])
    expect(proof.won).not.toEqual(proofOf({ beacon: null }).won)
  })

  it.each([
    ['ends a period later', { endsAt: iso(END_MS + 3_000) }],
    ['ends a period sooner', { endsAt: iso(END_MS - 3_000) }],
    ['names the next round', { beacon: { chain: 'quicknet', round: ROUND + 1, signature: SIGNATURE } }],
    [
      'has the signature of another round',
      { beacon: { chain: 'quicknet', round: ROUND, signature: `b${SIGNATURE.slice(1)}` } },
    ],
    ['has a beacon of its own making', { beacon: { chain: 'mine', round: ROUND, signature: SIGNATURE } }],
    ['was drawn by the seed alone', { won: proofOf({ beacon: null }).won }],
    ['hides its beacon', { beacon: null, won: proofOf().won }],
    ['was shortened less than a minute before its end', { shortenedAt: iso(END_MS - 59_999) }],
    [
      'has an entrant who pressed at its end',
      { entrants: [...entrants.slice(0, 8), { member: 'm8', interaction: snowflakeAt(END_MS) }] },
    ],
  ] as const)('is invalid if it %s', (_, change) => {
    expect(faultsOfDraw(proofOf(change as Partial<BeaconProof>))).not.toEqual([])
  })

  it('places an entrant with several chances once, at their first ticket', () => {
    const some = entrants.map((entrant, i) => (i === 4 ? { ...entrant, chances: 5 } : entrant))
    const entrantsHash = hashOfEntrants('g', some)
    const text = [
      'satchel giveaway g',
      ...some.map((each, i) => `${each.interaction} ${each.member}${i === 4 ? ' 5' : ''}`),
    ]
    expect(entrantsHash).toBe(
      createHash('sha256')
        .update(`${text.join('\n')}\n`)
        .digest('hex'),
    )
    const line = drawLine(keyOfDraw(seed, SIGNATURE), entrantsHash, some).map(({ member }) => member)
    expect(line.toSorted()).toEqual(entrants.map(({ member }) => member))
    const proof = { ...proofOf(), entrants: some, entrantsHash, won: line.slice(0, 3), drawnAgain: line.slice(3, 5) }
    expect(faultsOfDraw(drawProofShape.parse(proof))).toEqual([])
    // Chances that were not published give another hash.
    expect(faultsOfDraw({ ...proof, entrants })).not.toEqual([])
    expect(drawProofShape.safeParse({ ...proof, entrants: [{ ...some[0], chances: 11 }] }).success).toBe(false)
  })

  it('favours entrants only in proportion to their chances', () => {
    const wins = new Map<string, number>()
    const some = entrants.slice(0, 4).map((entrant, i) => (i === 2 ? { ...entrant, chances: 3 } : entrant))
    for (let i = 0; i < 3_000; i += 1) {
      const key = createHash('sha256').update(String(i)).digest()
      const [winner] = drawLine(key, hashOfEntrants('g', some), some, 1)
      wins.set(winner?.member ?? '', (wins.get(winner?.member ?? '') ?? 0) + 1)
    }
    for (const { member, ...rest } of some) {
      const chances = 'chances' in rest ? 3 : 1
      expect(Math.abs((wins.get(member) ?? 0) - 500 * chances), member).toBeLessThan(100)
    }
  })

  it('has a strength that depends on its beacon and on when its hash was published', () => {
    const at = new Date(ROUND_MS)
    const mixed = { kind: 'beacon', round: ROUND, at }
    expect(strengthOfDraw(proofOf())).toEqual({ ...mixed, hashLeadMs: 30_000 })
    const late = proofOf({ entrantsMessage: snowflakeAt(ROUND_MS + 1) })
    expect(strengthOfDraw(late)).toEqual({ ...mixed, hashLeadMs: -1 })
    expect(strengthOfDraw(proofOf({ entrantsMessage: null }))).toEqual({ ...mixed, hashLeadMs: undefined })
    const missed = proofOf({ beacon: { chain: QUICKNET.name, round: ROUND, signature: null } })
    expect(faultsOfDraw(missed)).toEqual([])
    expect(strengthOfDraw(missed)).toEqual({ kind: 'beacon-missed', round: ROUND, at })
    expect(strengthOfDraw(proofOf({ beacon: null }))).toEqual({ kind: 'seed-only' })
    const shortened = proofOf({ shortenedAt: iso(END_MS - 60_000) })
    expect(faultsOfDraw(shortened)).toEqual([])
  })
})
