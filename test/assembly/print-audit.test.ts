import { describe, expect, it } from 'vitest'
import type { AuditReport, BookReport, Finding, NodeReport } from '../../src/assembly/audit/findings.ts'
import { printAudit } from '../../src/assembly/audit/print-audit.ts'
import { sats } from '../../src/lib/money/amount.ts'

const AT = new Date('2026-03-04T12:00:00.000Z')
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

function reportWith(parts: Partial<AuditReport>): AuditReport {
  const findings = parts.findings ?? []
  const rest = { books: [], cover: undefined, node: undefined, paused: [] }
  return { holds: findings.length === 0, at: AT, ...rest, findings, ...parts }
}

const proof = {
  holds: true,
  ...{ accounts: 3, entries: 4, moves: 5 },
  totals: { member: 1_234_567n, held: 5n, wallet: -1_234_572n },
  faults: [],
}

function bookWith(parts: Partial<BookReport>): BookReport {
  return { side: 'bot', file: 'tipping.sqlite', proof, open: [], findings: [], ...parts }
}

function open(id: number, agoMs: number, operation: string | undefined = `operation-${id}`) {
  const since = new Date(AT.getTime() - agoMs)
  return { kind: 'held', owner: `owner-${id}`, operation, noun: 'drop', state: 'open', amount: 1_000_000n, since }
}

const fault: Finding = { side: 'bot', operation: undefined, what: 'one msat is gone', advice: 'look for it' }

