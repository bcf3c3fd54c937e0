import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  AlreadyWritten,
  type Chart,
  createLedger,
  InsufficientFunds,
  LedgerUnavailable,
} from '../../src/ledger/ledger.ts'
import { msats } from '../../src/lib/money/amount.ts'
import { CHART, held, member, OPERATOR, pot, WALLET } from '../../src/tipping/core/chart-of-accounts.ts'
import type { TippingDatabase, Tx } from '../../src/tipping/core/database.ts'
import { move, openBook, type TestBook } from './book.ts'

let book: TestBook

beforeEach(async () => {
  book = await openBook()
  await book.fund('alice', 1_000)
})

afterEach(() => book.close())

const failure = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error)
const entry = (operation: string, step: string, ...moves: ReturnType<typeof move>[]) => ({ operation, step, moves })

describe('a refusal by the ledger', () => {
  it('names the account, balance and shortfall in its fields and its message', async () => {
    const error = await failure(book.send('tip', move('alice', 'bob', 1_500)))
    expect(error).toBeInstanceOf(InsufficientFunds)
    expect(error).toMatchObject({ name: 'InsufficientFunds', account: member('alice'), balance: 1_000n, missing: 500n })
    expect(String(error)).toMatch(/member alice holds 1000 msats, 500 t/)
  })

  it('names a debit account whose balance would rise above 0, not merely reach 0', async () => {
    const back = (amount: number) => [{ from: member('alice'), to: WALLET, amount: msats(amount) }]
    await book.fund('bob', 5)
    const more = [...back(1_000), { from: member('bob'), to: WALLET, amount: msats(5) }]
    await book.ledger.commit({ entries: [{ operation: 'all-back', step: 'post', moves: more }] })
    expect(await book.ledger.balance(WALLET)).toBe(0n)
    const grown = { from: { kind: 'operator', owner: 'operator' }, to: WALLET, amount: msats(7) }
    const error = await failure(book.send('too-much', grown))
    expect(error).toMatchObject({ account: WALLET, missing: 7n, balance: 0n })
  })

  it('names the shortfall of an account that must stay solvent but would fall below 0', async () => {
    const take = (operation: string, amount: number, solvent: boolean) =>
      book.ledger.commit({
        entries: [{ operation, step: 'post', moves: [{ from: OPERATOR, to: member('bob'), amount: msats(amount) }] }],
        ...(solvent && { solvent: [OPERATOR] }),
      })
    await book.ledger.commit({
      entries: [{ operation: 'given', step: 'post', moves: [{ ...move('alice', '', 100), to: OPERATOR }] }],
    })
    const error = await failure(take('too-much', 107, true))
    expect(error).toBeInstanceOf(InsufficientFunds)
    expect(error).toMatchObject({ account: OPERATOR, balance: 100n, missing: 7n })
    await take('all', 100, true)
    expect(await book.ledger.balance(OPERATOR)).toBe(0n)
    await take('absorbed', 5, false)
    expect(await book.ledger.balance(OPERATOR)).toBe(-5n)
  })

  it('names the operation and the step if that step was already written', async () => {
    await book.send('tip', move('alice', 'bob', 1))
    const error = await failure(book.send('tip', move('alice', 'bob', 1)))
    expect(error).toBeInstanceOf(AlreadyWritten)
    expect(String(error)).toBe('AlreadyWritten: tip already has the step "post", or has ended')
  })

  it('comes before any write if an entry moves nothing or a negative amount', async () => {
    const backwards = { ...move('alice', 'bob', 5), amount: -1n as never }
    await expect(book.send('odd', backwards)).rejects.toThrow(
      new RangeError('odd post moves a negative amount: -1 msats'),
    )
    await expect(book.send('odd', move('alice', 'bob', 0))).rejects.toThrow(new RangeError('odd post moves nothing'))
    expect(book.batches).toHaveLength(1)
  })

  it('is not caused by a move of 0 msats beside another move', async () => {
    await book.send('part', move('alice', 'bob', 0), move('alice', 'carol', 3))
    expect((await book.ledger.history(member('alice'), { limit: 5 })).map(({ amount }) => amount)).toEqual([
      -3n,
      1_000n,
    ])
    expect(await book.database.read.move.count()).toBe(2)
  })

  it('names the cause if the chart of accounts lacks an account’s kind', async () => {
    const odd = { from: member('alice'), to: { kind: 'purse', owner: 'x' }, amount: msats(1) }
    await expect(book.send('odd', odd)).rejects.toThrow()
    const { wallet, member: members } = CHART
    const chart = { wallet, member: members } as Chart
    const narrow = createLedger<Tx, TippingDatabase['write']>({ database: book.database, chart, clock: book.clock })
    const moves = [{ ...move('alice', '', 1), to: pot('x') }]
    const cause = expect.objectContaining({ message: 'the chart of accounts has no kind "pot"' })
    await expect(narrow.commit({ entries: [entry('odd', 'post', ...moves)] })).rejects.toMatchObject({ cause })
    await narrow.close()
    expect(await book.ledger.balance(member('alice'))).toBe(1_000n)
  })
})

