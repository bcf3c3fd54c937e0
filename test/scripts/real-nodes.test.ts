import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { shareOut } from '../../proof/kills/lnd/blows.ts'
import { checkNodeBook, commitmentGrowth, gainOf, type NodeBook } from '../../proof/nodes/node-book.ts'

const channel = { capacity: 10_000n, local: 4_000n, remote: 5_100n, commitment: 900n, inFlight: 0n, initiator: true }
const opening: NodeBook = {
  settled: 4_000_000n,
  inFlight: 0n,
  commitment: 900_000n,
  received: 0n,
  paid: 0n,
  fees: 0n,
  channels: [channel],
}
/** The node's book after 500 sats have come in, and 100 have gone out for a fee of 1. */
const later: NodeBook = {
  ...opening,
  settled: 4_399_000n,
  received: 500_000n,
  paid: 100_000n,
  fees: 1_000n,
  channels: [{ ...channel, local: 4_399n, remote: 4_701n }],
}

describe('the judge of a node’s own book', () => {
  it('accepts an explained gain and a fraction of a sat in the commitment transaction', () => {
    const rounded = { ...later, commitment: 901_000n, channels: [{ ...channel, local: 4_399n, remote: 4_700n }] }
    expect(checkNodeBook(opening, later)).toEqual([])
    expect(checkNodeBook(opening, rounded)).toEqual([])
    expect(gainOf(opening, later)).toBe(399_000n)
  })

  it('does not count a more expensive commitment transaction as a loss', () => {
    const dearer = {
      ...later,
      settled: 4_199_000n,
      commitment: 1_100_000n,
      channels: [{ ...channel, local: 4_199n, remote: 4_701n, commitment: 1_100n }],
    }
    expect(commitmentGrowth(opening, dearer)).toBe(200_000n)
    expect(checkNodeBook(opening, dearer)).toEqual([])
  })

  it.each([
    ['a lost msat', { ...later, settled: later.settled - 1n }, /the channels gained 398999 msats, and .* say 399000/],
    ['a payment that nobody recorded', { ...later, paid: 0n }, /gained 399000 msats, and .* say 499000/],
    ['a payment under way', { ...later, inFlight: 5n }, /5 msats are still in flight/],
    [
      'a channel that lacks a part',
      { ...later, channels: [{ ...channel, local: 4_390n, remote: 4_701n }] },
      /a channel of 10000 sats/,
    ],
  ])('reports %s', (_, now, words) => {
    expect(checkNodeBook(opening, now).join('\n')).toMatch(words)
  })
})

it('the kills on real lnd hit all five programs and add up to the requested number', () => {
  for (const kills of [5, 14, 50]) {
    const blows = shareOut(kills)
    expect(Object.values(blows).reduce((sum, count) => sum + count, 0)).toBe(kills)
    for (const count of Object.values(blows)) expect(count).toBeGreaterThan(0)
  }
})

describe('without a Go compiler', { timeout: 180_000 }, () => {
  it.each([['scripts/tour.ts'], ['proof/kills/kill.ts']])('%s --backend lnd says what to install', async (script) => {
    const folder = mkdtempSync(join(tmpdir(), 'without-go-'))
    const args = [join(import.meta.dirname, '../..', script), '--backend', 'lnd']
    const said = await new Promise<string>((resolve) => {
      execFile(process.execPath, args, { cwd: folder, env: { PATH: folder } }, (error, out, err) =>
        resolve(`${error?.code} ${out}${err}`),
      )
    })
    rmSync(folder, { recursive: true })
    expect(said).toMatch(/^1 .*Install Go 1\.25\.10 or newer from https:\/\/go\.dev\/dl/)
  })
})
