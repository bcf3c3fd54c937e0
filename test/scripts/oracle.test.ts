import { describe, expect, it } from 'vitest'
import type { Book } from '../../proof/judge/histories/book.ts'
import { type AskedChange, BEGINNING, beginHistory, type History } from '../../proof/judge/histories/history.ts'
import { judgeHistory } from '../../proof/judge/histories/oracle.ts'

const [ALICE, BOB] = ['member alice', 'member bob']

/** Creates a change from alice to bob that was requested and answered at these times. */
function change(
  operation: string,
  amount: number,
  asked: number,
  answered: number,
  more: Partial<AskedChange> = {},
): AskedChange {
  return { operation, from: ALICE, to: BOB, amount, counter: undefined, asked, answered, outcome: 'written', ...more }
}

const history = (parts: Partial<History>): History => ({ ...beginHistory(), ...parts })

/** Creates a book in which alice starts with 100, and these moves follow in this order. */
function bookOf(moves: readonly AskedChange[], more: Partial<Book> = {}): Book {
  const begin = { operation: BEGINNING, from: 'wallet provider', to: ALICE, amount: 100 }
  const all = [begin, ...moves]
  const balances = new Map<string, number>()
  for (const { from, to, amount } of all) {
    balances.set(from, (balances.get(from) ?? 0) - amount)
    balances.set(to, (balances.get(to) ?? 0) + amount)
  }
  const entries = new Map(all.map(({ operation }) => [operation, { entries: 1, moves: 1 }]))
  return { moves: all, balances, entries, counters: new Map(), ...more }
}

const faultsOf = (...what: Parameters<typeof judgeHistory>) => judgeHistory(...what).faults

describe('the oracle for kills on PostgreSQL', () => {
  const [first, second] = [change('first', 10, 0, 5), change('second', 20, 6, 9)]

  it('accepts a book whose changes happened in order', () => {
    const readings = [
      { account: BOB, value: 0, asked: 1, answered: 3 },
      { account: BOB, value: 10, asked: 2, answered: 7 },
      { account: ALICE, value: 70, asked: 10, answered: 11 },
    ]
    const short = change('short', 500, 2, 3, { outcome: 'short' })
    const unknown = change('unknown', 1, 2, Number.POSITIVE_INFINITY, { outcome: 'unknown' })
    const seen = history({ changes: [first, second, short, unknown], readings })
    expect(judgeHistory(seen, bookOf([first, second]))).toEqual({ faults: [], takenBack: 0 })
    expect(faultsOf(history({ changes: [first, second, unknown] }), bookOf([first, second, unknown]))).toEqual([])
  })

  it('reports missing, duplicate, changed and unrequested rows', () => {
    const seen = history({ changes: [first, second] })
    expect(faultsOf(seen, bookOf([first]))).toEqual(['second was acknowledged, and is lost'])
    const twice = bookOf([first, second, second], {
      entries: new Map([
        ['first', { entries: 1, moves: 1 }],
        ['second', { entries: 2, moves: 2 }],
      ]),
    })
    expect(faultsOf(seen, twice)).toEqual(['second is there 2 times, with 2 moves'])
    expect(faultsOf(seen, bookOf([first, { ...second, amount: 21 }]))).toEqual(['second is not what was asked for'])
    expect(faultsOf(history({ changes: [first] }), bookOf([first, second]))).toEqual([
      'second is there, and nobody asked for it',
    ])
    const short = history({ changes: [first, { ...second, amount: 95, outcome: 'short' }] })
    expect(faultsOf(short, bookOf([first, { ...second, amount: 1 }]))).toEqual(['second was refused, and is there'])
  })

  it('reports an order that contradicts the clock', () => {
    const both = `first was answered before second was asked for, and comes after it`
    expect(faultsOf(history({ changes: [first, second] }), bookOf([second, first]))).toEqual([
      `${ALICE}: ${both}`,
      `${BOB}: ${both}`,
    ])
  })

  it('reports readings that are too late, too early or out of order', () => {
    const read = (value: number, asked: number, answered: number) => ({ account: BOB, value, asked, answered })
    const judge = (...readings: ReturnType<typeof read>[]) =>
      faultsOf(history({ changes: [first, second], readings }), bookOf([first, second]))
    expect(judge(read(0, 5.5, 8))).toEqual([`${BOB} was seen to hold 0, which it did not hold then`])
    expect(judge(read(30, 4, 5))).toEqual([`${BOB} was seen to hold 30, which it did not hold then`])
    expect(judge(read(30, 6, 7), read(10, 7.5, 8))).toEqual([`${BOB} was seen to hold 10, which it did not hold then`])
    expect(judge(read(30, 6, 7), read(10, 6.5, 8))).toEqual([])
  })

  it('excuses a reading that a crash undoes, but not a lost acknowledged change', () => {
    const readings = [{ account: BOB, value: 30, asked: 7, answered: 8 }]
    const lost = { ...second, outcome: 'unknown', answered: Number.POSITIVE_INFINITY } as const
    const crashed = judgeHistory(history({ changes: [first, lost], readings, crashes: [10] }), bookOf([first]))
    expect(crashed).toEqual({ faults: [], takenBack: 1 })
    expect(faultsOf(history({ changes: [first, second], crashes: [10] }), bookOf([first]))).toEqual([
      'second was acknowledged, and is lost',
    ])
  })

  it('reports a refusal without a reason', () => {
    const refused = change('refused', 80, 6, 7, { outcome: 'short' })
    const reason = 'refused was refused, and member alice held enough all the time'
    expect(faultsOf(history({ changes: [first, refused] }), bookOf([first]))).toEqual([reason])
    expect(faultsOf(history({ changes: [first, second, refused] }), bookOf([first, second]))).toEqual([])
  })

  it('reports balances that differ from their moves, negative balances and wrong sums', () => {
    const seen = history({ changes: [first], snapshots: [{ sum: 3, asked: 0, answered: 1 }] })
    const book = bookOf([first])
    const faults = faultsOf(seen, { ...book, balances: new Map([...book.balances, [BOB, 13]]) })
    expect(faults).toEqual([
      `${BOB} holds 13, and its moves make 10`,
      'all accounts hold 3 together',
      'all accounts were seen to hold 3 together',
    ])
    const over = change('over', 101, 0, 1)
    expect(faultsOf(history({ changes: [over] }), bookOf([over]))).toEqual([`${ALICE} held -1`])
  })

  it('reports a counter that two simultaneous changes raised to the same value', () => {
    const counted = { counter: 'counter-0' }
    const changes = [change('one', 1, 0, 5, counted), change('two', 1, 0, 5, counted)]
    expect(faultsOf(history({ changes }), bookOf(changes, { counters: new Map([['counter-0', 1]]) }))).toEqual([
      'counter-0 was raised 2 times, and says 1',
    ])
  })
})