describe('a printed audit', () => {
  it('shows each book and the cover as a table, and says that all figures agree', () => {
    const books = [bookWith({}), bookWith({ side: 'service', file: 'payments.sqlite', open: [open(1, HOUR)] })]
    const cover = { expected: 1_234_567n, mayHaveLeft: 0n, mayHaveArrived: 0n, wallet: 1_234_568n }
    expect(printAudit(reportWith({ books, cover }))).toBe(
      [
        'Audit of 2026-03-04T12:00:00.000Z',
        '',
        'The bot’s book (tipping.sqlite)',
        '  member           1,234.567 sats',
        '  held                 0.005 sats',
        '  wallet          -1,234.572 sats',
        '  3 accounts, 4 entries, 5 moves: proven',
        '  open operations: 0',
        '',
        'The service’s book (payments.sqlite)',
        '  member           1,234.567 sats',
        '  held                 0.005 sats',
        '  wallet          -1,234.572 sats',
        '  3 accounts, 4 entries, 5 moves: proven',
        '  open operations: 1',
        '    drop operation-1: open, 1,000 sats, for 1 h',
        '',
        'The books against the wallet',
        '  the provider must hold 1,234.567 sats',
        '  the provider holds     1,234.568 sats',
        '',
        '✓ Everything agrees.',
      ].join('\n'),
    )
  })

  it('names each difference, its operation, the remedy, and the reason for a pause', () => {
    const other: Finding = { ...fault, side: 'service', operation: 'operation-9' }
    const findings = [fault, other]
    const paused = ['operator: the node is being moved']
    const text = printAudit(reportWith({ books: [bookWith({ findings: [fault] })], paused, findings }))
    expect(text).toContain('5 moves: NOT proven\n')
    expect(text).not.toContain('✓')
    expect(text.split('\n').slice(-9)).toEqual([
      '  open operations: 0',
      '  Outgoing payments are paused. operator: the node is being moved',
      '',
      '✗ 2 differences:',
      '  - bot: one msat is gone',
      '    what to do: look for it',
      '  - service: one msat is gone',
      '    operation: operation-9',
      '    what to do: look for it',
    ])
    expect(printAudit(reportWith({ findings: [fault] }))).toBe(
      [
        'Audit of 2026-03-04T12:00:00.000Z',
        '',
        '✗ 1 difference:',
        '  - bot: one msat is gone',
        '    what to do: look for it',
      ].join('\n'),
    )
  })

  it('names a book that cannot be read, and shows no table for it', () => {
    const books = [bookWith({ proof: undefined }), bookWith({ side: 'service', proof: undefined, file: 'a server' })]
    expect(printAudit(reportWith({ books, findings: [fault] }))).toContain(
      [
        '',
        'The bot’s book (tipping.sqlite) cannot be read as this version’s book.',
        '',
        'The service’s book (a server) cannot be read as this version’s book.',
        '',
        '✗',
      ].join('\n'),
    )
  })

  it('shows each open operation’s age, and its owner in place of a missing id', () => {
    const since = [0, MINUTE - 1, 59 * MINUTE, HOUR, DAY - 1, DAY, 3 * DAY - 1, -HOUR]
    const books = [
      bookWith({ open: [...since.map((ago, id) => open(id, ago)), { ...open(8, 0), operation: undefined }] }),
    ]
    const lines = printAudit(reportWith({ books })).split('\n')
    const first = lines.indexOf('  open operations: 9') + 1
    expect(lines.slice(first, first + 9).map((line) => line.replace(': open, 1,000 sats, for', ''))).toEqual([
      '    drop operation-0 0 min',
      '    drop operation-1 0 min',
      '    drop operation-2 59 min',
      '    drop operation-3 1 h',
      '    drop operation-4 23 h',
      '    drop operation-5 1 days',
      '    drop operation-6 2 days',
      '    drop operation-7 0 min',
      '    drop owner-8 0 min',
    ])
  })

  it('lists 20 open operations and counts the rest', () => {
    const many = (count: number) =>
      printAudit(reportWith({ books: [bookWith({ open: Array.from({ length: count }, (_, id) => open(id, 0)) })] }))
    const twenty = many(20)
    expect(twenty).toContain('open operations: 20\n')
    expect(twenty.match(/drop operation-/g)).toHaveLength(20)
    expect(twenty).not.toContain('more')
    expect(twenty).toContain('for 0 min\n\n✓')
    const more = many(22)
    expect(more.match(/drop operation-/g)).toHaveLength(20)
    expect(more).toContain('drop operation-19: open, 1,000 sats, for 0 min\n    … and 2 more (--json lists all)\n\n✓')
  })

  it('shows a range for the wallet’s balance if payments may have left or arrived', () => {
    const cover = { expected: 10_000n, mayHaveLeft: 1_000n, mayHaveArrived: 2_000n, wallet: undefined }
    expect(printAudit(reportWith({ cover }))).toContain(
      [
        'The books against the wallet',
        '  the provider must hold 9 … 12 sats',
        '  the provider holds     could not be asked',
        '',
      ].join('\n'),
    )
    // Equal amounts may leave and arrive.
    expect(printAudit(reportWith({ cover: { ...cover, mayHaveArrived: 1_000n } }))).toContain('9 … 11 sats')
  })

  it('shows the node’s figures, but omits optional ones that are 0 or unknown', () => {
    const comparison = {
      kind: 'phoenixd' as const,
      balances: { settled: sats(1_000), spendable: sats(7), receivable: sats(8), arriving: sats(9), inFlight: sats(0) },
      ...{ booked: 999_000n, holds: 1_000_000n, beyond: 1_000n, short: 0n, withdrawable: 500_000n },
      ...{ mayHaveLeft: 2_000n, commitFees: 3_000n, untoldFees: 4_000n },
    }
    const node: NodeReport = { kind: 'phoenixd', comparison, notes: ['The node is small.', 'It is old.'], findings: [] }
    expect(printAudit(reportWith({ node }))).toBe(
      [
        'Audit of 2026-03-04T12:00:00.000Z',
        '',
        'The service’s book against the phoenixd node',
        '  by the book the node holds  999 sats',
        '  the node says               1,000 sats',
        '  of that, the operator’s own 1 sats',
        '  may lack: payments that have just ended 2 sats',
        '  may lack: kept back for closing channels 3 sats',
        '  may lack: fees that the node does not tell 4 sats',
        '  on its way in: 9 sats',
        '  wallets could withdraw      500 sats',
        '  the node can send 7 sats',
        '  the node can receive 8 sats',
        '  Note: The node is small.',
        '  Note: It is old.',
        '',
        '✓ Everything agrees.',
      ].join('\n'),
    )
    const nothing = { mayHaveLeft: 0n, commitFees: 0n, untoldFees: 0n, beyond: 0n, balances: { settled: 0n } }
    const less = { ...node, comparison: { ...comparison, ...nothing } as never, notes: [] }
    expect(
      printAudit(reportWith({ node: less }))
        .split('\n')
        .slice(2, -2),
    ).toEqual([
      'The service’s book against the phoenixd node',
      '  by the book the node holds  999 sats',
      '  the node says               1,000 sats',
      '  wallets could withdraw      500 sats',
    ])
    expect(printAudit(reportWith({ node: { ...node, comparison: undefined } }))).toContain(
      '\n\nThe service’s book against the phoenixd node: it could not be asked\n\n✓',
    )
  })
})