describe('one transaction', () => {
  it('writes each step of an operation once, and only one of post and void', async () => {
    const results = await Promise.allSettled([
      book.ledger.commit({ entries: [entry('a', 'reserve', move('alice', 'bob', 1))] }),
      book.ledger.commit({ entries: [entry('a', 'reserve', move('alice', 'bob', 1))] }),
      book.ledger.commit({ entries: [entry('a', 'void', move('alice', 'bob', 1))] }),
      book.ledger.commit({ entries: [entry('a', 'post', move('alice', 'bob', 1))] }),
      book.ledger.commit({ entries: [entry('a', 'fee', move('alice', 'bob', 1))] }),
      book.ledger.commit({
        entries: [entry('b', 'post', move('alice', 'bob', 1)), entry('b', 'void', move('alice', 'bob', 1))],
      }),
    ])
    expect(results.map(({ status }) => status === 'fulfilled')).toEqual([true, false, true, false, true, false])
    expect(book.batches.at(-1)?.changes).toBe(6)
    expect(await book.ledger.balance(member('bob'))).toBe(3n)
  })

  it('lets later changes use the step and the sats of a refused change', async () => {
    const thrown = new Error('this change alone')
    const results = await Promise.allSettled([
      book.send('a', move('alice', 'bob', 2_000)),
      book.send('a', move('alice', 'bob', 600)),
      book.ledger.commit({
        entries: [entry('c', 'post', move('alice', 'bob', 400))],
        write: async (tx) => {
          await tx.account.create({ data: { kind: 'pot', owner: 'left-over' } })
          throw thrown
        },
      }),
      book.ledger.commit({ entries: [entry('c', 'post', move('alice', 'bob', 400))], write: async () => 'kept' }),
    ])
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason))).toEqual([
      expect.any(InsufficientFunds),
      undefined,
      thrown,
      'kept',
    ])
    expect(book.batches.at(-1)?.changes).toBe(4)
    expect(await book.ledger.balance(member('alice'))).toBe(0n)
    expect(await book.database.read.account.count({ where: { kind: 'pot' } })).toBe(0)
  })

  it('lets an entry spend sats received in an earlier entry of the same change', async () => {
    await book.ledger.commit({
      entries: [
        entry('tip', 'post', move('alice', 'bob', 500)),
        entry('payout', 'reserve', { ...move('bob', 'x', 500), to: held('bob') }),
      ],
    })
    expect(await book.ledger.balance(held('bob'))).toBe(500n)
  })

  it('is shared by changes that keep arriving during a limited wait', async () => {
    const before = book.batches.length
    const all: Promise<void>[] = []
    const arrive = (left: number) => {
      if (left > 0) setImmediate(() => arrive(left - 1))
      all.push(book.send(`t${left}`, move('alice', 'bob', 1)))
    }
    arrive(99)
    await book.ledger.commit({})
    while (all.length < 100) await new Promise((resolve) => setImmediate(resolve))
    await Promise.all(all)
    const sizes = book.batches.slice(before).map(({ changes }) => changes)
    expect(sizes.reduce((sum, changes) => sum + changes)).toBe(101)
    expect(sizes[0]).toBeGreaterThan(10)
    expect(sizes[0]).toBeLessThanOrEqual(18)
    expect(book.batches.every(({ durationMs }) => durationMs === 0)).toBe(true)
  })

  it('refuses only the changes that break a unique key or a CHECK constraint', async () => {
    const odd = { Account: { kind: 'member', owner: 'alice' }, Opening: { id: 2, amount: 1n, at: new Date(0) } }
    const results = await Promise.allSettled([
      ...Object.entries(odd).map(([table, values]) => book.ledger.commit({ rows: [{ table, values }] })),
      book.send('neighbour', move('alice', 'bob', 1)),
    ])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
    for (const result of results.slice(0, 2)) {
      const { reason } = result as PromiseRejectedResult
      expect(reason).not.toBeInstanceOf(LedgerUnavailable)
      expect(String(reason)).toMatch(/constraint/i)
    }
  })

  it('writes rows of several changes into two tables, whatever the order of the fields', async () => {
    const at = new Date(0)
    await Promise.all([
      book.ledger.commit({ rows: [{ table: 'Member', values: { id: '1', seenAt: at } }] }),
      book.ledger.commit({ rows: [{ table: 'Member', values: { seenAt: at, id: '2' } }] }),
      book.ledger.commit({ rows: [{ table: 'CoolDown', values: { key: 'k', until: at } }] }),
    ])
    expect((await book.database.read.member.findMany()).map(({ id, seenAt }) => [id, seenAt])).toEqual([
      ['1', at],
      ['2', at],
    ])
    expect(await book.database.read.coolDown.count()).toBe(1)
  })

  it('writes rows of a single change into two tables', async () => {
    const at = new Date(0)
    await book.ledger.commit({
      rows: [
        { table: 'Member', values: { id: '1', seenAt: at } },
        { table: 'CoolDown', values: { key: 'k', until: at } },
      ],
    })
    expect([await book.database.read.member.count(), await book.database.read.coolDown.count()]).toEqual([1, 1])
  })
})

