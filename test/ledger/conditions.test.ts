import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Condition } from '../../src/ledger/ledger.ts'
import { move, openBook, type TestBook } from './book.ts'

let book: TestBook

beforeEach(async () => {
  book = await openBook()
  await book.fund('alice', 1_000)
  await book.ledger.commit({
    rows: ['bob', 'carol'].map((id) => ({ table: 'Member', values: { id, seenAt: new Date(0) } })),
  })
})

afterEach(() => book.close())

class Spoken extends Error {}

/** Returns the condition that a member has no language yet; the condition's write sets this language. */
const speaks = (id: string, language: string): Condition => ({
  table: 'Member',
  key: { id },
  refusal: ([row]) => (row === undefined || row.language !== null ? new Spoken(`${row?.language}`) : undefined),
  set: { language },
})
const tip = (operation: string, amount: number, ...conditions: Condition[]) =>
  book.ledger.commit({ entries: [{ operation, step: 'post', moves: [move('alice', 'bob', amount)] }], conditions })
const languageOf = async (id: string) => (await book.database.read.member.findUniqueOrThrow({ where: { id } })).language
const outcomes = async (...changes: Promise<unknown>[]) =>
  (await Promise.allSettled(changes)).map((each) => (each.status === 'fulfilled' ? 'done' : `${each.reason.message}`))

describe('a change with conditions', () => {
  it('is applied only if its conditions hold, and writes nothing if it is refused', async () => {
    await tip('tip-1', 100, speaks('bob', 'de'))
    expect(await languageOf('bob')).toBe('de')
    await expect(tip('tip-2', 100, speaks('carol', 'fr'), speaks('bob', 'it'))).rejects.toThrow(new Spoken('de'))
    await expect(tip('tip-3', 100, speaks('nobody', 'it'))).rejects.toThrow(new Spoken('undefined'))
    await expect(tip('tip-4', 5_000_000, speaks('carol', 'it'))).rejects.toThrow(/alice/)
    expect(await languageOf('carol')).toBeNull()
    expect((await book.ledger.prove()).entries).toBe(2)
  })

  it('is checked individually, after earlier changes in the same transaction', async () => {
    const before = book.batches.length
    const all = [
      tip('tip-1', 1, speaks('bob', 'de')),
      tip('tip-2', 1, speaks('bob', 'fr')),
      tip('tip-3', 1, speaks('carol', 'it')),
    ]
    expect(await outcomes(...all)).toEqual(['done', 'de', 'done'])
    expect(book.batches.slice(before)).toMatchObject([{ changes: 3 }])
    expect([await languageOf('bob'), await languageOf('carol')]).toEqual(['de', 'it'])
  })

  it('is checked against the rows that earlier changes inserted', async () => {
    const insert = book.ledger.commit({
      rows: [{ table: 'Member', values: { id: 'dave', seenAt: new Date(0), language: 'pl' } }],
    })
    expect(await outcomes(insert, tip('tip-1', 1, speaks('dave', 'de')))).toEqual(['done', 'pl'])
  })

  it('takes effect after earlier changes to the same row', async () => {
    const becomes = (set: Condition['set']): Condition => ({
      table: 'Member',
      key: { id: 'bob' },
      refusal: () => undefined,
      set,
    })
    const all: NonNullable<Condition['set']>[] = [
      { language: 'de' },
      { language: 'fr', receipts: false },
      { language: 'it' },
      { receipts: true },
    ]
    await Promise.all(all.map((set, i) => tip(`tip-${i}`, 1, becomes(set))))
    const where = { id: 'bob' }
    expect(await book.database.read.member.findUniqueOrThrow({ where })).toMatchObject({
      language: 'it',
      receipts: true,
    })
    await tip('tip-9', 1, { ...becomes({ language: 'xx' }), key: { id: 'nobody' } })
  })

  it('shares no transaction with a change that runs its own statements', async () => {
    const before = book.batches.length
    const write = (language: string) =>
      book.ledger.commit({ write: (tx) => tx.member.update({ where: { id: 'bob' }, data: { language } }) })
    const plain = () => book.ledger.commit({ rows: [] })
    const all = [
      plain(),
      write('pl'),
      tip('tip-1', 1, speaks('bob', 'de')),
      plain(),
      tip('tip-2', 1, speaks('carol', 'de')),
    ]
    expect(await outcomes(...all)).toEqual(['done', 'done', 'pl', 'done', 'done'])
    expect(book.batches.slice(before).map(({ changes }) => changes)).toEqual([3, 2])
  })

  it('fails alone and writes nothing if a row lacks values that a condition expects', async () => {
    const wrong: Condition = { ...speaks('bob', 'de'), expect: { id: 'carol' } }
    expect(await outcomes(tip('tip-1', 1, wrong), tip('tip-2', 1, speaks('carol', 'fr')))).toEqual([
      'the books could not be written; nothing happened',
      'done',
    ])
    expect([await languageOf('bob'), await languageOf('carol')]).toEqual([null, 'fr'])
  })

  it('is refused if it also runs its own statements', async () => {
    const change = { conditions: [speaks('bob', 'de')], write: async () => {} }
    await expect(book.ledger.commit(change)).rejects.toThrow(TypeError)
  })
})
