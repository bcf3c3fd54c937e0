import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLedger, type Ledger, LedgerUnavailable } from '../../src/ledger/ledger.ts'
import type { WriteRaw } from '../../src/lib/database/engine/raw-transactions.ts'
import { msats } from '../../src/lib/money/amount.ts'
import { CHART, member, WALLET } from '../../src/tipping/core/chart-of-accounts.ts'
import type { TippingDatabase, Tx } from '../../src/tipping/core/database.ts'
import { openBook, type TestBook } from './book.ts'

let book: TestBook
let ledger: Ledger<Tx>
/** The measured figures of each transaction, in the order in which they ended. */
let batches: { changes: number; durationMs: number }[]
/** A function that is called when a transaction begins. */
let onBegin: () => void
/** A promise for which committed transactions wait before their callers get the result. */
let flush: Promise<void>

beforeEach(async () => {
  book = await openBook()
  batches = []
  onBegin = () => {}
  flush = Promise.resolve()
  ledger = ledgerOn({
    async writeRaw(run, options) {
      onBegin()
      const value = await book.database.writeRaw(run)
      options?.released?.()
      await flush
      return value
    },
  })
})

afterEach(() => book.close())

function ledgerOn({ writeRaw }: { writeRaw: WriteRaw }): Ledger<Tx> {
  return createLedger<Tx, TippingDatabase['write']>({
    ...{ database: { ...book.database, writeRaw }, chart: CHART, clock: book.clock },
    onBatch: (batch) => void batches.push(batch),
  })
}

const fund = (who: string) =>
  ledger.commit({
    entries: [{ operation: `fund-${who}`, step: 'post', moves: [{ from: WALLET, to: member(who), amount: msats(1) }] }],
  })

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('changes in the commit queue', () => {
  it('share a transaction if they arrive in successive turns of the event loop', async () => {
    const changes: Promise<void>[] = []
    for (const who of ['a', 'b', 'c', 'd', 'e']) {
      const next = turn()
      changes.push(fund(who))
      await next
    }
    await Promise.all(changes)
    expect(batches.map(({ changes }) => changes)).toEqual([5])
  })

  it('are committed in one transaction before a change that must run alone', async () => {
    const seen: bigint[] = []
    const look = async (tx: Tx) => {
      const { _sum } = await tx.account.aggregate({ where: { kind: 'member' }, _sum: { balance: true } })
      seen.push(_sum.balance ?? 0n)
    }
    await Promise.all([
      fund('a'),
      ledger.commit({ write: look }),
      fund('b'),
      ledger.commit({ alone: true, write: look }),
      fund('c'),
    ])
    // Beside others it sees none of their moves.
    expect(seen).toEqual([0n, 3n])
    expect(batches.map(({ changes }) => changes)).toEqual([4, 1])
  })

  it('do not wait long for a transaction, even while more changes keep arriving', async () => {
    let begun = false
    onBegin = () => {
      begun = true
    }
    const changes: Promise<void>[] = []
    while (!begun && changes.length < 50) {
      const next = turn()
      changes.push(fund(String(changes.length)))
      await next
    }
    await Promise.all(changes)
    expect(changes.length).toBeLessThan(20)
  })

  it('are answered in order, at most 8 in each turn of the event loop', async () => {
    const answered: number[] = []
    const turns: number[] = []
    let now = 0
    const count = () => {
      now += 1
      if (answered.length < 40) setImmediate(count)
    }
    const changes = Array.from({ length: 40 }, (_, nth) =>
      fund(`who-${nth}`).then(() => {
        answered.push(nth)
        turns.push(now)
      }),
    )
    count()
    await Promise.all(changes)
    expect(batches.map(({ changes }) => changes)).toEqual([40])
    expect(answered).toEqual(Array.from({ length: 40 }, (_, nth) => nth))
    const together = Object.values(Object.groupBy(turns, (turn) => turn)).map((each) => each?.length ?? 0)
    expect(together.length).toBeGreaterThan(1)
    expect(Math.max(...together)).toBe(8)
  })

  it('share transactions of at most 16 changes if they run their own statements', async () => {
    const write = async (tx: Tx) => void (await tx.account.count())
    await Promise.all(Array.from({ length: 70 }, () => ledger.commit({ write })))
    expect(batches.map(({ changes }) => changes)).toEqual([16, 16, 16, 16, 6])
  })

  it('wait at most 3 turns of the event loop if no other change arrives', async () => {
    let turns = 0
    const waited = new Promise<number>((resolve) => {
      onBegin = () => resolve(turns)
    })
    const change = fund('a')
    const count = () => {
      turns += 1
      if (turns < 50) setImmediate(count)
    }
    setImmediate(count)
    expect(await waited).toBeLessThan(4)
    await change
  })
})

describe('the report on a transaction', () => {
  it('contains its duration and its number of changes', async () => {
    await book.clock.advance(1_000)
    onBegin = () => book.clock.freeze(250)
    await Promise.all([fund('a'), fund('b')])
    expect(batches).toEqual([{ changes: 2, durationMs: 250 }])
  })
})

describe('a ledger that closes', () => {
  it('answers every committed change before it finishes closing', async () => {
    const order: string[] = []
    const { promise, resolve: flushed } = Promise.withResolvers<void>()
    flush = promise
    const first = fund('a').then(() => order.push('first answered'))
    await expect.poll(() => book.database.read.entry.count()).toBe(1)
    // The next batch does not wait for the answers of the one before, and ends sooner.
    flush = Promise.resolve()
    await fund('b')
    const closed = ledger.close().then(() => order.push('closed'))
    for (let i = 0; i < 5; i += 1) await turn()
    order.push('flushed')
    flushed()
    await Promise.all([first, closed])
    expect(order).toEqual(['flushed', 'first answered', 'closed'])
  })

  it('refuses later changes without writing them', async () => {
    await ledger.close()
    await expect(fund('a')).rejects.toBeInstanceOf(LedgerUnavailable)
    expect(await book.database.read.entry.count()).toBe(0)
  })
})

describe('a batch that the database refuses as a whole', () => {
  it('is retried change by change, and only the failing change is refused', async () => {
    const account = (owner: string) => ledger.commit({ rows: [{ table: 'Account', values: { kind: 'pot', owner } }] })
    const results = await Promise.allSettled([account('same'), fund('a'), account('same'), fund('b')])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
    expect(await ledger.balance(member('b'))).toBe(1n)
  })
})
