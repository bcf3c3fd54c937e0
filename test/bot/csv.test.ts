import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { poolCsv } from '../../src/bot/pools/csv.ts'
import { msats } from '../../src/lib/money/amount.ts'

/** Returns a pool's export that contains this reason. */
function exported(reason: string): string {
  const about = {
    operation: 'o',
    at: new Date(0),
    what: 'reward',
    member: '1',
    recipient: '2',
    rule: undefined,
    apiKey: undefined,
  } as const
  return poolCsv([{ ...about, amount: -5_000n, balance: msats(7_000n), reason, worth: undefined }])
}

/**
 * Returns the cells that a spreadsheet makes of the text when it splits at commas, at semicolons, or (like LibreOffice)
 * at both and at tabs.
 */
function cellsOf(text: string, delimiter: string | string[]): string[] {
  const options = { delimiter, bom: true, relax_quotes: true, relax_column_count: true } as const
  return (parse(text, options) as string[][]).flat()
}

describe('text in an export', () => {
  it.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '  =1+1',
    '\t=1+1',
    'soup;=1+1',
    "soup;=cmd|' /C calc'!A0;and bread",
    'soup; =1+1',
    'soup\t=1+1',
    'soup\n=1+1',
    'soup;"=1+1"',
    '"=1+1"',
    '\uff1d1+1',
  ])('does not become a formula in a spreadsheet: %j', (reason) => {
    for (const delimiter of [',', ';', [',', ';', '\t']]) {
      const cells = cellsOf(exported(reason), delimiter)
      expect(cells.filter((cell) => /^[\s"]*[=+@\uff1d]|^[\s"]*-(?!5$)/.test(cell))).toEqual([])
    }
  })

  it('stays as typed if no spreadsheet can misread it', () => {
    const reason = 'Thanks, "Ada": 2+2=4; see you - @mod'
    expect(cellsOf(exported(reason), ',')).toContain(reason)
  })
})