describe('an unavailable ledger', () => {
  it('finishes the changes it accepted before it was closed and refuses later ones', async () => {
    const asked = book.send('before', move('alice', 'bob', 10))
    await book.ledger.close()
    await asked
    const error = await failure(book.send('after', move('alice', 'bob', 10)))
    expect(error).toBeInstanceOf(LedgerUnavailable)
    expect(error).toMatchObject({ name: 'LedgerUnavailable', cause: 'the ledger is closed' })
    expect(await book.ledger.balance(member('bob'))).toBe(10n)
  })

  it('reports that nothing happened, and why, if its database fails', async () => {
    const full = new Error('database or disk is full')
    const write = { ...book.database.write, $transaction: () => Promise.reject(full) }
    const writeRaw = () => Promise.reject(full)
    const broken = createLedger({
      database: { ...book.database, write: write as never, writeRaw },
      chart: CHART,
      clock: book.clock,
    })
    const results = await Promise.allSettled(
      [1, 2, 3].map((i) => {
        const entries = [entry(`x${i}`, 'post', move('alice', 'bob', 1))]
        return broken.commit({ entries, ...(i === 3 && { write: async () => {} }) })
      }),
    )
    for (const result of results) {
      expect((result as PromiseRejectedResult).reason).toMatchObject({
        name: 'LedgerUnavailable',
        message: 'the books could not be written; nothing happened',
        cause: full,
      })
    }
    await broken.close()
  })
})

it('reading many balances at once omits accounts that were never used', async () => {
  const balances = await book.ledger.balances([member('alice'), member('nobody'), WALLET])
  expect([...balances]).toEqual(
    expect.arrayContaining([
      ['member:alice', 1_000n],
      ['wallet:provider', -1_000n],
    ]),
  )
  expect(balances.size).toBe(2)
  expect(await book.ledger.balances([])).toEqual(new Map())
})
