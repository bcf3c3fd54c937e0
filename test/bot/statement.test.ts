import { describe, expect, it } from 'vitest'
import { readMonth, statementOf, statementPdf } from '../../src/bot/pools/statement.ts'
import { msats } from '../../src/lib/money/amount.ts'
import type { ExportedPoolLine } from '../../src/tipping/tipping.ts'

function line(time: string, what: ExportedPoolLine['what'], amount: bigint, balance: bigint): ExportedPoolLine {
  const told = {
    member: '1',
    recipient: undefined,
    reason: 'Soup',
    rule: undefined,
    apiKey: undefined,
    operation: time,
    worth: undefined,
  }
  return { ...told, at: new Date(time), what, amount, balance: msats(balance) }
}

const LINES = [
  line('2029-12-31T23:59:59.999Z', 'gift', 5_000n, 5_000n),
  line('2030-01-01T00:00:00.000Z', 'gift', 3_000n, 8_000n),
  line('2030-01-15T10:00:00.000Z', 'reward', -1_500n, 6_500n),
  line('2030-01-31T23:59:59.999Z', 'reward', -500n, 6_000n),
  line('2030-02-01T00:00:00.000Z', 'gift', 1_000n, 7_000n),
]

describe('a statement', () => {
  it('lists a month’s moves, and the pool’s balance before and after them', () => {
    const { opening, closing, lines, sums } = statementOf(LINES, '2030-01')
    expect([opening, closing, lines.length]).toEqual([5_000n, 6_000n, 3])
    expect(sums).toEqual([
      { what: 'gift', moves: 1, amount: 3_000n },
      { what: 'reward', moves: 2, amount: -2_000n },
    ])
    expect(opening + sums.reduce((sum, { amount }) => sum + amount, 0n)).toBe(closing)
  })

  it.each([
    ['2029-11', 0n, 0n],
    ['2030-03', 7_000n, 7_000n],
  ])('shows the same balance at the start and the end if %s has no moves', (month, opening, closing) => {
    expect(statementOf(LINES, month)).toMatchObject({ opening, closing, lines: [], sums: [] })
  })

  it('is a PDF with each move, on as many pages as needed', () => {
    const many = Array.from({ length: 200 }, (_, day) => line('2030-01-15T10:00:00.000Z', 'tip', -1_000n, BigInt(day)))
    const pdf = statementPdf(statementOf([...LINES.slice(0, 4), ...many], '2030-01'))
    expect(pdf).toMatch(/^%PDF-1\.4\n[\n\x20-\x7e]*%%EOF\n$/)
    expect(pdf.match(/\(2030-01-\d\d \d\d:\d\d UTC\) Tj/g)).toHaveLength(203)
    expect(pdf).toContain('(Pool statement 2030-01 \\(UTC\\)) Tj')
    expect(Number(/\/Count (\d+)/.exec(pdf)?.[1])).toBeGreaterThan(3)
  })

  it('escapes a reason, or refers to the CSV if the PDF cannot show the reason', () => {
    const of = (reason: string) => statementPdf(statementOf([{ ...LINES[1], reason } as ExportedPoolLine], '2030-01'))
    expect(of('Отопление')).toContain('(\\(see the CSV\\)) Tj')
    expect(of('a (b) \\ ) Tj ET')).toContain('(a \\(b\\) \\\\ \\) Tj ET) Tj')
  })

  it.each([
    ['2030-01', '2030-01'],
    [' 2030-12 ', '2030-12'],
    ['2030-13', undefined],
    ['2030-00', undefined],
    ['2030-1', undefined],
    ['January', undefined],
    ['', undefined],
  ])('can be requested by month: %j means %s', (typed, month) => expect(readMonth(typed)).toBe(month))
})
