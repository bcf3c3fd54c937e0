import { expect, it } from 'vitest'
import { gapOf } from '../../../src/tipping/audit/cover.ts'

it.each<[bigint | undefined, object | undefined]>([
  [undefined, undefined],
  [89n, { short: 1n, surplus: 0n }],
  [90n, { short: 0n, surplus: 0n }],
  [120n, { short: 0n, surplus: 0n }],
  [121n, { short: 0n, surplus: 1n }],
])('a wallet of %s may differ from the books by what may have left and arrived', (wallet, gap) => {
  const sides = { mayHaveLeft: 10n, mayHaveArrived: 20n } as Parameters<typeof gapOf>[2]
  expect(gapOf(wallet, { expected: 100n } as Parameters<typeof gapOf>[1], sides)).toEqual(gap)
})
